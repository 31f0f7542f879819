// The keys for what can be entered now: tiles, cards and rows, digits, acts, which take one tap, and BOGUS.
// The server sends what is asked, with all texts (docs/telling.md).

import { add, at, button, clear, colour, keep, recall, tilesCalled, words, write } from "./elements.js";

// Shows the tiles or cards collected so far for one entry, in order. A tap removes one. If it matters
// which half is on top, a tap turns the tile over instead, and only the picker removes it.

export class Collected {
  constructor(tray) {
    this.tray = tray;
  }

  show(chosen, collects, off) {
    const place = at("collected");
    place.hidden = !chosen.length;
    const drawn = JSON.stringify([chosen, off]);
    if (place.dataset.drawn === drawn) return;
    place.dataset.drawn = drawn;
    clear(place);
    chosen.forEach((one, number) => {
      const key = button(place, "", "", () => off || this.tap(number, collects));
      if (one.includes("-")) {
        key.className = collects.turns ? "tile upright" : "tile";
        key.append(face(one));
        key.setAttribute("aria-label", collects.turns ? words("keying.turn-over", { tile: tilesCalled(one) }) : words("keying.take-off", { tile: tilesCalled(one) }));
      } else {
        key.className = `card ${colourOf(one[1] ?? "")}`;
        key.textContent = shown(one);
        key.setAttribute("aria-label", words("keying.take-off", { tile: named(one) }));
      }
      key.setAttribute("aria-disabled", off);
    });
  }

  tap(number, { turns }) {
    const { chosen } = this.tray;
    const turned = chosen[number].split("-").reverse().join("-");
    this.tray.choose(turns ? chosen.map((one, at) => (at === number ? turned : one)) : chosen.filter((_, at) => at !== number));
  }
}

// -------------------------------------------------------------------- cards

// The cards of High Five! with tiles. A suit stays chosen until another one is tapped; a tap on a value picks
// the card.

const SUITS = { s: "♠", h: "♥", c: "♣", d: "♦" };
const NAMES = {
  s: () => words("card.s"),
  h: () => words("card.h"),
  c: () => words("card.c"),
  d: () => words("card.d"),
};
const VALUES = [..."AKQJT98765432"];
const JOKER = "X";

// `tap` is called with the tapped card, as written in tallies.
export class CardPicker {
  constructor(tap) {
    this.tap = tap;
    this.suit = "s";
  }

  show(chosen, off) {
    const suits = at("suits"), drawn = JSON.stringify([this.suit, chosen, off]), place = at("cards");
    if (place.dataset.drawn === drawn) return;
    place.dataset.drawn = drawn;
    clear(place);
    clear(suits);
    for (const suit of Object.keys(SUITS)) {
      const key = button(suits, `suit ${colourOf(suit)}`, SUITS[suit], () => {
        this.suit = suit;
        this.show(chosen, off);
      });
      key.setAttribute("aria-label", NAMES[suit]());
      key.setAttribute("aria-pressed", suit === this.suit);
    }
    this.add(suits, JOKER, "joker", chosen, off);
    for (const value of VALUES) this.add(place, value + this.suit, `card ${colourOf(this.suit)}`, chosen, off);
  }

  add(place, card, kind, chosen, off) {
    const key = button(place, kind, shown(card), () => off || this.tap(card));
    key.dataset.card = card;
    key.setAttribute("aria-label", named(card));
    key.setAttribute("aria-pressed", chosen.includes(card));
    key.setAttribute("aria-disabled", off);
  }
}

// A card as people write it: K♣ for Kc.
export function shown(card) {
  if (card === JOKER) return "★";
  return (card[0] === "T" ? "10" : card[0]) + SUITS[card[1]];
}

export function colourOf(suit) {
  return "hd".includes(suit) ? "red" : "black";
}

export function named(card) {
  if (card === JOKER) return words("card.joker");
  return words("card.named", { value: card[0] === "T" ? "10" : card[0], suit: NAMES[card[1]]() });
}

// -------------------------------------------------------------------- tiles

// The tiles of a set as buttons, each always in the same place. In the large set the player taps a half
// first, then one of the tiles with it.

