// Keying on the page: passes messages and taps on to its parts. tray.js has what can be keyed, doing.js
// what OK would do, history.js earlier entries, role.js whose page this is.

import { toTurn } from "./below.js";
import { Doing } from "./doing.js";
import { History } from "./history.js";
import { SURFACE, at, keep, listed, recall, words, write } from "./parts.js";
import { askForName, readable } from "./player_names.js";
import { Role } from "./role.js";
import { offerEntries, speakTo } from "./telling.js";
import { Tray, has, nameOf, sameOf } from "./tray.js";
import { YourTurn } from "./your_turn.js";

// The two buttons for taking a photo: of the line, to check the record, and of tiles that somebody holds.
// The photo reader is loaded only once a photo was taken.

const OF_LINE = "line", OF_HOLDING = "holding";

export function placePhotographs(keying) {
  for (const what of [OF_LINE, OF_HOLDING]) {
    at(`photo-of-${what}`).addEventListener("change", async ({ target }) => {
      const [file] = target.files;
      target.value = "";  // the next photo may have the same name
      if (!file) return;
      try {
        const { photographed } = await import("./photo/photo.js");
        await photographed(file, what, keying);
      } catch (fault) {
        write("answer", words("photo.not-loaded"));
        throw fault;
      }
    });
  }
}

// Shows the buttons if a photo can be read: for tiles of a double-six set, on a page that may key.
export function offerPhotographs({ keys, moment, plays, photo }, asks) {
  const six = plays && keys.set === "double-six" && moment.table?.kind === "line";
  at("photo-line").hidden = !(six && moment.table.tiles.length);
  at("photo-holding").hidden = !(six && asks === "show");
  photo?.renew();
}

// -------------------------------------------------------------------- keying

// On a phone that keys, the drawing takes the room that the rest of the player's turn leaves on the screen.

const LEAST = 60, BELOW = 8;  // pixels
const narrow = matchMedia("(max-width: 39.99rem)");

export function fit() {
  const board = at("board"), drawing = board.querySelector("svg");
  const keys = document.querySelector(".at-hand").getBoundingClientRect();
  if (!narrow.matches || !drawing || !keys.height) {
    board.style.removeProperty("--room");
    return;
  }
  const { height } = drawing.getBoundingClientRect();
  const room = height + innerHeight - (keys.bottom + scrollY) - BELOW;
  board.style.setProperty("--room", `${Math.max(LEAST, Math.floor(room))}px`);
}

addEventListener("resize", fit);

// -------------------------------------------------------------------- keying

// Proposals to the box, each of which counts once at most: it has an identity, and the moment that the
// player saw. Nothing is kept for later: after a lost connection the page only asks what became of its last
// proposal.

export class Proposals {
  constructor() {
    this.wire = null;
    this.number = 0;
    this.pending = recall("pending", "sessionStorage");
  }

  // Proposes an act; false: there is no connection, so nothing was proposed.
  propose({ run, game, tip }, { deed, at: place, text, later_turns: turns, again = false, agreed = false, agrees }) {
    this.number += 1;
    const pending = { surface: SURFACE, run, number: this.number };
    if (!this.wire.send({ propose: { ...pending, game: game ?? 0, tip, deed, at: place, text, later_turns: turns ?? 0, again, agreed, agrees } })) return false;
    this.pending = pending;
    keep("pending", pending, "sessionStorage");
    return true;
  }

  askAgain() {
    if (!this.pending) return;
    const { surface, run, number } = this.pending;
    this.wire.send({ became: { surface, run, number } });
  }

  // Takes an answer; returns whether it is the one to the last proposal.
  answered(answer) {
    const about = this.pending;
    if (!about || about.surface !== answer.surface || about.number !== answer.number) return false;
    this.pending = null;
    keep("pending", null, "sessionStorage");
    return true;
  }
}

// -------------------------------------------------------------------- keying

// What waits for its turn until the last proposal is answered: taps, and an act that is held while there is
// no connection.

const MOST_WAITING = 8;

export class Waiting {
  constructor() {
    this.queue = [];  // {run, act, hold}
  }

