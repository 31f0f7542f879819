// Reads the one tile that somebody points at: a place on it, or its four corners. The pose is moved to where pips and
// bar fit best. Whoever points looks at the tile, too, and says whether it is read right.

import { Look, seen, told as toldOf } from "./halves.js";
import { plane } from "./marks.js";
import { median } from "./measure.js";
import { Table, corners, halves, place, pose } from "./pose.js";

const HALVES = [1.7, 1.9, 2.1];  // rows of pips from the bar to the middle of a half
const RADIUS = 0.31;  // of a pip, in rows
const FAINTEST = 0.25;  // what the pips of some set show at least
const WIDTHS = [0.03, 0.042, 0.058, 0.08, 0.11, 0.15];  // of the picture's longer side, where no tile is known
const REACH = 2.6;  // widths of a tile: so far around the place the picture is looked at
// Widths: so far from the tile's middle, across it and along it, people may point.
const ACROSS = [-0.45, -0.3, -0.15, 0, 0.15, 0.3, 0.45], ALONG = [-0.8, -0.6, -0.4, -0.2, 0, 0.2, 0.4, 0.6, 0.8];
const POINTED = 0.6;  // widths: farther from it they do so seldom
const ANGLES = 36, PEAKS = 3;  // of a quarter turn
const MOVED = 10;  // the likeliest poses, which are moved
const LEAST = 0.25, ENOUGH = 0.8;

// The tile at `where`: `{ x, y }`, or `{ corners }` in turn as read.js gives them. `known`: the tiles that were
// read, which tell how large tiles are. As read.js gives a tile; null: nothing there looks like one.
export function tileAt(image, where, known = []) {
  let best = null;
  for (const light of [false, true]) {
    for (const width of widthsAt(image, where, known)) {
      const found = searched(image, where, width, light, known);
      if (found && (!best || found.near > best.near)) best = found;
    }
    if (best?.worth > ENOUGH) break;
  }
  return best && best.worth > LEAST ? told(best) : null;
}

function widthsAt({ width, height }, where, known) {
  if (where.corners) return [Math.min(...sidesOf(where.corners))];
  if (known.length) return [median(known.map((tile) => Math.min(...sidesOf(tile.corners))))];
  return WIDTHS.map((part) => part * Math.max(width, height));
}

// The mean lengths of both pairs of a quad's sides.
function sidesOf([a, b, c, d]) {
  const long = (one, other) => Math.hypot(other[0] - one[0], other[1] - one[1]);
  return [(long(a, b) + long(c, d)) / 2, (long(b, c) + long(d, a)) / 2];
}

function searched(image, where, width, light, known) {
  const middle = where.corners ? middleOf(where.corners) : where, cut = cutOut(image, middle, width * REACH);
  const picture = plane(cut, light), look = new Look(picture, new Table({ x: 0, y: 0 }), light);
  const from = { x: middle.x - cut.left, y: middle.y - cut.top };
  const begun = where.corners ? quads(where.corners, cut) : around(picture, from, width);
  const taken = known.map(({ corners: four }) => four.map(([x, y]) => ({ x: x - cut.left, y: y - cut.top })));
  const isFree = ({ at }) => where.corners || (isOn(from, at) && halves(at).every((half) => taken.every((four) => !isIn(half, four))));
  const near = where.corners ? () => 1 : ({ c }) => Math.exp(-(((c.x - from.x) ** 2 + (c.y - from.y) ** 2) / (POINTED * width) ** 2) / 2);
  const weighed = (one) => ({ ...one, near: one.worth * near(one.at) }), order = (one, other) => other.near - one.near;
  const judged = begun.map((at) => ({ at })).filter(isFree).map(({ at }) => weighed(worthOf(look, at))).sort(order).slice(0, MOVED);
  const moved = judged.map((one) => weighed(movedBest(look, one))).filter(isFree);
  if (!moved.length) return null;
  return { ...moved.sort(order)[0], left: cut.left, top: cut.top };
}

function middleOf(four) {
  return { x: four.reduce((sum, [x]) => sum + x / 4, 0), y: four.reduce((sum, [, y]) => sum + y / 4, 0) };
}

function cutOut({ width, height, data }, { x, y }, far) {
  const left = Math.max(0, Math.floor(x - far)), top = Math.max(0, Math.floor(y - far));
  const right = Math.min(width, Math.ceil(x + far)), low = Math.min(height, Math.ceil(y + far));
  const wide = Math.max(2, right - left), high = Math.max(2, low - top), made = new Uint8ClampedArray(wide * high * 4);
  for (let row = 0; row < Math.min(high, height - top); row += 1) {
    const begin = ((top + row) * width + left) * 4;
    made.set(data.subarray(begin, begin + Math.min(wide, width - left) * 4), row * wide * 4);
  }
  return { width: wide, height: high, data: made, left, top };
}

// The two poses that a quad may be: its bar may go along either pair of its sides.
function quads(four, { left, top }) {
  const [a, b, c, d] = four.map(([x, y]) => ({ x: x - left, y: y - top })), middle = { x: (a.x + b.x + c.x + d.x) / 4, y: (a.y + b.y + c.y + d.y) / 4 };
  const step = (one, other, two, more, part) => ({ x: (other.x - one.x + more.x - two.x) / 2 / part, y: (other.y - one.y + more.y - two.y) / 2 / part });
  return HALVES.flatMap((half) => [[a, b, d, c], [b, c, a, d]].map(([p, q, r, s]) => pose(middle, step(p, q, r, s, 2 * half), step(p, r, q, s, 4 * half), half)));
}

