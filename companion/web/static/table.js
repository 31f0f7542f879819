// The table's page: the table, the keys for entering and, if there is room, the box beside it.

import { Aloud } from "./aloud.js";
import { placeBox } from "./box.js";
import { MAY_BE_LOCAL, Connection, placeCodeForm, placeAdmitTv, placePhones, showCodeForm } from "./connection.js";
import { ROOT, add, at, clear, colour, keep, placeMotion, recall, words, write } from "./elements.js";
import { Typing, isOn } from "./keyboard.js";
import { Keying, placeBelow } from "./keying.js";
import { Panels } from "./panels.js";
import { addCodeToLinks, placeStars, shapeOf, show, showClock, showConnectionState, showWin, watchForWin } from "./show_moment.js";

// An example evening that plays by itself while nobody plays: moments of a stored game, shown like the
// table's. It ends when a game is on the table, or when somebody stops it.

const SECONDS = { entry: 2, payment: 4.5, dispute: 6 };

export class Example {
  // `show` shows a message of the server; `ask` sends one.
  constructor(show, ask) {
    this.show = show;
    this.ask = ask;
    this.number = 0;   // of the moment that is shown; 0: none
    this.table = null; // the table's newest message, which is held back meanwhile
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

  // Whether to hold back the table's message because the example is shown and the table has no game.
  holds(message) {
    this.table = message;
    if (!this.number) return false;
    if (message.moment?.game) {
      this.stop();
      return false;
    }
    this.continueAfter(0);  // the connection may have been lost
    return true;
  }

  play({ moment, drawing, last }) {
    if (!this.number || !this.table) return;
    this.show({ version: this.table.version, drawing, moment });
    this.number = moment.entry;
    if (this.number < last) this.continueAfter(secondsFor(moment));
  }

  continueAfter(seconds) {
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

// The home screen, shown while there is no game, and before a game of another evening continues. It has the
// ways to begin; everything else is in its menu.

export class Home {
  constructor(connection, panels, awake) {
    this.connection = connection;
    this.panels = panels;
    this.awake = awake;
    this.moment = null;
    this.starts = false;  // whether a new game is being set up on this page
    this.sitting = null;  // who sits down, according to another page
    this.sat = null;  // the module that shows this, once loaded
    this.row = null;  // the newest row of the game that is continued on this page
    at("menu").addEventListener("click", () => this.openMenu(!this.isOpen));
    at("go-on").addEventListener("click", () => {
      this.row = this.moment.row;
      this.update({ moment: this.moment });
      this.awake.update({ moment: this.moment });
    });
    addEventListener("keydown", (event) => event.key === "Escape" && this.isOpen && this.openMenu(false));
  }

  get isOpen() {
    return document.body.classList.contains("in-menu") || this.panels.name === "new";
  }

  // Opens the menu, or closes it or any panel over the home screen.
  openMenu(opens) {
    document.body.classList.toggle("in-menu", opens);
    if (!opens && this.panels.name) this.panels.open(this.panels.name);
    this.mark();
    scrollTo(0, 0);
  }

  // Shows who sits down according to another page. A page that took a seat enters for it once the game
  // begins.
  async hearSitting(sitting) {
    this.sitting = sitting;
    if (!sitting && !this.sat) return;
    this.sat = await import("./sit_down.js").catch(() => null);  // null if the connection is lost
    this.update({ moment: this.moment });
  }

  // Takes the role of the seat that this page requested, in a game that has just begun.
  takeSeat({ game, finished, seats }) {
    const seat = game && !finished && this.sat?.seatOf(seats.map((one) => one.seat));
    if (seat) this.panels.keying.role.wish(`seat ${seat}`);
  }

  update({ moment }) {
    if (!moment) return;
    const isNew = this.moment && this.moment.number !== moment.number;
    this.moment = moment;
    if (isNew) this.takeSeat(moment);
    const rests = moment.game && this.connection.rests?.row === moment.row && this.row !== moment.row;
    const sits = Boolean(this.sitting) && (rests || !moment.game || moment.finished);
    const isHome = Boolean(rests) || !moment.game || sits;
    this.sat?.showSitting(sits ? this.sitting : null, this.connection);
    document.body.classList.toggle("sits", sits);
    document.body.classList.toggle("at-home", isHome);
    if (!isHome) document.body.classList.remove("in-menu");
    at("welcome").hidden = !isHome;
    at("watch-example").hidden = Boolean(moment.game);
    at("go-on").hidden = !rests || moment.finished;
    if (rests) this.renderGame(moment);
    this.mark();
  }

  // Fills the key that continues a game with its text and the score of each seat.
  renderGame({ seats }) {
    const key = at("go-on");
    clear(key);
    add(key, "b", "", this.connection.rests.said);
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
      // On the table's own machine the network gets access only after a tap.
      if (starts ? !MAY_BE_LOCAL && at("invitation").hidden : !at("invitation").hidden) at("invite").click();
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

// Keeps the screen on while people play, if the browser can: on pages over HTTPS, or from this machine.
// Browsers release the lock when the page is hidden.

const IDLE_MS = 20 * 60000;  // after this time without an entry the screen may go dark

export class Awake {
  constructor() {
    this.lock = null;  // the promise of the wake lock
    this.player = "wakeLock" in navigator ? null : new PlayedVideo();
    this.row = null;
    this.isWanted = false;
    this.idle = 0;
    document.addEventListener("visibilitychange", () => this.place());
  }

  update({ moment }) {
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
      this.lock = held ?? navigator.wakeLock?.request("screen").catch(() => null);  // null if the battery is low
    } else {
      this.lock = null;
      (await held)?.release();
    }
  }
}

// A replacement where there is no wake lock, as on pages without HTTPS: NoSleep.js plays an empty video,
// which keeps many phones on. It has to be turned on, as it may pause music; browsers play it only after a
// tap on each visit.

const KEEPS_ON = "keep-on";

export class PlayedVideo {
  constructor(touched = matchMedia("(pointer: coarse)").matches) {
    this.video = null;  // NoSleep.js, once loaded
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

// Lets people choose another language than the browser's for the pages in this browser.

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

// The space for the line during a turn, in pixels: between scores and keys, or beside the keys.
function roomOfLine() {
  const wide = innerWidth >= 560 && innerWidth > innerHeight;
  if (wide) return [innerWidth >= 1024 ? innerWidth - 400 : innerWidth * 0.52, innerHeight - 165];
  return [innerWidth, Math.max(90, innerHeight - (innerHeight < 632 ? 385 : 480))];
}

// What the page wants to see, with the shape of the drawing: beside the box there is less width, on a phone
// that enters less height.
function wants() {
  if (room.matches) return ["box", "landscape", ...aloud.wants];
  return [keying.plays ? shapeOf(...roomOfLine()) : shapeOf(innerWidth, innerHeight), ...aloud.wants];
}

const aloud = new Aloud({ changed: () => connection.setWants(wants()), seat: () => keying.role.seat, word: () => connection.token });
const keying = new Keying(() => {
  connection.setWants(wants());
  panels.offer();
});
new Typing(keying, () => !room.matches || typing());
const awake = new Awake();
const example = new Example((message) => {
  show(message);
  home.update(message);
  aloud.update(message, true);
}, (message) => connection.send(message));
const panels = new Panels(keying, () => home.mark());
const connection = new Connection({
  onMoment(message) {
    if (example.holds(message)) return;
    show(message);
    home.update(message);
    awake.update(message);
    if (at("seal")) write("seal", message.sealed ?? "");  // on a hub's page
    keying.update(message);
    aloud.update(message);
    panels.update(message);
    watchForWin(message, connection);
  },
  onMessage(message) {
    if ("voice" in message) aloud.speak(message.voice);
    else if ("invite" in message || "word" in message) phones.handleMessage(message);
    else if ("example" in message) example.play(message.example);
    else if ("silent" in message) write("silent", message.silent);
    else if ("panel" in message) showPanel(message.panel);
    else if ("club" in message) panels.hearClub(message.club);
    else if ("sitting" in message) home.hearSitting(message.sitting);
    else if ("sit" in message) panels.hearSit(message.sit);
    else if ("taken" in message) home.sat?.hearTaken(message.taken, connection);
    else if ("left_s" in message) showClock(message.left_s);
    else keying.handleMessage(message);
  },
  onPicture: box.onPicture,
  onState(name, text) {
    showConnectionState(name, text);
    showCodeForm(name);
    box.onState(name, text);
    keying.setConnected(name === "connected");
    if (name === "connected") {
      aloud.onConnected();
      panels.onConnected();
      phones.onConnected();
      askToAdmitTv();
    }
  },
}, { wants: wants(), watchful: true });

function showPanel(told) {
  if (told.name === "older") keying.history.addOlder(told);
  else if (told.name === "win") showWin(told);
  else panels.handlePanel(told);
}

placeStars((name, on) => keying.mark(name, on));
const home = new Home(connection, panels, awake);
box.listenTo(connection);
keying.listenTo(connection);
addEventListener("resize", () => connection.setWants(wants()));
placeMotion();
placeBelow();
placeLanguage();
addCodeToLinks();
placeCodeForm("play", connection);
const phones = placePhones(connection);
const askToAdmitTv = placeAdmitTv(connection);