  get any() {
    return this.queue.length > 0;
  }

  get full() {
    return this.queue.length >= MOST_WAITING;
  }

  add(one) {
    this.queue.push(one);
  }

  take() {
    return this.queue.shift();
  }

  clear() {
    this.queue = [];
  }

  // From now on only this waits.
  hold(run) {
    this.queue = [{ run, act: null, hold: true }];
  }

  // Keeps only the last of those that can be held; returns whether others were lost.
  keepHeld() {
    const held = this.queue.filter(({ hold }) => hold).slice(-1), lost = this.queue.length > held.length;
    this.queue = held;
    return lost;
  }

  // Drops taps that wait for a proposal that did not count, and says so.
  dropTaps() {
    const taps = this.queue.filter(({ act }) => act);
    this.queue = this.queue.filter(({ act }) => !act);
    return taps.map(({ act }) => words("keying.no-longer", { what: act.label.words }));
  }

  // How many taps on that act's key wait.
  of(act) {
    return this.queue.filter((one) => one.act && nameOf(one.act) === nameOf(act)).length;
  }
}

// -------------------------------------------------------------------- keying

// Whether a tap was meant for the key under the finger.

const SURE_MS = 450;  // a tap sooner than this after a change under the finger was meant for what was there before
const ONE_TOUCH_MS = 100;  // no finger taps the same key twice so quickly

export class Touches {
  constructor() {
    this.newAt = 0;  // when the table moved on
    this.stood = [];  // the acts that could be tapped just before the table moved on
    this.touched = { key: "", at: 0 };  // the act that was tapped last
  }

  // The table has moved on; `acts` could be tapped until now.
  moved(acts) {
    if (this.isSure) this.stood = acts;
    this.newAt = performance.now();
  }

  // Whether the tap is the same touch as the one before.
  isOne(key) {
    const before = this.touched;
    this.touched = { key, at: performance.now() };
    return before.key === key && this.touched.at - before.at < ONE_TOUCH_MS;
  }

  // Whether a tap was meant for this act, whose key may have just changed.
  meant(act) {
    return this.isSure || has(this.stood, act);
  }

  get isSure() {
    return performance.now() - this.newAt >= SURE_MS;
  }
}

// -------------------------------------------------------------------- keying

// Draws that are tapped one after the other: they are counted, and entered together.

const TOGETHER_MS = 700;  // draws that follow each other so soon are one entry

export class Draws {
  constructor(keying) {
    this.keying = keying;
    this.counted = null;  // draws being counted until no more come: {act, number, timer}
  }

  get begun() {
    return this.counted !== null;
  }

  // Counts one more draw. Draws are entered together, once no more come or something else is tapped.
  count(act) {
    const { keying } = this, before = this.stop(), seat = keying.named(act.seat);
    const number = Math.min(before + 1, act.most);
    const said = before < act.most ? words("keying.draws", { seat, number }) : words("keying.all-drawn", { seat, number });
    keying.forget();
    this.counted = { act, number, timer: setTimeout(() => this.enter(), TOGETHER_MS) };
    write("answer", said);
    keying.render();
  }

  // Ends the counting of draws; gives how many there were.
  stop() {
    const { number, timer } = this.counted ?? { number: 0 };
    clearTimeout(timer);
    this.counted = null;
    return number;
  }

  enter() {
    const { keying } = this, { act } = this.counted, number = this.stop();
    const there = sameOf(keying.keys.acts, act);
    if (!there || there.most < number) {
      write("answer", words("keying.no-longer", { what: act.label.words }));
      keying.render();
      return;
    }
    const text = number > 1 ? `${act.entry} ${number}` : act.entry;
    keying.doing.begin({ text, label: act.label.words, deed: act.deed, at: act.at, tap: true });
    keying.propose();
  }

  // How many draws have been counted on that act's key.
  of(act) {
    return this.counted && nameOf(this.counted.act) === nameOf(act) ? this.counted.number : 0;
  }
}

// -------------------------------------------------------------------- keying

// The question of another phone whether this phone's seat agrees to a ruling of the table.

