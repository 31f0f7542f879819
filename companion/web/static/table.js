// The table's page: the table, its keys and, if there is room, the box beside it.

import { Aloud } from "./aloud.js";
import { placeBox } from "./box.js";
import { HERE, Wire, placeDoor, placeLetIn, placePhones, showDoor } from "./connection.js";
import { ROOT, add, at, clear, colour, keep, placeMotion, recall, words, write } from "./elements.js";
import { Typing, isOn } from "./keyboard.js";
import { Keying, placeBelow } from "./keying.js";
import { Panels } from "./panels.js";
import { keepWord, placeStars, shapeOf, show, showClock, showLink, showWin, watchForWin } from "./show_moment.js";

// An example evening that plays itself while nobody plays: moments of a game that is in the program, shown
// like the table's. It ends when a game is on the table, or when somebody ends it.

const SECONDS = { entry: 2, payment: 4.5, dispute: 6 };

export class Example {
  // `show` shows a message of the server; `ask` sends one.
  constructor(show, ask) {
    this.show = show;
    this.ask = ask;
    this.number = 0;   // of the moment that is shown; 0: none
    this.table = null; // the table's newest message, held back meanwhile
    this.next = 0;
    at("watch-example").addEventListener("click", () => this.begin());
    at("leave-example").addEventListener("click", () => this.end());
  }

  begin() {
    this.number = 1;
    this.place();
    at("leave-example").focus();
    this.ask({ example: this.number });
  }

  // Whether to hold back the table's message, as the table has no game and the example is shown.
  holds(message) {
    this.table = message;
    if (!this.number) return false;
    if (message.moment?.game) {
      this.stop();
      return false;
    }
    this.go_on(0);  // the connection may have been away
    return true;
  }

  heard({ moment, drawing, last }) {
    if (!this.number || !this.table) return;
    this.show({ version: this.table.version, drawing, moment });
    this.number = moment.entry;
    if (this.number < last) this.go_on(secondsFor(moment));
  }

  go_on(seconds) {
    clearTimeout(this.next);
    const number = seconds ? this.number + 1 : this.number;
    this.next = setTimeout(() => this.ask({ example: number }), seconds * 1000);
  }

  end() {
    this.stop();
    if (this.table) this.show(this.table);
    at("watch-example").focus();
  }

  stop() {
    clearTimeout(this.next);
    this.number = 0;
    this.place();
  }

  place() {
    at("example").hidden = !this.number;
    document.body.classList.toggle("plays-itself", this.number > 0);
  }
}

// -------------------------------------------------------------------- table

// Home: what the page shows while there is no game, and before a game of another evening continues. All but
// the ways to begin is in its menu.

export class Home {
  constructor(wire, panels, awake) {
    this.wire = wire;
    this.panels = panels;
    this.awake = awake;
    this.moment = null;
    this.starts = false;  // whether a new game is made up here
    this.sitting = null;  // who sits down, as another page has it
    this.sat = null;  // the module that shows it, once somebody does
    this.row = null;  // the newest row of the game that somebody continues here
    at("menu").addEventListener("click", () => this.openMenu(!this.isOpen));
    at("go-on").addEventListener("click", () => {
      this.row = this.moment.row;
      this.told({ moment: this.moment });
      this.awake.told({ moment: this.moment });
    });
    addEventListener("keydown", (event) => event.key === "Escape" && this.isOpen && this.openMenu(false));
  }

  get isOpen() {
    return document.body.classList.contains("in-menu") || this.panels.name === "new";
  }

  // Opens the menu; or closes it, or whatever else lies over the home screen.
  openMenu(opens) {
    document.body.classList.toggle("in-menu", opens);
    if (!opens && this.panels.name) this.panels.open(this.panels.name);
    this.mark();
    scrollTo(0, 0);
  }

  // Shows who sits down on another page. Where a page sat down, it keys for its seat once the game begins.
  async hearSitting(sitting) {
    this.sitting = sitting;
    if (!sitting && !this.sat) return;
    this.sat = await import("./sit_down.js").catch(() => null);  // null: the connection is gone
    this.told({ moment: this.moment });
  }

