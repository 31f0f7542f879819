// What can be keyed now: tiles, cards and rows, digits, acts, which take one tap, and BOGUS.
// The server says what is asked, and in which words (docs/telling.md).

import { Cards } from "./cards.js";
import { Collected } from "./collected.js";
import { add, at, button, clear, colour, words, write } from "./parts.js";
import { Picker, same } from "./picker.js";

// Acts, which take one tap: how one is told from another.

export function nameOf({ entry, deed, at: place }) {
  return [deed, place, entry].join(" ");
}

// The one of these acts that is the same as `act`; undefined if it can't be tapped any more.
export function sameOf(acts, act) {
  return acts.find((one) => nameOf(one) === nameOf(act));
}

export function has(acts, act) {
  return sameOf(acts, act) !== undefined;
}

// -------------------------------------------------------------------- tray

// A number that is asked for: a key each if there are few numbers, else digits to be typed.

const QUICK = 10;  // up to so many numbers have a key each

export class Numbers {
  constructor(tray) {
    this.tray = tray;
    at("numbers").addEventListener("submit", (event) => {
      event.preventDefault();
      this.enter(at("digits").value.trim());
    });
  }

  get asked() {
    const { numbers } = this.tray.keying.keys;
    return numbers.find(({ name }) => name === at("kind").value) ?? numbers[0];
  }

  // Whether each number that may be asked for has a key of its own.
  get allQuick() {
    const { numbers } = this.tray.keying.keys, [only] = numbers;
    return numbers.length === 1 && Boolean(only.step) && only.most / only.step <= QUICK;
  }

  enter(digits) {
    const { tray, asked } = this, { keying } = tray;
    if (!keying.takes(() => this.enter(digits), true)) return;
    if (!asked || !/^[0-9][0-9 ]*$/.test(digits) || !tray.keyedForSomebody()) return;
    tray.chosen = [];
    const text = asked.digits ? [...digits.replace(/ /g, "")].join(" ") : digits.replace(/ /g, "");
    keying.offer({ text: `${tray.written(asked.before)} ${text}`, label: "" });
  }

  // Shows the digits for a number that is asked for, among the `first` things if nothing else is asked.
  render(open, first) {
    const { keys, taps } = this.tray.keying, select = at("kind");
    const form = at("numbers"), place = first ? at("number-first") : at("number-else");
    if (form.parentElement !== place) place.prepend(form);
    form.hidden = !open || !keys.numbers.length || (first && this.allQuick);
    const kinds = JSON.stringify(keys.numbers);
    if (select.dataset.kinds !== kinds) {
      select.dataset.kinds = kinds;
      clear(select);
      for (const { name, label } of keys.numbers) add(select, "option", "", label.words).value = name;
      at("digits").value = "";
    }
    const quick = at("quick"), { most = -1, step = 1 } = this.asked ?? {}, least = step > 1 ? step : 0;
    const some = first && open ? Math.min(QUICK, Math.floor((most - least) / step) + 1) : 0;
    quick.hidden = !some;
    const drawn = `${some} ${step} ${taps}`;
    if (quick.dataset.drawn === drawn) return;
    quick.dataset.drawn = drawn;
    clear(quick);
    for (let place = 0; place < some; place += 1) {
      const number = least + place * step, label = step > 1 ? `+${number}` : String(number);
      const key = button(quick, "digit", label, () => this.enter(String(number)));
      key.setAttribute("aria-disabled", !taps);
    }
  }
}

// -------------------------------------------------------------------- tray

// The key BOGUS: who calls whom.

export class Calls {
  constructor(tray) {
    this.tray = tray;
    this.asks = false;  // whether BOGUS was tapped, so that the page asks who calls whom
    at("call").addEventListener("click", () => this.call());
  }

  rest() {
    this.asks = false;
  }

  get possible() {
    const { keys, role } = this.tray.keying;
    return keys.acts.filter((act) => act.name === "bogus" && role.mayKey(act));
  }