export class Agreeing {
  constructor(keying) {
    this.keying = keying;
    this.asked = null;  // {number, said}; number null: `said` is how our own question was answered
    at("agree").addEventListener("click", () => this.agree());
    at("disagree").addEventListener("click", () => this.decline());
  }

  told(asked) {
    this.asked = asked;
    if (asked && asked.number === null) write("answer", asked.said.words);
  }

  agree() {
    const { number } = this.asked;
    if (!this.keying.takes(() => this.agree(), false)) return;
    this.keying.does({ agrees: number });
  }

  decline() {
    if (!this.keying.wire.send({ decline: this.asked.number })) write("answer", words("keying.no-link"));
  }

  render() {
    const number = this.asked?.number ?? null;
    at("agreeing").hidden = number === null;
    write("agree-asked", number === null ? "" : this.asked.said.words);
    at("agree").setAttribute("aria-disabled", !this.keying.taps);
  }
}

// -------------------------------------------------------------------- keying

const OF_THE_GAME = new Set(["open", "rematch", "reseat"]);

export class Keying {
  // `changed` is called when the page begins or ceases to key.
  constructor(changed) {
    this.wire = null;
    this.online = false;
    this.keys = null;
    this.moment = null;
    this.counted = 0;  // the row of the last proposal that counted: no tap is taken before a moment has that row
    this.lost = false;  // the connection was lost before the answer came
    this.quiet = false;  // the answer to the last proposal is shown only if it doesn't count
    this.waiting = new Waiting();
    this.touches = new Touches();
    this.proposals = new Proposals();
    this.role = new Role(changed, () => this.render());
    this.doing = new Doing(this);
    this.tray = new Tray(this);
    this.history = new History(this);
    this.agreeing = new Agreeing(this);
    this.draws = new Draws(this);
    this.yourTurn = new YourTurn(() => this.comeBack());
    placePhotographs(this);
    at("take-back").addEventListener("click", () => this.offer({ deed: "undo", text: "", label: at("take-back").textContent }));
    at("seats").addEventListener("click", ({ target }) => this.askName(target.closest("[data-seat]")));
    at("due-done").addEventListener("click", () => this.sayMoved());
    at("do-again").addEventListener("click", () => this.offer({ deed: "redo", text: "", label: at("do-again").textContent }));
  }

  listenTo(wire) {
    this.wire = this.proposals.wire = this.role.wire = wire;
  }

  get plays() {
    return this.role.plays;
  }

  // ------------------------------------------------------------ what the server says

  told({ moment, keys }) {
    if (!moment || !keys) return;
    const before = this.keys;
    const moved = before !== null && (before.tip !== keys.tip || before.run !== keys.run);
    const other = before !== null && (before.game !== keys.game || before.asks !== keys.asks);
    this.moment = moment;
    this.keys = keys;
    if (moved) this.touches.moved(before.acts);
    if (moved) this.tray.rest();
    if (other) this.tray.chosen = [];
    this.history.told(moment);
    const { act } = this.doing;
    if (moved && !this.proposals.pending && act) {
      // The act that was begun stays if it still means the same; its preview is asked for anew.
      if (this.means(act, other)) this.doing.askAnew();
      else this.forget();
    }
    if (this.wire && this.online) this.role.introduce(moment);
    this.render();
    this.next();
  }

  // Whether an act means the same once the table has moved on.
  means(act, other) {
    if (OF_THE_GAME.has(act.deed)) return true;
    if (act.deed === "enter") return !other && !act.tap;
    return this.history.opened !== null;
  }

  heard(message) {
    if (message.role) {
      this.role.placed(message.role);
      if (this.moment) this.role.introduce(this.moment);
      this.render();
    }
    if (message.asked !== undefined) {
      this.agreeing.told(message.asked);
      if (message.asked) this.comeBack();
      this.render();
    }
    if (message.preview && this.doing.previewed(message.preview)) {
      if (this.doing.countsAtOnce) this.propose();
      else this.render();
    }
    if (message.answer && this.proposals.answered(message.answer)) this.settle(message.answer);
  }