const SVG = "http://www.w3.org/2000/svg";
const CORNERS = [[-1, -1], [1, 1], [-1, 1], [1, -1]], ALONG = [[0, -1], [0, 1]], ACROSS = [[-1, 0], [1, 0]];
const PIPS = [
  [], [[0, 0]], CORNERS.slice(0, 2), [...CORNERS.slice(0, 2), [0, 0]], CORNERS, [...CORNERS, [0, 0]],
  [...CORNERS, ...ALONG], [...CORNERS, ...ALONG, [0, 0]], [...CORNERS, ...ALONG, ...ACROSS],
  [...CORNERS, ...ALONG, ...ACROSS, [0, 0]],
];
const HIGHEST = 15;  // the highest number of the large set
const LARGE = "double-fifteen";

// Four rows of seven tiles: each row begins with the tiles of a high half, and low tiles fill the rest.
const DOUBLE_SIX = [6, 5, 4, 3].flatMap((high) => {
  const fill = { 6: [], 5: ["0-0"], 4: ["1-1", "1-0"], 3: ["2-2", "2-1", "2-0"] }[high];
  return [...down(high).map((low) => `${high}-${low}`), ...fill];
});
const ORDER = {
  "double-six": DOUBLE_SIX,
  highrise: [...DOUBLE_SIX, ...down(6).map((low) => `W-${low}`), "W-W"],
  [LARGE]: [],
};

// Shows the state of each tile, and the chosen ones; `tap` is called with the tapped tile.
export class TilePicker {
  constructor(tap, place = "tiles", halves = "halves") {
    this.tap = tap;
    this.place = place;
    this.halves = halves;
    this.set = null;
    this.half = null;  // the half whose tiles are shown, in the large set
    this.buttons = new Map();
  }

  // Forgets the half that was tapped.
  reset() {
    this.half = null;
  }

  show({ set, tiles, stands }, chosen, off) {
    const large = set === LARGE;
    const order = large ? this.withHalf() : ORDER[set] ?? [];
    const drawn = `${set} ${this.half}`;
    if (at(this.place).dataset.drawn !== drawn) this.draw(set, order, drawn);
    at(this.halves).hidden = !large;
    at(this.place).hidden = !order.length;
    if (large) this.showHalves(tiles, stands, off);
    for (const [tile, key] of this.buttons) {
      const how = tiles[tile] ?? "apart";
      key.dataset.stands = how;
      key.setAttribute("aria-label", [tilesCalled(tile), stands[how]?.words].filter(Boolean).join(", "));
      key.setAttribute("aria-pressed", chosen.some((one) => same(one, tile)));
      key.setAttribute("aria-disabled", off || how === "laid");
    }
  }

  withHalf() {
    if (this.half === null) return [];
    return down(HIGHEST).reverse().map((other) => [this.half, other].sort((a, b) => b - a).join("-"));
  }

  draw(set, order, drawn) {
    const place = at(this.place);
    place.dataset.drawn = drawn;
    place.dataset.set = set;
    clear(place);
    this.buttons.clear();
    for (const tile of order) {
      const key = button(place, "tile", "", () => key.dataset.stands === "laid" || this.tap(tile));
      key.dataset.tile = tile;
      key.append(face(tile));
      this.buttons.set(tile, key);
    }
  }

  // Shows the halves of the large set: highlighted if one of its tiles captures something, pale if all its
  // tiles are gone.
  showHalves(tiles, stands, off) {
    const place = at(this.halves);
    if (!place.firstChild) {
      for (const half of down(HIGHEST).reverse()) {
        button(place, "half", String(half), () => {
          this.half = this.half === half ? null : half;
          this.changed();
        }).dataset.half = half;
      }
    }
    for (const key of place.children) {
      const half = Number(key.dataset.half);
      const hows = Object.entries(tiles).filter(([tile]) => tile.split("-").includes(String(half))).map(([, how]) => how);
      const how = ["fits", "free", "laid"].find((each) => hows.includes(each)) ?? "laid";
      key.dataset.stands = how;
      key.setAttribute("aria-label", words("keying.half", { half, stands: stands[how]?.words ?? "" }));
      key.setAttribute("aria-pressed", half === this.half);
      key.setAttribute("aria-disabled", off);
    }
  }
}

// Whether two names mean the same tile, such as 6-3 and 3-6.
export function same(one, other) {
  return one === other || one.split("-").reverse().join("-") === other;
}

export function face(tile) {
  const svg = shape("svg", { viewBox: "0 0 44 24", "aria-hidden": "true" });
  svg.append(shape("rect", { class: "bone", x: 1, y: 1, width: 42, height: 22, rx: 4 }));
  svg.append(shape("line", { class: "bar", x1: 22, y1: 5, x2: 22, y2: 19 }));
  tile.split("-").forEach((half, side) => svg.append(...marks(half, 11.8 + 20.4 * side)));
  return svg;
}