// Poses around a place, along the directions that the picture's edges have there.
function around(picture, from, width) {
  const found = [], half = HALVES[1], row = width / 2 / half;
  for (const angle of directions(picture, from, width)) {
    for (const turn of [0, Math.PI / 2]) {
      const u = { x: row * Math.cos(angle + turn), y: row * Math.sin(angle + turn) }, v = { x: -u.y, y: u.x };
      for (const i of ACROSS) {
        for (const j of ALONG) found.push(pose(place({ c: from, u, v }, i * 2 * half, j * 2 * half), u, v, half));
      }
    }
  }
  return found;
}

// The angles, within a quarter turn, of the most edges near a place.
function directions({ width, height, values }, { x, y }, far) {
  const many = new Float64Array(ANGLES), reach = far * 1.2;
  for (let py = Math.max(1, Math.round(y - reach)); py < Math.min(height - 1, y + reach); py += 1) {
    for (let px = Math.max(1, Math.round(x - reach)); px < Math.min(width - 1, x + reach); px += 1) {
      const at = py * width + px, dx = values[at + 1] - values[at - 1], dy = values[at + width] - values[at - width];
      const strong = Math.hypot(dx, dy);
      if (strong < 16) continue;
      const turned = Math.atan2(dy, dx) / (Math.PI / 2);
      many[Math.floor((turned - Math.floor(turned)) * ANGLES) % ANGLES] += Math.min(strong, 80);
    }
  }
  const smooth = many.map((one, at) => one + (many[(at + 1) % ANGLES] + many[(at + ANGLES - 1) % ANGLES]) / 2);
  const order = [...smooth.keys()].sort((one, other) => smooth[other] - smooth[one]), kept = [];
  for (const at of order) {
    if (kept.every((one) => Math.min(Math.abs(one - at), ANGLES - Math.abs(one - at)) > 2)) kept.push(at);
    if (kept.length === PEAKS) break;
  }
  return kept.map((at) => ((at + 0.5) / ANGLES) * (Math.PI / 2));
}

// A pose with what its halves show, and how well pips and bar fit a tile there, 0 to 1.
function worthOf(look, at) {
  const shows = seen(look, at, RADIUS);
  if (!shows) return { at, sides: null, worth: 0 };
  const strong = Math.max(FAINTEST, ...shows.sides.flatMap(({ places }) => places)), sides = toldOf(shows, strong);
  const fits = sides.map(({ sum, uneven }) => Math.max(0, 1 - Math.sqrt(sum) / 1.4) * Math.max(0, 1 - uneven / 2));
  const bar = Math.min(1, Math.max(0, shows.bar.dark) / (0.5 * strong)), ends = 1 - 0.5 * Math.min(1, Math.max(0, shows.bar.beyond - 0.45));
  return { at, sides, worth: fits[0] * fits[1] * (0.25 + 0.75 * bar * ends) };
}

// The pose moved, turned and sized, a little at a time, as long as that makes it likelier.
function movedBest(look, begun) {
  let best = begun;
  for (const step of [0.12, 0.06]) {
    for (let isBetter = true; isBetter;) {
      isBetter = false;
      for (const other of variants(best.at, step)) {
        const made = worthOf(look, other);
        if (made.worth > best.worth * 1.02 + 1e-4) [best, isBetter] = [made, true];
      }
    }
  }
  return best;
}

function variants({ c, u, v, half }, step) {
  const by = step * 2 * half, turned = (angle) => [u, v].map(({ x, y }) => ({ x: x * Math.cos(angle) - y * Math.sin(angle), y: x * Math.sin(angle) + y * Math.cos(angle) }));
  const sized = (part) => [u, v].map(({ x, y }) => ({ x: x * part, y: y * part }));
  return [
    ...[[by, 0], [-by, 0], [0, by], [0, -by]].map(([i, j]) => pose(place({ c, u, v }, i, j), u, v, half)),
    ...[1, -1].map((way) => pose(c, ...turned(way * step * 0.7), half)),
    ...[1 + step * 0.7, 1 / (1 + step * 0.7)].map((part) => pose(c, ...sized(part), half)),
    ...[half * (1 + step / 2), half / (1 + step / 2)].map((other) => pose(c, ...sized(half / other), other)),
  ];
}

function isOn({ x, y }, { c, u, v, half }) {
  const across = u.x * v.y - u.y * v.x, dx = x - c.x, dy = y - c.y;
  return Math.abs(dx * v.y - dy * v.x) < Math.abs(across) * half * 1.1 && Math.abs(dy * u.x - dx * u.y) < Math.abs(across) * half * 2.1;
}

// Whether a place is within these four corners.
function isIn({ x, y }, four) {
  const sides = four.map((one, at) => {
    const next = four[(at + 1) % 4];
    return (next.x - one.x) * (y - one.y) - (next.y - one.y) * (x - one.x) > 0;
  });
  return sides.every((side) => side === sides[0]);
}

function told({ at, sides, worth, left, top }) {
  const numbers = sides.map(({ pips }) => pips), name = (pair) => [...pair].sort((one, other) => other - one).join("-");
  const others = [0, 1].sort((one, other) => sides[one].margin - sides[other].margin)
    .map((side) => name(numbers.map((number, which) => (which === side ? sides[side].next : number))));
  return {
    tile: name(numbers), halves: numbers, others, fit: Math.round(worth * 1000) / 1000, doubts: ["pointed"], asks: true,
    corners: corners(at).map(({ x, y }) => [Math.round((x + left) * 10) / 10, Math.round((y + top) * 10) / 10]),
  };
}