  // Takes the seat on which this page sat down, in a game that has just begun.
  takeSeat({ game, finished, seats }) {
    const seat = game && !finished && this.sat?.seatOf(seats.map((one) => one.seat));
    if (seat) this.panels.keying.role.wish(`seat ${seat}`);
  }

  told({ moment }) {
    if (!moment) return;
    const isNew = this.moment && this.moment.number !== moment.number;
    this.moment = moment;
    if (isNew) this.takeSeat(moment);
    const rests = moment.game && this.wire.rests?.row === moment.row && this.row !== moment.row;
    const sits = Boolean(this.sitting) && (rests || !moment.game || moment.finished);
    const isHome = Boolean(rests) || !moment.game || sits;
    this.sat?.showSitting(sits ? this.sitting : null, this.wire);
    document.body.classList.toggle("sits", sits);
    document.body.classList.toggle("at-home", isHome);
    if (!isHome) document.body.classList.remove("in-menu");
    at("welcome").hidden = !isHome;
    at("watch-example").hidden = Boolean(moment.game);
    at("go-on").hidden = !rests || moment.finished;
    if (rests) this.renderGame(moment);
    this.mark();
  }

  // Fills the key that continues a game: what it says, and the score of each seat.
  renderGame({ seats }) {
    const key = at("go-on");
    clear(key);
    add(key, "b", "", this.wire.rests.said);
    const scores = add(key, "span", "points");
    for (const seat of seats) {
      const one = add(scores, "span", "one");
      colour(one, seat.colour);
      add(one, "span", "sign", seat.sign).setAttribute("aria-hidden", "true");
      add(one, "span", "who", seat.shown);
      if (seat.score !== null) add(one, "b", "", seat.score);
    }
  }

  mark() {
    const { isOpen } = this, starts = isHome() && this.panels.name === "new";
    if (starts !== this.starts) {
      this.starts = starts;
      // On the table's own machine somebody has to say that the network may come in.
      if (starts ? !HERE && at("invitation").hidden : !at("invitation").hidden) at("invite").click();
    }
    at("menu").setAttribute("aria-expanded", isOpen);
    at("menu").setAttribute("aria-label", isOpen ? words("home.close") : words("home.menu"));
  }
}

function secondsFor({ latest, claim, ruling }) {
  if (claim || ruling) return SECONDS.dispute;
  return latest[0].payments.length ? SECONDS.payment : SECONDS.entry;
}

// -------------------------------------------------------------------- table

// Keeps the screen on while people play, where the browser can: on pages that came by HTTPS, or from this
// machine. A browser lets go when the page is hidden.

const IDLE_MS = 20 * 60000;  // after so long without an entry the screen may go dark

export class Awake {
  constructor() {
    this.lock = null;  // the promise of what keeps it on
    this.player = "wakeLock" in navigator ? null : new PlayedVideo();
    this.row = null;
    this.isWanted = false;
    this.idle = 0;
    document.addEventListener("visibilitychange", () => this.place());
  }

  told({ moment }) {
    const plays = Boolean(moment?.game) && !moment.finished && !isHome();
    if (plays && this.isWanted && moment.row === this.row) return;
    this.row = moment?.row;
    this.want(plays);
    clearTimeout(this.idle);
    if (plays) this.idle = setTimeout(() => this.want(false), IDLE_MS);
  }

  want(isWanted) {
    this.isWanted = isWanted;
    this.place();
  }

  async place() {
    const held = this.lock;
    this.player?.want(this.isWanted && !document.hidden);
    if (this.isWanted && !document.hidden) {
      this.lock = held ?? navigator.wakeLock?.request("screen").catch(() => null);  // null: the battery is low
    } else {
      this.lock = null;
      (await held)?.release();
    }
  }
}