function marks(half, middle) {
  const pips = PIPS[half];
  if (pips) return pips.map(([x, y]) => shape("circle", { class: "pip", cx: middle + 5.6 * y, cy: 12 + 5.6 * x, r: 1.9 }));
  const numeral = shape("text", { class: "numeral", x: middle, y: 16.6 });
  numeral.textContent = half;
  return [numeral];
}

function shape(name, values) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
  return made;
}

function down(high) {
  return [...Array(high + 1).keys()].reverse();
}

// -------------------------------------------------------------------- acts

// Acts are entries that take one tap. This name identifies one.

export function nameOf({ entry, deed, at: place }) {
  return [deed, place, entry].join(" ");
}

// The act among `acts` that equals `act`; undefined if it is no longer possible.
export function sameOf(acts, act) {
  return acts.find((one) => nameOf(one) === nameOf(act));
}

export function has(acts, act) {
  return sameOf(acts, act) !== undefined;
}

// -------------------------------------------------------------------- numbers

// Numbers to enter: as keys if there are only a few, else as typed digits.

const QUICK = 10;  // the most numbers that get a key each
const PLAYS_BY = "plays-by", WAYS = ["ends", "count"], MOST_DIGITS = 8;
const WAY_WORDS = {
  null: () => words("keying.by-tile"),
  ends: () => words("keying.by-ends"),
  count: () => words("keying.by-count"),
};

// Whether the text before a number or tiles includes the seat to which they belong.
const isSomebodys = (before) => before.includes("{seat}");

export class Numbers {
  constructor(tray) {
    this.tray = tray;
    this.typed = "";  // the digits tapped so far for a play
    at("numbers").addEventListener("submit", (event) => {
      event.preventDefault();
      this.enter(at("digits").value.trim());
    });
  }

  get asked() {
    const { numbers } = this.tray.keying.keys;
    return numbers.find(({ name }) => name === at("kind").value) ?? numbers[0];
  }

  // Whether the requested numbers have a key each.
  get allQuick() {
    const { numbers } = this.tray.keying.keys, [only] = numbers;
    return numbers.length === 1 && Boolean(only.step) && only.most / only.step <= QUICK;
  }

  enter(digits) {
    const { tray, asked } = this, { keying } = tray;
    if (!keying.accepts(() => this.enter(digits), true)) return;
    if (!asked || !/^[0-9][0-9 ]*$/.test(digits)) return;
    if (isSomebodys(asked.before) && !tray.keyedForSomebody()) return;
    tray.chosen = [];
    const text = asked.digits ? [...digits.replace(/ /g, "")].join(" ") : digits.replace(/ /g, "");
    keying.offer({ text: `${tray.written(asked.before)} ${text}`, label: "" });
  }

  // The digits with which this phone enters a play: the open ends after it, or their count; null if by its
  // tile.
  get way() {
    const { asks, keying } = this.tray, name = recall(PLAYS_BY);
    return asks === "lay" ? keying.keys.numbers.find((one) => WAYS.includes(one.name) && one.name === name) ?? null : null;
  }

  choose(name) {
    keep(PLAYS_BY, name);
    this.typed = "";
    this.tray.keying.drop();
    scrollTo(0, 0);
  }

  // Adds a digit for the play, or removes the last one (null), and shows the act that the digits give.
  type(digit) {
    const { tray, way } = this, { keying } = tray;
    if (!keying.accepts(() => this.type(digit), true)) return;
    if (!way || !tray.keyedForSomebody()) return;
    const typed = digit === null ? this.typed.slice(0, -1) : this.typed + digit;
    keying.drop();
    this.typed = typed.slice(0, MOST_DIGITS);
    if (!this.typed) return;
    const text = way.digits ? [...this.typed].join(" ") : String(Number(this.typed));
    keying.offer({ text: `${tray.written(way.before)} ${text}`, label: this.typed });
  }