  // BOGUS was tapped: makes the only possible call, or asks who calls whom.
  call() {
    const { possible } = this, { keying } = this.tray;
    if (!possible.length) write("answer", words("keying.no-call"));
    else if (possible.length === 1) keying.tap(possible[0]);
    else this.asks = !this.asks;
    keying.render();
  }

  render() {
    const { possible, tray } = this, { keying } = tray, open = this.asks && possible.length > 1;
    at("call").hidden = !possible.length && !keying.keys.calls;
    at("call").setAttribute("aria-disabled", !keying.taps || !possible.length);
    at("call").setAttribute("aria-expanded", open);
    at("calls").hidden = !open;
    tray.renderActs(at("calls"), open ? possible : []);
  }
}

// -------------------------------------------------------------------- tray

const COLLECTS = new Set(["show", "collect"]);
const THEIR_OWN = new Set([  // acts of the seat that they name, as the server has it, too
  "draw", "draw-of", "pass", "pass-of", "return", "out", "out-early", "out-first", "one-tile", "one-tile-of",
]);

export class Tray {
  constructor(keying) {
    this.keying = keying;
    this.chosen = [];  // tiles or cards
    this.seat = null;  // the seat chosen to key for, if there are several
    this.without = false;  // whether the tiles to be collected are left open
    this.forOther = false;  // whether to key here for a seat that has its own phone, as the house lets anybody key
    this.picker = new Picker((tile) => this.tap(tile));
    this.picker.changed = () => keying.render();
    this.cards = new Cards((card) => this.collect(card));
    this.collected = new Collected(this);
    this.numbers = new Numbers(this);
    this.calls = new Calls(this);
    at("again").addEventListener("click", () => {
      keying.offer({ deed: "rematch", text: "", label: at("again").textContent });
    });
    at("for-other").addEventListener("click", () => this.keyForOther());
    at("way").addEventListener("click", () => {
      const { text, label } = keying.keys.way;
      keying.offer({ deed: "set", text, label: label.words });
    });
    at("holds").addEventListener("click", () => this.enterCollected());
    at("skip").addEventListener("click", () => this.skip());
  }

  // Forgets what was chosen, as the table has moved on.
  rest() {
    this.seat = null;
    this.without = false;
    this.calls.rest();
    this.forOther = false;
    this.picker.rest();
  }

  get asks() {
    const { asks } = this.keying.keys;
    return asks === "collect" && this.without ? "lay" : asks;
  }

  // The seats that may be keyed for: those that the table asks, else all.
  get seats() {
    const { keys, moment } = this.keying;
    if (keys.seats.length) return keys.seats;
    return keys.seat ? [keys.seat] : moment.seats.map(({ seat }) => seat);
  }

  // The seat that a tap is for: the chosen one, else this phone's own, else the one to move.
  get who() {
    const { keys, role } = this.keying, { seats } = this;
    return [this.seat, role.seat].find((seat) => seats.includes(seat)) ?? keys.seat;
  }

  // ------------------------------------------------------------ what is tapped

  tap(tile) {
    const { keying } = this;
    if (COLLECTS.has(this.asks)) {
      this.collect(tile);
      return;
    }
    if (!keying.takes(() => this.tap(tile), true, null, () => this.hold(tile))) return;
    if (!this.keyedForSomebody()) return;
    this.chosen = [tile];
    keying.offer(this.lay(tile));
  }

  lay(tile) {
    return { text: `${this.who} ${tile}`, label: "", begun: true };
  }

  // Chooses a tile that was tapped while the connection was gone; its preview is asked for once it is back.
  hold(tile) {
    if (!this.keyedForSomebody()) return;
    this.chosen = [tile];
    this.keying.hold(this.lay(tile), tile, () => this.tap(tile));
  }

  // Adds a tile or card to those collected, or takes it off again. A card of a row stays, as a joker may be
  // in it twice.
  collect(tile) {
    const { keying } = this;
    if (!keying.takes(() => this.collect(tile), true, null, () => this.toggle(tile))) return;
    this.toggle(tile);
  }

