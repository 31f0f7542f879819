// Marks: what is darker than what lies around it, in several runs at different thresholds. Round marks may
// be pips, long ones the middle bar of a tile.

import { Nearby, median } from "./measure.js";

// Stretches: of each row of the picture the parts that are darker than what lies around them. Those that touch
// make a mark.

const LEAST_STEP = 9;  // of 255: less than that is noise
const LEAST_AREA = 7, LARGEST = 260;  // pixels of a mark, and how long it may be

// Row, first pixel and the one behind the last, of each stretch in turn.
export function darkStretches({ width, height, values }, total, { around, darker }, light) {
  const wide = width + 1, found = [];
  for (let y = 0; y < height; y += 1) {
    const top = Math.max(0, y - around), low = Math.min(height, y + around + 1), row = y * width;
    const above = top * wide, below = low * wide, high = low - top;
    let from = -1, across = 0, each = 0;
    for (let x = 0; x < width; x += 1) {
      const left = x > around ? x - around : 0, right = x + around + 1 < width ? x + around + 1 : width;
      const sum = total[below + right] - total[above + right] - total[below + left] + total[above + left];
      if (right - left !== across) {
        across = right - left;
        each = 1 / (high * across);
      }
      const value = values[row + x], step = sum * each - value;
      // A light pip on a dark tile: both are turned around, so it is brightness that is compared.
      const isDark = step > LEAST_STEP && step > darker * (light ? 256 - value : step + value + 1);
      if (isDark) {
        if (from < 0) from = x;
      } else if (from >= 0) {
        found.push(y, from, x);
        from = -1;
      }
    }
    if (from >= 0) found.push(y, from, width);
  }
  return found;
}

// The marks that stretches make, with their sums; too small and too large ones left out.
export function connected(stretches) {
  const many = stretches.length / 3, parents = new Int32Array(many);
  for (let at = 0; at < many; at += 1) parents[at] = at;
  const find = (one) => {
    let at = one;
    while (parents[at] !== at) at = parents[at] = parents[parents[at]];
    return at;
  };
  for (let at = 0, above = 0; at < many; at += 1) {
    const y = stretches[3 * at], from = stretches[3 * at + 1], to = stretches[3 * at + 2];
    while (stretches[3 * above] < y - 1 || (stretches[3 * above] === y - 1 && stretches[3 * above + 2] <= from)) above += 1;
    for (let other = above; stretches[3 * other] === y - 1 && stretches[3 * other + 1] < to; other += 1) {
      const one = find(at), same = find(other);
      if (one < same) parents[same] = one;
      else parents[one] = same;
    }
  }
  return marksOf(stretches, parents, find);
}

function marksOf(stretches, parents, find) {
  const many = parents.length, areas = new Int32Array(many), ends = new Int32Array(many);
  for (let at = 0; at < many; at += 1) {
    const root = parents[at] = find(at);
    areas[root] += stretches[3 * at + 2] - stretches[3 * at + 1];
    ends[root] += 3;
  }
  // The stretches of each mark behind each other: `ends` counts them first, then is where the mark's next one goes.
  let all = 0;
  const roots = [];
  for (let at = 0; at < many; at += 1) {
    if (parents[at] !== at || areas[at] < LEAST_AREA) continue;
    roots.push(at);
    all += ends[at];
    ends[at] = all - ends[at];
  }
  const sorted = new Int32Array(all);
  for (let at = 0; at < many; at += 1) {
    const root = parents[at];
    if (areas[root] < LEAST_AREA) continue;
    for (let part = 0; part < 3; part += 1) sorted[ends[root] + part] = stretches[3 * at + part];
    ends[root] += 3;
  }
  const found = [];
  roots.forEach((root, at) => {
    const made = summed({ stretches: sorted, from: at ? ends[roots[at - 1]] : 0, end: ends[root] });
    if (Math.max(made.right - made.left, made.low - made.top) < LARGEST) found.push(made);
  });
  return found;
}

// A mark of stretches: its pixels, the sums of their places and of these squared, and its box.
function summed({ stretches, from, end }) {
  const made = { stretches, from, end, area: 0, x: 0, y: 0, xx: 0, xy: 0, yy: 0, left: Infinity, right: 0, top: stretches[from], low: stretches[end - 3] };
  for (let at = from; at < end; at += 3) {
    const first = stretches[at + 1], behind = stretches[at + 2];
    add(made, stretches[at], first, behind);
    if (first < made.left) made.left = first;
    if (behind > made.right + 1) made.right = behind - 1;
  }
  return made;
}

function add(sums, y, from, to) {
  const many = to - from, x = ((from + to - 1) * many) / 2;
  sums.area += many;
  sums.x += x;
  sums.y += y * many;
  sums.xx += squares(to) - squares(from);
  sums.xy += x * y;
  sums.yy += y * y * many;
}

