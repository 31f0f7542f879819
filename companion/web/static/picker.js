// The tiles of a set as buttons, each always in its place. For the large set the player taps a half first,
// then one of the tiles that have it.

import { at, button, clear, words } from "./parts.js";

const SVG = "http://www.w3.org/2000/svg";
const CORNERS = [[-1, -1], [1, 1], [-1, 1], [1, -1]], ALONG = [[0, -1], [0, 1]], ACROSS = [[-1, 0], [1, 0]];
const PIPS = [
  [], [[0, 0]], CORNERS.slice(0, 2), [...CORNERS.slice(0, 2), [0, 0]], CORNERS, [...CORNERS, [0, 0]],
  [...CORNERS, ...ALONG], [...CORNERS, ...ALONG, [0, 0]], [...CORNERS, ...ALONG, ...ACROSS],
  [...CORNERS, ...ALONG, ...ACROSS, [0, 0]],
];
const HIGHEST = 15;  // the highest number of the large set
const LARGE = "double-fifteen";

// Four rows of seven: each high half begins a row, and the low tiles fill up the shorter rows.
const DOUBLE_SIX = [6, 5, 4, 3].flatMap((high) => {
  const fill = { 6: [], 5: ["0-0"], 4: ["1-1", "1-0"], 3: ["2-2", "2-1", "2-0"] }[high];
  return [...down(high).map((low) => `${high}-${low}`), ...fill];
});
const ORDER = {
  "double-six": DOUBLE_SIX,
  highrise: [...DOUBLE_SIX, ...down(6).map((low) => `W-${low}`), "W-W"],
  [LARGE]: [],
};

// Shows how each tile stands, and which are chosen; `tap` gets the tile that is tapped.
export class Picker {
  constructor(tap, place = "tiles", halves = "halves") {
    this.tap = tap;
    this.place = place;
    this.halves = halves;
    this.set = null;
    this.half = null;  // the half of the large set whose tiles are shown
    this.buttons = new Map();
  }

  // Forgets the half that was tapped.
  rest() {
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
      key.setAttribute("aria-label", `${tile}, ${stands[how]?.words}`);
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

  // Shows the halves: a half is lit while one of its tiles captures something, and pale once all its tiles
  // are gone.
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

// Whether two names are one tile's: 6-3 and 3-6.
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