  toggle(tile) {
    const { keying } = this, most = keying.keys.collects?.number ?? Infinity;
    const there = keying.keys.asks === "row" ? undefined : this.chosen.find((one) => same(one, tile));
    let chosen = this.chosen;
    if (there) chosen = chosen.filter((one) => one !== there);
    else if (chosen.length < most) chosen = [...chosen, tile];
    this.choose(chosen);
  }

  choose(chosen) {
    this.keying.forget();
    this.chosen = chosen;
    this.keying.render();
  }

  enterCollected() {
    const { keying } = this, { collects } = keying.keys;
    if (!keying.takes(() => this.enterCollected(), false)) return;
    if (!this.isWhole || !this.keyedForSomebody()) return;
    keying.offer({ text: [this.written(collects.before), ...this.chosen].join(" "), label: "", begun: true });
  }

  skip() {
    if (!this.keying.takes(() => this.skip(), false)) return;
    this.choose([]);
    this.without = true;
    this.keying.render();
  }

  enterRow(row) {
    if (!this.keying.takes(() => this.enterRow(row), false)) return;
    if (!this.keyedForSomebody()) return;
    this.chosen = [];
    this.keying.offer({ text: this.written(row.before), label: "", begun: true });
  }

  get isWhole() {
    const { collects } = this.keying.keys;
    return Boolean(collects) && (collects.number === null || collects.number === this.chosen.length);
  }

  written(before) {
    return before.replace("{seat}", this.who);
  }

  keyedForSomebody() {
    if (this.who) return true;
    write("answer", words("keying.who"));
    return false;
  }

  // Whether the question is for no seat in particular, such as for the tiles that lie face up.
  get isAnybodys() {
    return this.asks === "collect" && !this.keying.keys.collects.before.includes("{seat}");
  }

  // The question, if the headline doesn't ask it already.
  get question() {
    const { keys, moment } = this.keying;
    if (keys.collects?.turns) return words("keying.left-to-right");
    return keys.question && keys.question.words !== moment.asked.words ? keys.question.words : "";
  }

  // Whether an act is for a seat that keys on another phone of its own.
  isElsewhere({ name, seat }) {
    return THEIR_OWN.has(name) && this.keysElsewhere(seat ?? this.keying.keys.seat);
  }

  // Whether the seat keys on its own phone, and nobody has chosen to key for it here.
  keysElsewhere(seat) {
    return !this.forOther && this.seat !== seat && this.keying.role.keysElsewhere(seat);
  }

  // Whether the seat may be chosen to key for, by the same rule as the server's.
  mayChoose(seat) {
    const { keys, role } = this.keying;
    return keys.anybody || !role.keysElsewhere(seat);
  }

  keyForOther() {
    this.forOther = true;
    this.keying.render();
  }

  // ------------------------------------------------------------ what is shown

  render() {
    const { keys, moment, role, taps } = this.keying, { asks } = this;
    const other = !this.isAnybodys && this.keysElsewhere(this.who), open = !other && asks !== null;
    const question = this.question;
    at("question").hidden = !open || !question || asks !== keys.asks;
    write("question", question);
    const tiles = open && Object.keys(keys.tiles).length > 0;
    at("picker").hidden = !tiles;
    if (tiles) this.picker.show(keys, this.chosen, false);
    document.body.classList.toggle("collects", open && asks === "collect");
    at("rows").hidden = at("by-cards").hidden = !(open && asks === "row");
    if (open && asks === "row") this.renderRows();
    this.renderCollected(open && (COLLECTS.has(asks) || asks === "row"));
    this.renderSeats(open && this.seats.length > 1);
    this.numbers.render(open, asks === "number");
    const acts = keys.acts.filter((act) => role.mayKey(act) && !this.isElsewhere(act));
    this.renderActs(at("acts"), acts.filter(({ main }) => main));
    this.renderActs(at("more-acts"), acts.filter(({ main, name }) => !main && name !== "bogus"));
    this.calls.render();
    at("for-other").hidden = !(other && keys.anybody && asks !== null);
    if (other) write("for-other", words("keying.for-other", { seat: this.keying.named(this.who) }));
    at("again").hidden = !moment.finished;
    at("again").textContent = moment.match?.next?.words ?? words("keying.again");
    at("again").setAttribute("aria-disabled", !this.keying.taps);
    at("more-ways").hidden = moment.game === null;
    this.renderChange("take-back", moment.undo && words("keying.take-back", { change: moment.undo.words }));
    if (moment.undo) {
      at("take-back").setAttribute("aria-label", at("take-back").textContent);
      write("take-back", words("keying.undo"));
    }
    this.renderChange("do-again", moment.redo && words("keying.do-again", { change: moment.redo.words }));
    this.renderChange("way", keys.way?.label.words);
  }