  // Shows the digits with which a play is entered.
  renderWay(open, byDigits) {
    const { tray, way } = this, { keys, taps, begunAct } = tray.keying, quick = at("quick"), ways = at("play-by");
    if (!begunAct.act) this.typed = "";
    const names = keys.asks === "lay" && open ? WAYS.filter((name) => keys.numbers.some((one) => one.name === name)) : [];
    const drawn = JSON.stringify([names, way?.name ?? null]);
    ways.hidden = !names.length;
    if (ways.dataset.drawn !== drawn) {
      ways.dataset.drawn = drawn;
      clear(ways);
      for (const name of [null, ...names]) {
        const key = button(ways, "act", WAY_WORDS[name](), () => this.choose(name));
        key.setAttribute("aria-pressed", name === (way?.name ?? null));
      }
    }
    quick.classList.toggle("pad", Boolean(way));
    quick.hidden = !byDigits;
    const pad = `${way?.name} ${taps}`;
    if (!byDigits || quick.dataset.drawn === pad) return;
    quick.dataset.drawn = pad;
    clear(quick);
    const digits = [...Array(Math.min(9, way.most) + 1).keys()];
    for (const digit of digits) button(quick, "digit", digit, () => this.type(digit));
    const off = button(quick, "digit", "⌫", () => this.type(null));
    off.setAttribute("aria-label", words("keying.rub-out"));
    button(quick, "digit word", WAY_WORDS[null](), () => this.choose(null));
    for (const key of quick.children) key.setAttribute("aria-disabled", !taps);
  }

