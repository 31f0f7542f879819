// A pose: a place where a tile may lie. `c` is the middle of its bar; `u` is the step of one row of pips
// along the bar, `v` that of one row away from it, and a half's middle lies `half` rows from the bar. All
// are on the straightened table.

import { solved } from "./table.js";

const NEAR = 0.36, NEARLY = 0.48;  // rows: a mark nearer than this to a pip's place is a pip of this tile
const HOLDS = 0.7;  // the weight of the expected shape beside the marks that are seen

// The pose of a tile with this bar, in a set with these measures.
export function poseOfBar(bar, { half, pitch }) {
  const row = pitch * bar.length;
  return pose({ x: bar.x, y: bar.y }, { x: bar.u.x * row, y: bar.u.y * row }, { x: -bar.u.y * row, y: bar.u.x * row }, half / pitch);
}

export function pose(c, u, v, half) {
  return { c, u, v, half };
}

// A place on the tile, given in rows along the bar and away from it.
export function place({ c, u, v }, along, away) {
  return { x: c.x + along * u.x + away * v.x, y: c.y + along * u.y + away * v.y };
}

// The tile's four corners, in turn.
export function corners(one) {
  const { half } = one;
  return [[-1, -2], [1, -2], [1, 2], [-1, 2]].map(([along, away]) => place(one, along * half, away * half));
}

export function halves(one) {
  return [place(one, 0, -one.half), place(one, 0, one.half)];
}

export function rowOf({ u, v }) {
  return Math.sqrt(Math.abs(u.x * v.y - u.y * v.x));
}

// How far the pose's rows are from square, and how much longer they are along the bar than away from it.
export function shapeOf({ u, v }) {
  const along = Math.hypot(u.x, u.y), away = Math.hypot(v.x, v.y);
  return { skew: Math.abs(u.x * v.x + u.y * v.y) / (along * away), longer: Math.abs(Math.log(along / away)) };
}

// The pose moved to the pips that are seen, and the marks that are its pips, by side and place.
export function refined(from, near, bar = null, rounds = 3) {
  let at = from, own = [];
  for (let round = 0; round < rounds; round += 1) {
    own = pipsOf(at, near, round ? NEAR : NEARLY);
    at = fitted(at, from, own, bar);
  }
  return { at, own };
}

function pipsOf(at, near, most) {
  const row = rowOf(at), { c, u, v, half } = at, found = [], across = u.x * v.y - u.y * v.x;
  for (const pip of near.within(c.x, c.y, row * (half + 2) * 1.3)) {
    if (pip.radius < 0.16 * row || pip.radius > 0.55 * row) continue;
    const dx = pip.x - c.x, dy = pip.y - c.y;
    const along = (dx * v.y - dy * v.x) / across, away = (dy * u.x - dx * u.y) / across;
    const side = away < 0 ? -1 : 1, i = Math.round(along), j = Math.round(away - side * half);
    if (Math.abs(i) > 1 || Math.abs(j) > 1) continue;
    const off = Math.hypot(along - i, away - side * half - j);
    if (off < most) found.push({ pip, side, i, j, off });
  }
  return found;
}

// The pose that fits best, by least squares, to the pips, the ends of the bar, and the expected shape.
function fitted(at, from, pips, bar) {
  const rows = pips.map(({ pip, side, i, j }) => ({ x: pip.x, y: pip.y, k: [1, i, side * at.half + j], w: 1 }));
  if (bar) {
    const reach = bar.length / 2 / Math.hypot(from.u.x, from.u.y);
    for (const end of [-1, 1]) {
      rows.push({ x: bar.x + (end * bar.u.x * bar.length) / 2, y: bar.y + (end * bar.u.y * bar.length) / 2, k: [1, end * reach, 0], w: 0.7 });
    }
  }
  rows.push({ x: at.c.x, y: at.c.y, k: [1, 0, 0], w: 0.1 });
  rows.push({ x: from.u.x, y: from.u.y, k: [0, 1, 0], w: HOLDS }, { x: from.v.x, y: from.v.y, k: [0, 0, 1], w: HOLDS });
  const x = solve(rows, "x"), y = solve(rows, "y");
  return x && y ? pose({ x: x[0], y: y[0] }, { x: x[1], y: y[1] }, { x: x[2], y: y[2] }, at.half) : at;
}

function solve(rows, name) {
  const m = Array.from({ length: 3 }, () => [0, 0, 0, 0]);
  for (const { k, w, [name]: value } of rows) {
    for (let i = 0; i < 3; i += 1) {
      for (let j = 0; j < 3; j += 1) m[i][j] += w * k[i] * k[j];
      m[i][3] += w * k[i] * value;
    }
  }
  return solved(m);
}
