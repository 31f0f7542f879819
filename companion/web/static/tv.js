// The table on a TV: nothing to press but the keys of its sounds and of its voice.

import { Aloud } from "./aloud.js";
import { TvCalls } from "./calls.js";
import { Wire, placeDoor, placeTvCode, showDoor } from "./connection.js";
import { at, fetchWithin, words, write } from "./elements.js";
import { shapeOf, show, showClock, showLink, watchForWin } from "./show_moment.js";
import { Sounds, showShow, showTvWin } from "./tv_show.js";

// On the box's own screen, while no game is played: the code by which phones come in.

const LOOKS_MS = 10000;  // the network may come late, or give another address

// Looks for the code again and again; returns the function that looks for it at once.
export function placeWayIn(wire) {
  const { dataset } = document.body;

  async function look() {
    if (wire.invited || dataset.state !== "connected" || dataset.asked !== "asks.game") return;
    const told = await fetchWithin(LOOKS_MS, "/way-in").catch(() => null);
    if (!told?.ok) return;
    const { address, code, other } = await told.json();
    const shown = [address, other].filter(Boolean).join("\n");
    const changed = at("way-address").textContent !== shown;
    write("way-address", shown);
    if (changed) at("way-code").innerHTML = code;
    at("way-in").hidden = !code;
  }

  setInterval(look, LOOKS_MS);
  return look;
}

// -------------------------------------------------------------------- tv

// Shows the proof of a call: the line goes back to the turn that is called bogus, the tiles in question
// light up, then come the sentence, the verdict, and the line as it is now. CSS shows and hides all this by
// `data-proof`; a page that is opened later starts with the last step.

const STEPS = [["then", 3000], ["lit", 3000], ["said", 4000], ["judged", 5000], ["now", 0]];  // milliseconds that each step lasts
const REWOUND = new Set(["then", "lit", "said", "judged"]);

export class Rewind {
  constructor() {
    this.claim = undefined;  // the claim in the last message, as text; null: none
    this.step = "now";
    this.timer = 0;
    this.drawings = {};
  }

  // Takes a message of the server, after the page has shown it.
  told({ moment, drawing, proof }) {
    const claim = moment?.claim ?? null;
    const { by, accused, turn, verdict, tiles } = claim ?? {};
    const known = claim && [moment.number, moment.hand, by, accused, turn, verdict.key, ...tiles].join();
    const isNew = this.claim !== undefined && known !== this.claim;
    this.claim = known;
    this.drawings = { drawing, proof };
    if (isNew || !claim) this.go(proof && claim ? 0 : STEPS.length - 1);
    else this.show(this.step);
  }

  go(number) {
    clearTimeout(this.timer);
    const [step, lasts] = STEPS[number];
    const before = this.step;
    this.step = step;
    this.show(before);
    if (lasts) this.timer = setTimeout(() => this.go(number + 1), lasts);
  }

  // Shows the step; `before`: the step until now. Whenever the page shows a message, it puts the newest
  // drawing on the board, so the proof's is put there again.
  show(before) {
    document.body.dataset.proof = this.step;
    const { drawing, proof } = this.drawings, rewound = REWOUND.has(this.step);
    if (rewound && (before === this.step || !REWOUND.has(before))) at("board").innerHTML = proof ?? "";
    else if (!rewound && REWOUND.has(before)) at("board").innerHTML = drawing ?? "";
  }
}

// -------------------------------------------------------------------- tv

// While people sit down before a game: who sits where, and the code and the digits for those who don't yet.

async function showSitting(sitting) {
  at("sit").hidden = !sitting;
  document.body.classList.toggle("sits", Boolean(sitting));
  if (!sitting) return;
  const { game, seats } = sitting;
  write("sit-game", game);
  write("sit-seated", words("sit.seated", { number: seats.filter(Boolean).length, seats: seats.length }));
  const { drawSeats } = await import("./sit_down.js");
  drawSeats(at("sit-seats"), sitting);
}

function showInvitation(invite) {
  at("sit-way").hidden = !invite;
  if (!invite) return;
  const { address, code, digits } = invite;
  at("sit-code").innerHTML = code;
  write("sit-says", words("sit.type-tv", { address }));
  write("sit-digits", digits);
}

// Marks the names that are too long for one line; they are shown on two.
function wrapLongNames() {
  const isLong = (who) => who.scrollWidth > who.clientWidth;
  for (const who of [...document.querySelectorAll(".seats .who")].filter(isLong)) who.parentNode.classList.add("long");
}

const SEATS = document.body.dataset.live ? [] : ["seats"];  // nobody sits down at a hub
let showCode = null, lookForWayIn = null;
const calls = new TvCalls();
const sounds = new Sounds();
const rewind = new Rewind();
const wants = () => [innerHeight > innerWidth ? "square" : shapeOf(innerWidth, innerHeight), "proof", ...SEATS, ...aloud.wants];
const aloud = new Aloud({ changed: () => wire.want(wants()), word: () => wire.token, table: true });
export function told(message) {
  show(message);
  wrapLongNames();
  showShow(message.moment, sounds);
  aloud.told(message);
  rewind.told(message);
  watchForWin(message, wire, { replay: true });
  lookForWayIn?.();
}
function state(name, text) {
  showLink(name, name === "refused" && showCode ? "" : text);  // the code says what to do
  showDoor(name);
  showCode?.(name);
  if (name === "connected") aloud.linked();
}

// Takes messages other than moments, at a hub also which of the club's tables is shown now.
function heard({ panel, turn, silent, club, left_s, board, announced, voice, sitting, invite }) {
  if (sitting !== undefined) showSitting(sitting);
  if (invite !== undefined) showInvitation(invite);
  if (voice) aloud.heard(voice);
  if (board !== undefined) document.dispatchEvent(new CustomEvent("board", { detail: board }));  // event_board.js at a hub
  if (announced || club) calls.take(announced ?? club.announced);
  if (panel?.name === "win") showTvWin(panel);
  if (left_s !== undefined || club) showClock(left_s ?? club?.left_s);
  if (silent !== undefined) write("silent", silent);
  if (turn) at("turn").hidden = turn.all < 2;
  if (turn) write("turn", words("page.turn", turn));
}
const wire = new Wire({ told, heard, state }, { wants: wants(), watchful: true });
addEventListener("resize", () => wire.want(wants()));
placeDoor("watch", wire);
if (!document.body.dataset.live) {
  showCode = placeTvCode(wire);
  showCode(document.body.dataset.state);
  lookForWayIn = placeWayIn(wire);
}
