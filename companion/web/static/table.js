// The table's page: the table, its keys and, if there is room, the box beside it.

import { Aloud } from "./aloud.js";
import { placeBelow } from "./below.js";
import { placeBox } from "./box.js";
import { placeDoor, placeLetIn, placePhones, showDoor } from "./door.js";
import { Example } from "./example.js";
import { Keying } from "./keying.js";
import { placeMotion } from "./motion.js";
import { Panels } from "./panels.js";
import { at, write } from "./parts.js";
import { showClock } from "./round.js";
import { placeStars } from "./stars.js";
import { keepWord, shapeOf, show, showLink } from "./telling.js";
import { showWin, watchForWin } from "./win.js";
import { Wire } from "./wire.js";

// The language of the pages on this browser, if somebody wants a language other than the browser's.

const YEAR_S = 365 * 24 * 3600;

export function placeLanguage() {
  const chosen = document.getElementById("language");
  chosen.addEventListener("change", () => {
    document.cookie = `language=${chosen.value};path=/;max-age=${YEAR_S};samesite=strict`;
    location.reload();
  });
}

// -------------------------------------------------------------------- table

const room = matchMedia("(min-width: 84rem) and (min-height: 40rem)");
const box = placeBox(document.querySelector(".box"), () => room.matches && !typing());

function typing() {
  return document.activeElement?.closest("input, select, textarea, .keying button") !== null;
}

const LOW = 720;  // pixels: on a phone lower than this only a strip is left between scores and keys

// The shape of drawing, and the rest, that the page wants: beside the box it has less width, on a phone
// that keys less height.
function wants() {
  if (room.matches) return ["box", "landscape", ...aloud.wants];
  const narrow = innerWidth < 600 && innerHeight > innerWidth;
  const onPhone = innerHeight < LOW ? "strip" : "wide";
  return [narrow && keying.plays ? onPhone : shapeOf(innerWidth, innerHeight), ...aloud.wants];
}

const aloud = new Aloud({ changed: () => wire.want(wants()), seat: () => keying.role.seat, word: () => wire.token });
const keying = new Keying(() => {
  wire.want(wants());
  panels.offer();
});
const example = new Example((message) => {
  show(message);
  aloud.told(message, true);
}, (message) => wire.send(message));
const panels = new Panels(keying);
const wire = new Wire({
  told(message) {
    if (example.holds(message)) return;
    show(message);
    if (at("seal")) write("seal", message.sealed ?? "");  // a hub's page
    keying.told(message);
    aloud.told(message);
    panels.told(message);
    watchForWin(message, wire);
  },
  heard(message) {
    if ("voice" in message) aloud.heard(message.voice);
    else if ("invite" in message || "word" in message) phones.heard(message);
    else if ("example" in message) example.heard(message.example);
    else if ("silent" in message) write("silent", message.silent);
    else if ("panel" in message) showPanel(message.panel);
    else if ("club" in message) panels.hearClub(message.club);
    else if ("left_s" in message) showClock(message.left_s);
    else keying.heard(message);
  },
  picture: box.picture,
  state(name, text) {
    showLink(name, text);
    showDoor(name);
    box.state(name, text);
    keying.linked(name === "connected");
    if (name === "connected") {
      aloud.linked();
      panels.linked();
      phones.linked();
      askToLetIn();
    }
  },
}, { wants: wants(), watchful: true });

function showPanel(told) {
  if (told.name === "older") keying.history.heard(told);
  else if (told.name === "win") showWin(told);
  else panels.heard(told);
}

placeStars((name, on) => keying.mark(name, on));
box.listenTo(wire);
keying.listenTo(wire);
addEventListener("resize", () => wire.want(wants()));
placeMotion();
placeBelow();
placeLanguage();
keepWord();
placeDoor("play", wire);
const phones = placePhones(wire);
const askToLetIn = placeLetIn(wire);