  linked(online) {
    const lost = this.waiting.keepHeld() || this.draws.begun;
    if (online !== this.online) write("answer", lost ? words("keying.not-sent") : "");
    this.online = online;
    this.draws.stop();
    this.counted = 0;
    if (online) {
      this.lost = Boolean(this.proposals.pending);
      this.role.sayAgain();
      this.proposals.askAgain();
      if (this.doing.act && !this.lost) this.doing.askAnew();
    }
    this.render();
  }

  settle(answer) {
    const { lost } = this;
    this.lost = false;
    if (lost && !answer.counted) this.waiting.clear();
    if (this.quiet) {
      this.quiet = false;
      if (!answer.counted) write("answer", answer.said.words);
      this.render();
      this.next();
      return;
    }
    const unsent = answer.counted ? [] : this.waiting.dropTaps();
    write("answer", [answer.said.words, ...unsent].join(". "));
    at("answer").dataset.counted = answer.asked || answer.agree || answer.counted;
    if (answer.counted) this.counted = answer.row;
    if (answer.counted) {
      this.history.close();
      if (at("panel").hidden || OF_THE_GAME.has(this.doing.act?.deed)) toTurn();
    }
    if (answer.again && this.doing.act) this.doing.askOnceMore();
    else if (answer.agree && this.doing.act) this.doing.askWhetherAllAgree();
    else if (lost && !answer.counted && this.doing.act) this.doing.askWhole();
    else if (answer.counted || answer.asked || this.doing.act?.tap) this.forget();
    else if (this.doing.act) this.doing.ask();
    this.render();
    this.next();
  }

  // ------------------------------------------------------------ what is tapped

  // Begins an act that OK would propose, and asks for its preview. `atOnce`: see doing.js.
  offer(act, atOnce = null) {
    if (!this.takes(() => this.offer(act), (act.deed ?? "enter") === "enter")) return;
    this.doing.begin(act);
    this.doing.atOnce = atOnce;
    write("answer", "");
    this.doing.ask();
    this.render();
  }

  // One tap on an act, which counts at once unless it may be regretted. A tap on a key that has just
  // changed under the finger was meant for the act that was there before.
  tap(act) {
    if (this.touches.isOne(nameOf(act))) return;
    if (!this.takes(() => this.ifStill(act), true, act)) return;
    if (this.touches.meant(act)) this.once(act);
    else write("answer", words("keying.just-changed"));
  }

  // An act that has waited counts if it can still be tapped.
  ifStill(act) {
    if (has(this.keys.acts, act)) this.once(act);
    else write("answer", words("keying.no-longer", { what: act.label.words }));
  }

  once(tapped) {
    const act = sameOf(this.keys.acts, tapped) ?? tapped;
    const { entry, label, careful, deed, at: place, most } = act;
    this.tray.chosen = [];
    if (most > 1) {
      this.draws.count(act);
      return;
    }
    if (careful) {
      this.offer({ text: entry, label: label.words, deed, at: place });
      if (most === 0) write("answer", words("keying.none-left"));
      return;
    }
    this.doing.begin({ text: entry, label: label.words, deed, at: place, tap: true });
    this.propose();
  }

  // The name by which people know a seat.
  named(seat) {
    return this.moment.seats.find((one) => one.seat === seat)?.shown ?? seat.replace(/_/g, " ");
  }

  // Asks for a player's name, as the name at a seat was tapped; a colour is no player.
  askName(card) {
    const one = this.moment?.seats.find(({ seat }) => seat === card?.dataset.seat);
    if (!one || !this.plays || one.colour === one.seat.toLowerCase()) return;
    const others = (to) => this.moment.seats.map(({ seat }) => seat === one.seat ? to : seat);
    askForName(at("renaming"), one.seat, one.shown, this, (to) => {
      const seats = others(to);
      this.offer({ deed: "people", text: seats.join(" "), label: words("players.sit", { names: listed(seats.map(readable)) }) });
    });
  }

  // Proposes at once what can simply be changed again, such as a setting.
  does(act) {
    if (!this.takes(() => this.does(act), true)) return;
    this.doing.begin({ text: "", label: "", tap: true, ...act });
    this.propose();
  }

