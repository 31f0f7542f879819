// The tiles of a set as buttons, each always in its place.

import { clear } from "./parts.js";

const SVG = "http://www.w3.org/2000/svg";
const PIPS = [
  [], [[0, 0]], [[-1, -1], [1, 1]], [[-1, -1], [1, 1], [0, 0]],
  [[-1, -1], [1, 1], [-1, 1], [1, -1]],
  [[-1, -1], [1, 1], [-1, 1], [1, -1], [0, 0]],
  [[-1, -1], [1, 1], [-1, 1], [1, -1], [0, -1], [0, 1]],
];
const STANDS = { laid: "lies on the table", fits: "fits", apart: "fits nowhere" };

// Four rows of seven: each high half begins a row, the low tiles fill up the shorter ones.
const ORDER = [6, 5, 4, 3].flatMap((high) => {
  const row = [];
  for (let low = high; low >= 0; low -= 1) row.push(`${high}-${low}`);
  const fill = { 6: [], 5: ["0-0"], 4: ["1-1", "1-0"], 3: ["2-2", "2-1", "2-0"] }[high];
  return [...row, ...fill];
});

// Shows how each tile stands, and which are chosen; `tap` gets the tile that is tapped.
export class Picker {
  constructor(place, tap) {
    this.buttons = new Map();
    clear(place);
    for (const tile of ORDER) {
      const key = document.createElement("button");
      key.type = "button";
      key.className = "tile";
      key.dataset.tile = tile;
      key.append(face(tile));
      key.addEventListener("click", () => key.getAttribute("aria-disabled") === "true" || tap(tile));
      place.append(key);
      this.buttons.set(tile, key);
    }
  }

  show(stands, chosen, off) {
    for (const [tile, key] of this.buttons) {
      const how = stands[tile] ?? "apart";
      key.dataset.stands = how;
      key.setAttribute("aria-label", `${tile}, ${STANDS[how]}`);
      key.setAttribute("aria-pressed", chosen.includes(tile));
      key.setAttribute("aria-disabled", off || how === "laid");
    }
  }
}

function face(tile) {
  const svg = shape("svg", { viewBox: "0 0 44 24", "aria-hidden": "true" });
  svg.append(shape("rect", { class: "bone", x: 1, y: 1, width: 42, height: 22, rx: 4 }));
  svg.append(shape("line", { class: "bar", x1: 22, y1: 5, x2: 22, y2: 19 }));
  tile.split("-").forEach((half, side) => {
    for (const [x, y] of PIPS[half]) {
      svg.append(shape("circle", { class: "pip", cx: 11.8 + 20.4 * side + 5.6 * y, cy: 12 + 5.6 * x, r: 1.9 }));
    }
  });
  return svg;
}

function shape(name, values) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
  return made;
}