  // Shows the keys or the field for the requested number, at the top (`first`) if nothing else is asked.
  render(open, first) {
    const byDigits = open && this.way !== null;
    this.renderWay(open, byDigits);
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
    if (byDigits) return;
    const quick = at("quick"), { most = -1, step = 1 } = this.asked ?? {}, least = step > 1 ? step : 0;
    const some = first && open ? Math.min(QUICK, Math.floor((most - least) / step) + 1) : 0;
    quick.hidden = !some;
    quick.classList.remove("pad");
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

// -------------------------------------------------------------------- bogus calls

// The key BOGUS, with the question who calls whom.

export class BogusCalls {
  constructor(tray) {
    this.tray = tray;
    this.asks = false;  // whether the page asks who calls whom
    at("call").addEventListener("click", () => this.call());
  }

  reset() {
    this.asks = false;
  }

  get possible() {
    const { keys, role } = this.tray.keying;
    return keys.acts.filter((act) => act.name === "bogus" && role.mayKey(act));
  }

  // Handles a tap on BOGUS: makes the only possible call, or asks who calls whom.
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

// -------------------------------------------------------------------- all keys

export const COLLECTS = new Set(["show", "collect"]);
const THEIR_OWN = new Set([  // acts that belong to the seat they name, as on the server
  "draw", "draw-of", "pass", "pass-of", "return", "out", "out-early", "out-first", "one-tile", "one-tile-of",
]);

export class Tray {
  constructor(keying) {
    this.keying = keying;
    this.chosen = [];  // tiles or cards
    this.seat = null;  // the seat to enter for, if several are possible
    this.without = false;  // whether collecting tiles was skipped
    this.forOther = false;  // whether to enter here for a seat that has its own phone, if the settings allow it
    this.picker = new TilePicker((tile) => this.tap(tile));
    this.picker.changed = () => keying.render();
    this.cards = new CardPicker((card) => this.collect(card));
    this.collected = new Collected(this);
    this.numbers = new Numbers(this);
    this.calls = new BogusCalls(this);
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

  // Clears all choices after the table has moved on.
  reset() {
    this.seat = null;
    this.without = false;
    this.calls.reset();
    this.forOther = false;
    this.picker.reset();
  }

  get asks() {
    const { asks } = this.keying.keys;
    return asks === "collect" && this.without ? "lay" : asks;
  }

  // The seats that can be entered for: those asked by the table, else all.
  get seats() {
    const { keys, moment } = this.keying;
    if (keys.seats.length) return keys.seats;
    return keys.seat ? [keys.seat] : moment.seats.map(({ seat }) => seat);
  }

  // The seat for which a tap counts: the chosen one, else this phone's own, else the one to move.
  get who() {
    const { keys, role } = this.keying, { seats } = this;
    return [this.seat, role.seat].find((seat) => seats.includes(seat)) ?? keys.seat;
  }

  // ------------------------------------------------------------ what is tapped

  // `arm`: the end where the tile is laid, if given with it; `atOnce`: the questions after whose last answer
  // the play counts without OK.
  tap(tile, arm = null, atOnce = null) {
    const { keying } = this;
    if (COLLECTS.has(this.asks)) {
      this.collect(tile);
      return;
    }
    if (!keying.accepts(() => this.tap(tile, arm, atOnce), true, null, () => this.hold(tile))) return;
    if (!this.keyedForSomebody()) return;
    this.chosen = [tile];
    keying.offer(this.lay(tile, arm), atOnce);
  }

  lay(tile, arm = null) {
    return { text: arm ? `${this.who} ${tile} @${arm}` : `${this.who} ${tile}`, label: "", begun: true };
  }

  // Chooses a tile that was tapped without a connection; its preview is requested after reconnecting.
  hold(tile) {
    if (!this.keyedForSomebody()) return;
    this.chosen = [tile];
    this.keying.hold(this.lay(tile), tile, () => this.tap(tile));
  }

  // Adds a tile or card to the collected ones, or removes it. Cards of a row are only added, as a joker may
  // be in it twice.
  collect(tile) {
    const { keying } = this;
    if (!keying.accepts(() => this.collect(tile), true, null, () => this.toggle(tile))) return;
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
    if (!keying.accepts(() => this.enterCollected(), false)) return;
    if (!this.isWhole || !this.keyedForSomebody()) return;
    keying.offer({ text: [this.written(collects.before), ...this.chosen].join(" "), label: "", begun: true });
  }

  skip() {
    if (!this.keying.accepts(() => this.skip(), false)) return;
    this.choose([]);
    this.without = true;
    this.keying.render();
  }

  enterRow(row) {
    if (!this.keying.accepts(() => this.enterRow(row), false)) return;
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

  // Whether the question belongs to no particular seat, such as which tiles are face up.
  get isAnybodys() {
    const { collects, numbers } = this.keying.keys;
    const asked = { collect: [collects], number: numbers }[this.asks] ?? [];
    return asked.length > 0 && asked.every(({ before }) => !isSomebodys(before));
  }

  // The question, unless the headline shows it already.
  get question() {
    const { keys, moment } = this.keying;
    if (keys.collects?.turns) return words("keying.left-to-right");
    return keys.question && keys.question.words !== moment.asked.words ? keys.question.words : "";
  }

  // Whether an act belongs to a seat with its own phone.
  isElsewhere({ name, seat }) {
    return THEIR_OWN.has(name) && this.keysElsewhere(seat ?? this.keying.keys.seat);
  }

  // Whether the seat has its own phone, and nobody has chosen to enter for it here.
  keysElsewhere(seat) {
    return !this.forOther && this.seat !== seat && this.keying.role.keysElsewhere(seat);
  }

  // Whether this page may enter for the seat, by the server's rule.
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
    const tiles = open && Object.keys(keys.tiles).length > 0 && !this.numbers.way;
    at("picker").hidden = !tiles;
    if (tiles) this.picker.show(keys, this.chosen, false);
    document.body.classList.toggle("collects", open && asks === "collect");
    document.body.classList.toggle("waits", !open && moment.game !== null && !moment.finished);
    at("rows").hidden = at("by-cards").hidden = !(open && asks === "row");
    if (open && asks === "row") this.renderRows();
    this.renderCollected(open && (COLLECTS.has(asks) || asks === "row"));
    this.renderSeats(open && !this.isAnybodys && this.seats.length > 1);
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
    const text = this.keying.begunAct.act?.text ?? "";
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
    const { keying, who } = this, place = at("whose");
    const stood = [...place.children].indexOf(document.activeElement);
    const seats = keying.moment.seats.filter((one) => this.seats.includes(one.seat) && this.mayChoose(one.seat));
    const chosen = seats.every((one) => one.seat === who);  // there is no choice
    place.hidden = !any || chosen;
    clear(place);
    if (place.hidden) return;
    for (const seat of seats) {
      const key = button(place, "choice", seat.shown, () => {
        this.seat = seat.seat;
        write("answer", "");
        keying.forget();
        keying.render();
      });
      colour(key, seat.colour);
      key.setAttribute("aria-pressed", who === seat.seat);
    }
    place.children[stood]?.focus();
  }

  // Shows the acts as keys. A key that stays is not replaced, since a finger may be on it.
  renderActs(place, acts) {
    const { keying } = this, names = acts.map(nameOf);
    place.classList.toggle("few", acts.length < 4);
    for (const key of [...place.children]) if (!names.includes(key.dataset.act)) key.remove();
    acts.forEach((act, number) => {
      const there = [...place.children].find((one) => one.dataset.act === names[number]);
      const key = there ?? button(place, `act ${act.name}`, act.label.words, () => keying.tap(act));
      key.dataset.act = names[number];
      if (place.children[number] !== key) place.insertBefore(key, place.children[number]);
      const drawn = keying.draws.countOn(act), what = act.label.words;
      const label = drawn ? words("keying.draw-key", { what, number: drawn }) : what;
      if (key.textContent !== label) key.textContent = label;
      key.setAttribute("aria-disabled", !keying.taps);
      const waits = keying.tapQueue.countOn(act);
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