  renderRows() {
    const { keys, taps } = this.keying, place = at("rows");
    const drawn = JSON.stringify([keys.rows, taps]);
    if (place.dataset.drawn !== drawn) {
      place.dataset.drawn = drawn;
      clear(place);
      for (const row of keys.rows) {
        const key = button(place, "row", "", () => this.enterRow(row));
        add(key, "span", "", row.label.parts.row);
        add(key, "b", "", row.label.parts.points);
        key.dataset.row = row.name;
        key.setAttribute("aria-label", row.label.words);
        key.setAttribute("aria-disabled", !taps);
      }
    }
    const text = this.keying.doing.act?.text ?? "";
    for (const key of place.children) key.setAttribute("aria-pressed", text.split(" ").includes(key.dataset.row));
    this.cards.show(this.chosen, !taps);
  }

  renderCollected(any) {
    const { keys, taps } = this.keying, { chosen } = this;
    this.collected.show(any ? chosen : [], keys.collects, !taps);
    at("holds").hidden = !any || (keys.asks === "row" && !chosen.length);
    at("skip").hidden = !(any && keys.asks === "collect" && !chosen.length);
    if (!any) return;
    const { label, number: most } = keys.collects, what = label.words;
    let said = words("keying.none", { what });
    if (chosen.length) said = words("keying.collected", { what, tiles: chosen.join(" ") });
    if (most !== null) said = words("keying.so-many", { what, number: chosen.length, most });
    at("holds").textContent = said;
    at("holds").setAttribute("aria-disabled", !taps || !this.isWhole);
  }

  renderSeats(any) {
    const { keying } = this, place = at("whose");
    place.hidden = !any;
    clear(place);
    if (!any) return;
    for (const seat of keying.moment.seats.filter((one) => this.seats.includes(one.seat) && this.mayChoose(one.seat))) {
      const key = button(place, "choice", seat.shown, () => {
        this.seat = seat.seat;
        write("answer", "");
        keying.forget();
        keying.render();
      });
      colour(key, seat.colour);
      key.setAttribute("aria-pressed", this.who === seat.seat);
    }
  }

  // Shows the acts as keys. A key that stays is left as it is, since a finger may be on it.
  renderActs(place, acts) {
    const { keying } = this, names = acts.map(nameOf);
    for (const key of [...place.children]) if (!names.includes(key.dataset.act)) key.remove();
    acts.forEach((act, number) => {
      const there = [...place.children].find((one) => one.dataset.act === names[number]);
      const key = there ?? button(place, `act ${act.name}`, act.label.words, () => keying.tap(act));
      key.dataset.act = names[number];
      if (place.children[number] !== key) place.insertBefore(key, place.children[number]);
      const drawn = keying.draws.of(act), what = act.label.words;
      const label = drawn ? words("keying.draw-key", { what, number: drawn }) : what;
      if (key.textContent !== label) key.textContent = label;
      key.setAttribute("aria-disabled", !keying.taps);
      const waits = keying.waiting.of(act);
      if (waits) key.dataset.waits = waits;
      else delete key.dataset.waits;
    });
  }

  renderChange(id, said) {
    at(id).hidden = !said;
    at(id).textContent = said ?? "";
    at(id).setAttribute("aria-disabled", !this.keying.taps);
  }
}