// 0² + 1² + … up to the number before.
function squares(many) {
  return ((many - 1) * many * (2 * many - 1)) / 6;
}

// What a box's pixels are, and those of them still to be looked at.
const box = new Uint8Array((LARGEST + 2) ** 2), waiting = new Int32Array(box.length);

// The sums of a mark with its holes: all of its box that can't be reached from outside.
export function closed({ stretches, from, end, left, right, top, low }) {
  const wide = right - left + 3, high = low - top + 3, size = wide * high;
  box.fill(0, 0, size);
  for (let at = from; at < end; at += 3) {
    const row = (stretches[at] - top + 1) * wide - left + 1;
    box.fill(1, row + stretches[at + 1], row + stretches[at + 2]);
  }
  let many = 1;
  waiting[0] = 0;
  box[0] = 2;
  const reach = (at) => {
    if (box[at]) return;
    box[at] = 2;
    waiting[many++] = at;
  };
  while (many) {
    const at = waiting[--many], x = at % wide;
    if (x > 0) reach(at - 1);
    if (x < wide - 1) reach(at + 1);
    if (at >= wide) reach(at - wide);
    if (at < size - wide) reach(at + wide);
  }
  const made = { area: 0, x: 0, y: 0, xx: 0, xy: 0, yy: 0 };
  for (let y = top; y <= low; y += 1) {
    const row = (y - top + 1) * wide - left + 1;
    for (let x = left; x <= right; x += 1) {
      if (box[row + x] === 2) continue;
      const first = x;
      while (x <= right && box[row + x] !== 2) x += 1;
      add(made, y, first, x);
    }
  }
  return made;
}

// ------------------------------------------------------------------ strokes
// Long marks that may be bars: whether one is a straight stroke, and two that a spinner pin parts joined.

const PARTS = 9;  // of a long mark, whose thickness is looked at
const SLENDER = 2.4, PINNED = 1.6;  // length by thickness, without a pin and with one
const ALIKE = 1.7, ASKEW = 0.16, MOST_BETWEEN = 1.7, LEAST_BETWEEN = 0.15, MOST_JOINED = 300;

// The length of a long mark that is one straight stroke, with a spinner pin in its middle or without: it is as
// thin on one side as on the other. 0: it is no such mark.
export function straight({ stretches, from: begin, end: behind }, { x, y, angle, aspect, thin }) {
  if (aspect < PINNED || thin < 0.9) return 0;
  const dx = Math.cos(angle), dy = Math.sin(angle), along = [];
  let from = Infinity, to = -Infinity;
  for (let one = begin; one < behind; one += 3) {
    const py = stretches[one];
    for (let px = stretches[one + 1]; px < stretches[one + 2]; px += 1) {
      const at = (px - x) * dx + (py - y) * dy;
      along.push(at);
      if (at < from) from = at;
      if (at > to) to = at;
    }
  }
  const length = to - from + 1, cell = length / PARTS, thick = new Float32Array(PARTS);
  for (const at of along) thick[Math.min(PARTS - 1, Math.floor((at - from) / cell))] += 1 / cell;
  const ends = [thick[1], thick[PARTS - 2]], sides = [...ends, thick[2], thick[PARTS - 3]];
  const most = Math.max(...ends), least = Math.max(0.8, Math.min(...ends));
  if (thick.some((one) => one <= 0.3) || most > Math.max(2.2 * least, least + 2)) return 0;
  const isEven = aspect >= SLENDER && Math.max(...sides) < Math.max(2.2 * least, least + 2) && most < length / 4;
  const hasPin = length > 14 && thick[4] > 1.7 * most && most < length / 6 && Math.abs(thick[3] - thick[5]) < 0.6 * thick[4];
  return isEven || hasPin ? length : 0;
}

// Pairs of strokes that lie behind each other as the halves of a bar do. `long`: the longest first.
export function joined(long) {
  const found = [], x = Float64Array.from(long, (one) => one.x), y = Float64Array.from(long, (one) => one.y);
  for (let one = 0; one < long.length && found.length < MOST_JOINED; one += 1) {
    const { length } = long[one], reach = length * (1 + MOST_BETWEEN), square = reach * reach;
    for (let other = one + 1; other < long.length; other += 1) {
      const dx = x[other] - x[one], dy = y[other] - y[one];
      if (dx * dx + dy * dy > square) continue;
      if (length > ALIKE * long[other].length) break;  // so are all that follow
      const bar = joinedOf(long[one], long[other]);
      if (bar) found.push(bar);
    }
  }
  return found;
}