// Where there is no wake lock, as on a page without HTTPS: a video without a picture that NoSleep.js plays,
// which keeps many phones on. Somebody has to choose it, as it may pause music; browsers play it only after a
// tap on each visit.

const KEEPS_ON = "keep-on";

export class PlayedVideo {
  constructor(touched = matchMedia("(pointer: coarse)").matches) {
    this.video = null;  // NoSleep.js, once it is loaded
    this.isWanted = false;
    const key = at(KEEPS_ON);
    key.hidden = !touched;
    key.addEventListener("click", () => this.choose(recall(KEEPS_ON) !== true));
    addEventListener("click", () => this.play(), { capture: true });
    this.show();
    if (recall(KEEPS_ON) === true) this.load();
  }

  show() {
    at(KEEPS_ON).setAttribute("aria-pressed", recall(KEEPS_ON) === true);
  }

  choose(on) {
    keep(KEEPS_ON, on || null);
    this.show();
    if (on) this.load();
    else this.video?.disable();
  }

  load() {
    if (this.video || document.querySelector("script[data-keeps-on]")) return;
    const script = add(document.head, "script");
    script.dataset.keepsOn = "";
    script.addEventListener("load", () => { this.video = new window.NoSleep(); });
    script.src = `${ROOT}/no_sleep.js`;
  }

  want(isWanted) {
    this.isWanted = isWanted;
    if (!isWanted && this.video?.isEnabled) this.video.disable();
  }

  play() {
    if (!this.isWanted || recall(KEEPS_ON) !== true || !this.video || this.video.isEnabled) return;
    this.video.enable().catch(() => { /* then after the next tap */ });
  }
}

// -------------------------------------------------------------------- table

// The language of the pages on this browser, if somebody wants a language other than the browser's.

const YEAR_S = 365 * 24 * 3600;

export function placeLanguage() {
  const chosen = document.getElementById("language");
  chosen.addEventListener("change", () => {
    document.cookie = `language=${chosen.value};path=${ROOT}/;max-age=${YEAR_S};samesite=strict`;
    location.reload();
  });
}

// -------------------------------------------------------------------- table

const room = matchMedia("(min-width: 84rem) and (min-height: 40rem)");
const box = placeBox(document.querySelector(".box"), () => room.matches && !isHome() && !typing() && isOn());

function isHome() {
  return document.body.classList.contains("at-home");
}

function typing() {
  return document.activeElement?.closest("input, select, textarea, .keying button") !== null;
}

// The room that a turn leaves for the line, in pixels: between scores and keys, or beside the keys.
function roomOfLine() {
  const wide = innerWidth >= 560 && innerWidth > innerHeight;
  if (wide) return [innerWidth >= 1024 ? innerWidth - 400 : innerWidth * 0.52, innerHeight - 165];
  return [innerWidth, Math.max(90, innerHeight - (innerHeight < 632 ? 385 : 480))];
}

// The shape of drawing, and the rest, that the page wants: beside the box it has less width, on a phone
// that keys less height.
function wants() {
  if (room.matches) return ["box", "landscape", ...aloud.wants];
  return [keying.plays ? shapeOf(...roomOfLine()) : shapeOf(innerWidth, innerHeight), ...aloud.wants];
}

const aloud = new Aloud({ changed: () => wire.want(wants()), seat: () => keying.role.seat, word: () => wire.token });
const keying = new Keying(() => {
  wire.want(wants());
  panels.offer();
});
new Typing(keying, () => !room.matches || typing());
const awake = new Awake();
const example = new Example((message) => {
  show(message);
  home.told(message);
  aloud.told(message, true);
}, (message) => wire.send(message));
const panels = new Panels(keying, () => home.mark());
const wire = new Wire({
  told(message) {
    if (example.holds(message)) return;
    show(message);
    home.told(message);
    awake.told(message);
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
    else if ("sitting" in message) home.hearSitting(message.sitting);
    else if ("sit" in message) panels.hearSit(message.sit);
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
const home = new Home(wire, panels, awake);
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
