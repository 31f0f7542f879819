// Marks: what is darker than what lies around it, in several runs at different thresholds. Round marks may
// be pips, long ones the middle bar of a tile.

import { closed, connected, darkStretches } from "./stretches.js";
import { joined, straight } from "./strokes.js";

export const RUNS = [  // how far around a pixel its surroundings go, and how much darker than them it is
  { around: 12, darker: 0.22 },
  { around: 30, darker: 0.32 },
  { around: 24, darker: 0.13 },
];
const HOLLOW_BELOW = 0.93;  // a mark that fills less of its ellipse is looked at for holes
const ROUND = { fills: 0.82, aspect: 2.1 };

// One number a pixel: how bright it is. Where pips are dark the darkest of its three colours, since coloured
// pips are as dark as black ones there; where they are light the brightest, turned around.
export function plane({ width, height, data }, light) {
  const values = new Uint8ClampedArray(width * height);
  for (let at = 0, from = 0; at < values.length; at += 1, from += 4) {
    const red = data[from], green = data[from + 1], blue = data[from + 2];
    values[at] = light
      ? 255 - (red > green ? (red > blue ? red : blue) : green > blue ? green : blue)
      : red < green ? (red < blue ? red : blue) : green < blue ? green : blue;
  }
  return { width, height, values };
}

// The sums of all that lies above and to the left of each pixel.
export function sums({ width, height, values }) {
  const wide = width + 1, total = new Int32Array(wide * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let row = 0;
    for (let x = 0; x < width; x += 1) {
      row += values[y * width + x];
      total[(y + 1) * wide + x + 1] = total[y * wide + x + 1] + row;
    }
  }
  return total;
}

// All marks of a picture, each once: the roundest, or longest, of those that several runs found.
export function findMarks(picture, light, runs = RUNS, before = { round: [], long: [] }) {
  picture.total = picture.total ?? sums(picture);
  const { total } = picture, round = [...before.round], long = [...before.long];
  for (const run of runs) {
    for (const mark of connected(darkStretches(picture, total, run, light))) {
      const shaped = shape(mark);
      if (shaped?.round) round.push(shaped);
      else if (shaped?.long) long.push(shaped);
    }
  }
  const bars = once(long.filter((one) => !one.joined), (one) => one.length);
  return { round: once(round, (one) => one.fills), long: [...bars, ...joined(bars)] };
}

// The ellipse of a mark, and whether that is round or long. Holes (glare in a pip) are closed first.
function shape(mark) {
  let made = ellipse(mark);
  if (made.fills < HOLLOW_BELOW && made.aspect < ROUND.aspect && mark.area < 8000) made = ellipse(closed(mark));
  const length = straight(mark, made);
  if (length) return { ...made, length, long: true };
  return made.aspect <= ROUND.aspect && made.fills >= ROUND.fills ? { ...made, round: true } : null;
}

function ellipse({ area, x, y, xx, xy, yy }) {
  const cx = x / area, cy = y / area;
  const a = xx / area - cx * cx + 1 / 12, b = xy / area - cx * cy, c = yy / area - cy * cy + 1 / 12;
  const middle = (a + c) / 2, off = Math.hypot((a - c) / 2, b);
  const large = middle + off, small = Math.max(middle - off, 1e-6);
  const angle = Math.abs(b) < 1e-9 ? (a >= c ? 0 : Math.PI / 2) : Math.atan2(large - a, b);
  const halves = 4 * Math.sqrt(large * small);
  return {
    x: cx, y: cy, a, b, c, area, angle,
    radius: Math.sqrt(area / Math.PI), fills: Math.min(1, area / (Math.PI * halves)),
    aspect: Math.sqrt(large / small), length: Math.sqrt(12 * large), thin: Math.sqrt(12 * small),
  };
}

// Of marks at one place the best.
function once(marks, worth) {
  const kept = [], cells = new Map();
  const cell = (x, y) => Math.floor(x / 16) * 4096 + Math.floor(y / 16);
  for (const mark of marks.sort((one, other) => worth(other) - worth(one))) {
    let seen = false;
    for (let x = -1; x <= 1 && !seen; x += 1) {
      for (let y = -1; y <= 1 && !seen; y += 1) {
        for (const other of cells.get(cell(mark.x + 16 * x, mark.y + 16 * y)) ?? []) {
          const near = Math.max(2, Math.min(mark.radius, other.radius) * 0.8);
          if (Math.hypot(mark.x - other.x, mark.y - other.y) < near) seen = true;
        }
      }
    }
    if (seen) continue;
    kept.push(mark);
    const own = cell(mark.x, mark.y);
    if (!cells.has(own)) cells.set(own, []);
    cells.get(own).push(mark);
  }
  return kept;
}