function joinedOf(one, other) {
  const dx = other.x - one.x, dy = other.y - one.y, apart = Math.hypot(dx, dy), mean = (one.length + other.length) / 2;
  if (apart < mean * (1 + LEAST_BETWEEN) || apart > mean * (1 + MOST_BETWEEN)) return null;
  const angle = Math.atan2(dy, dx);
  if (Math.abs(Math.sin(one.angle - angle)) > ASKEW || Math.abs(Math.sin(other.angle - angle)) > ASKEW) return null;
  const ends = [one, other].flatMap(({ x, y, length }) => [-1, 1].map((side) => {
    const ex = x + (side * Math.cos(angle) * length) / 2, ey = y + (side * Math.sin(angle) * length) / 2;
    return (ex - one.x) * Math.cos(angle) + (ey - one.y) * Math.sin(angle);
  }));
  const from = Math.min(...ends), to = Math.max(...ends), middle = (from + to) / 2;
  return {
    x: one.x + middle * Math.cos(angle) + (dx - apart * Math.cos(angle)) / 2, y: one.y + middle * Math.sin(angle) + (dy - apart * Math.sin(angle)) / 2,
    angle, length: to - from, thin: Math.max(one.thin, other.thin), radius: Math.min(one.radius, other.radius), joined: true,
  };
}

// ------------------------------------------------------------------ even surroundings
// Which marks lie on something even, as pips and bars lie on a tile's body: on printed grounds there are
// many other marks.

const ENOUGH_ROUND = 220, ENOUGH_LONG = 90;  // so few marks are all looked at
const MOST_ROUND = 1000, MOST_LONG = 300;  // a whole set has 168 pips and 28 bars
const ROUND_EVEN = 0.6, LONG_EVEN = 0.6;  // of the places around a mark
const UNLIKE = 0.15, NOISE = 7;  // of the body's brightness, and of 255
const RING = Array.from({ length: 12 }, (_, n) => [Math.cos((n * Math.PI) / 6), Math.sin((n * Math.PI) / 6)]);
const PIP_REACH = 1.7, PIP_SIZES = { least: 0.05, most: 0.22 }, PIP_ALONG = 0.6, PIP_AWAY = 0.15;  // in lengths of a bar
const ENOUGH_PIPS = 4;
const ALONG = [-0.4, -0.2, 0, 0.2, 0.4];

// The marks that may lie on tiles; all, where there are few.
export function onBodies({ width, height, values }, { round, long }) {
  const at = (x, y) => {
    const left = Math.round(x), top = Math.round(y);
    return left >= 0 && top >= 0 && left < width && top < height ? values[top * width + left] : -1;
  };
  const pips = round.length <= ENOUGH_ROUND ? round : most(even(round, (one) => evenAround(one, at), ROUND_EVEN), MOST_ROUND);
  const bars = long.length <= ENOUGH_LONG ? long : even(long, (one) => evenBeside(one, at), LONG_EVEN);
  return { round: pips, long: bars.length > MOST_LONG ? most(flanked(bars, pips), MOST_LONG) : bars };
}

function even(marks, evenOf, least) {
  for (const mark of marks) mark.even = mark.even === undefined ? evenOf(mark) : mark.even;
  return marks.filter((one) => one.even >= least);
}

function most(marks, many) {
  const worth = ({ even: share, pips = 0 }) => share + pips;
  return marks.length > many ? marks.sort((one, other) => worth(other) - worth(one)).slice(0, many) : marks;
}

// The bars with the number of round marks beside each, up to ENOUGH_PIPS, that may be pips of its tile.
function flanked(bars, pips) {
  const near = new Nearby(pips, 48);
  return bars.map((bar) => {
    const dx = Math.cos(bar.angle), dy = Math.sin(bar.angle);
    let many = 0;
    for (const { x, y, radius } of near.within(bar.x, bar.y, bar.length * PIP_REACH)) {
      const size = radius / bar.length, along = Math.abs((x - bar.x) * dx + (y - bar.y) * dy), away = Math.abs((y - bar.y) * dx - (x - bar.x) * dy);
      if (size > PIP_SIZES.least && size < PIP_SIZES.most && along < PIP_ALONG * bar.length && away > PIP_AWAY * bar.length) many += 1;
    }
    return { ...bar, pips: Math.min(ENOUGH_PIPS, many) };
  });
}

function evenAround({ x, y, radius }, at) {
  const far = radius * 1.5 + 1;
  return evenness(RING.map(([dx, dy]) => at(x + dx * far, y + dy * far)));
}

function evenBeside({ x, y, angle, length, thin }, at) {
  const dx = Math.cos(angle), dy = Math.sin(angle), far = thin / 2 + length * 0.08 + 1.2;
  return evenness(ALONG.flatMap((part) => [-far, far].map((side) => at(x + part * length * dx - side * dy, y + part * length * dy + side * dx))));
}

// The share of these values that are alike.
function evenness(values) {
  const usual = median(values), off = UNLIKE * usual + NOISE;
  return values.filter((one) => Math.abs(one - usual) <= off).length / values.length;
}

// ------------------------------------------------------------------ marks

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