  ok() {
    if (this.proposals.pending) return;  // the one before is still on its way
    if (!this.online) write("answer", words("keying.no-link"));
    else if (!this.canOk) write("answer", words("keying.one-moment"));
    else if (this.touches.isSure || this.doing.begunAt > this.touches.newAt) this.propose();
    else write("answer", words("keying.just-changed"));
  }

  // Tells everybody that the chips due were moved.
  sayMoved() {
    const { row } = this.moment.chips_to_move ?? {};
    if (!this.online) write("answer", words("keying.no-link"));
    else if (row) this.wire.send({ moved: { surface: SURFACE, row } });
  }

  // Marks an entry with a star, or removes it; an act that is begun stays.
  mark(name, on) {
    if (!this.takes(() => this.mark(name, on), true)) return;
    this.keepQuietly({ deed: "remember", text: `${on ? "on" : "off"} ${name}` });
  }

  // Keeps a setting; an act that is begun stays.
  keepSetting(text) {
    this.keepQuietly({ deed: "set", text });
  }

  keepQuietly(act) {
    this.quiet = this.proposals.propose(this.keys, { at: 0, ...act });
    this.render();
  }

  // Whether a tap is taken now. While an answer is awaited, the tap waits for its turn if `waits`; else the
  // page says why it isn't taken. While there is no connection, `hold` is called instead.
  takes(run, waits, act = null, hold = null) {
    if (this.draws.begun && !(act && this.draws.of(act))) this.draws.enter();
    if (this.ready || !this.keysHere) return this.ready;
    if (!this.online && hold) hold();
    else if (!this.online) write("answer", words("keying.no-link"));
    else if (!waits || this.waiting.full) write("answer", words("keying.one-moment"));
    else this.inTurn(run, act, hold);
    return false;
  }

  // Begins an act without a connection. Its preview is asked for once the connection is back, and it is
  // known what became of the act before.
  hold(act, what, run) {
    if (this.proposals.pending) this.waiting.hold(run);
    else this.doing.begin(act);
    write("answer", words("keying.held", { what }));
    this.render();
  }

  // Calls `run` once no proposal waits for an answer any more. Without a connection only what can be held
  // waits. `act`: the act whose key was tapped.
  inTurn(run, act = null, hold = null) {
    this.waiting.add({ run, act, hold });
    this.next();
    this.render();
  }

  next() {
    while (this.ready && this.waiting.any) this.waiting.take().run();
  }

  propose() {
    if (!this.proposals.propose(this.keys, this.doing.whole)) return;
    write("answer", "");
    this.render();
  }

  // Something needs the player with this phone: goes to the first screen, unless they are in the middle of
  // something.
  comeBack() {
    if (!this.doing.act && !this.history.opened && at("panel").hidden) toTurn();
  }

  drop() {
    this.forget();
    write("answer", "");
    this.render();
  }

  forget() {
    this.doing.forget();
    this.tray.chosen = [];
  }

  get ready() {
    return this.taps && !this.proposals.pending && this.counted <= this.moment.row;
  }

  get keysHere() {
    return this.plays && this.keys !== null;
  }

  // Whether taps are taken, now or in their turn.
  get taps() {
    return this.online && this.keysHere;
  }

  get canOk() {
    return this.ready && this.doing.isClear;
  }

  // ------------------------------------------------------------ what is shown

  render() {
    const { keys, moment } = this, plays = this.plays && !this.role.asks;
    document.body.classList.toggle("asks-who", this.role.asks);
    at("keying").hidden = keys === null || this.wire?.access === "watch";
    document.body.classList.toggle("keys-here", keys !== null && plays);
    offerEntries(keys !== null && plays);
    if (keys === null) return;
    this.role.render(moment.seats);
    const seat = plays ? this.role.seat : null;
    this.yourTurn.told(seat, speakTo(seat, moment, keys));
    at("keyed").hidden = at("due-done").hidden = !plays;
    if (!plays) return;
    this.tray.render();
    offerPhotographs(this, this.tray.asks);
    this.agreeing.render();
    this.history.render();
    this.doing.render();
    fit();
  }
}
