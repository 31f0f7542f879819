// Which marks lie on something even, as pips and bars lie on a tile's body: on printed grounds there are
// many other marks.

import { median } from "./measure.js";

const ENOUGH_ROUND = 220, ENOUGH_LONG = 90;  // so few marks are all looked at
const MOST_ROUND = 1000, MOST_LONG = 300;  // a whole set has 168 pips and 28 bars
const ROUND_EVEN = 0.6, LONG_EVEN = 0.6;  // of the places around a mark
const UNLIKE = 0.15, NOISE = 7;  // of the body's brightness, and of 255
const RING = Array.from({ length: 12 }, (_, n) => [Math.cos((n * Math.PI) / 6), Math.sin((n * Math.PI) / 6)]);
const ALONG = [-0.4, -0.2, 0, 0.2, 0.4];

// The marks that may lie on tiles; all, where there are few.
export function onBodies({ width, height, values }, { round, long }) {
  const at = (x, y) => {
    const left = Math.round(x), top = Math.round(y);
    return left >= 0 && top >= 0 && left < width && top < height ? values[top * width + left] : -1;
  };
  return {
    round: round.length <= ENOUGH_ROUND ? round : evenest(round, (one) => evenAround(one, at), ROUND_EVEN, MOST_ROUND),
    long: long.length <= ENOUGH_LONG ? long : evenest(long, (one) => evenBeside(one, at), LONG_EVEN, MOST_LONG),
  };
}

function evenest(marks, evenOf, least, most) {
  for (const mark of marks) mark.even = mark.even === undefined ? evenOf(mark) : mark.even;
  const kept = marks.filter(({ even }) => even >= least);
  return kept.length > most ? kept.sort((one, other) => other.even - one.even).slice(0, most) : kept;
}

function evenAround({ x, y, radius }, at) {
  const far = radius * 1.5 + 1;
  return even(RING.map(([dx, dy]) => at(x + dx * far, y + dy * far)));
}

function evenBeside({ x, y, angle, length, thin }, at) {
  const dx = Math.cos(angle), dy = Math.sin(angle), far = thin / 2 + length * 0.08 + 1.2;
  return even(ALONG.flatMap((part) => [-far, far].map((side) => at(x + part * length * dx - side * dy, y + part * length * dy + side * dx))));
}

// The share of these values that are alike.
function even(values) {
  const usual = median(values), off = UNLIKE * usual + NOISE;
  return values.filter((one) => Math.abs(one - usual) <= off).length / values.length;
}
