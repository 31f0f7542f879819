// A pose: a place where a tile may lie. `c` is the middle of its bar; `u` is the step of one row of pips
// along the bar, `v` that of one row away from it, and a half's middle lies `half` rows from the bar. All
// are on the straightened table.

import { median } from "./measure.js";

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

// ------------------------------------------------------------------ table
// The table under the photo: from the sizes and shapes of the pips, how the camera was tilted, and places
// from the picture to the table seen straight from above, and back.

const NEIGHBOURS = 9, ALIKE = 1.45;
const SMALLEST = 2.2;  // pixels: the shape of a smaller pip says nothing
const STEEPEST = 0.55;  // a tilt of about 50°
const ROUNDS = 8, SPREAD = 0.1;
const FLAT = 0.03;  // how much it counts that most photos are taken from above, in pips

export class Table {
  // `lean`: how much nearer the table comes along x and y, from the middle of the picture on; `matrix` then
  // makes pips round, [[p, q], [q, r]].
  constructor(middle, lean = [0, 0], matrix = [1, 0, 0, 1]) {
    Object.assign(this, { middle, lean, matrix });
  }

  onto(x, y) {
    const { middle, lean, matrix: [p, q, , r] } = this, dx = x - middle.x, dy = y - middle.y;
    const w = 1 + lean[0] * dx + lean[1] * dy, ax = dx / w, ay = dy / w;
    return { x: p * ax + q * ay, y: q * ax + r * ay };
  }

  back(x, y) {
    const { middle, lean, matrix: [p, q, , r] } = this;
    const ax = r * x - q * y, ay = p * y - q * x;
    const w = 1 / (1 - lean[0] * ax - lean[1] * ay);
    return { x: middle.x + ax * w, y: middle.y + ay * w };
  }

  // How a small step in the picture is one on the table.
  slope(x, y) {
    const { middle, lean: [lx, ly], matrix: [p, q, , r] } = this, dx = x - middle.x, dy = y - middle.y;
    const w = 1 + lx * dx + ly * dy, k = 1 / (w * w);
    const j = [(w - dx * lx) * k, -dx * ly * k, -dy * lx * k, (w - dy * ly) * k];
    return [p * j[0] + q * j[2], p * j[1] + q * j[3], q * j[0] + r * j[2], q * j[1] + r * j[3]];
  }

  // Whether places come out within such a part of the same.
  isLike({ lean, matrix }, part = 0.01) {
    const far = Math.max(this.middle.x, this.middle.y);
    return lean.every((one, at) => Math.abs(one - this.lean[at]) * far < part)
      && matrix.every((one, at) => Math.abs(one - this.matrix[at]) < part);
  }

  // Marks at their places on the table; bars by their ends.
  marks({ round, long }) {
    return {
      pips: round.map((one) => {
        const [a, b, c, d] = this.slope(one.x, one.y);
        return { ...this.onto(one.x, one.y), radius: one.radius * Math.sqrt(Math.abs(a * d - b * c)), seen: one };
      }),
      bars: long.map((one) => {
        const dx = (Math.cos(one.angle) * one.length) / 2, dy = (Math.sin(one.angle) * one.length) / 2;
        const from = this.onto(one.x - dx, one.y - dy), to = this.onto(one.x + dx, one.y + dy);
        const length = Math.hypot(to.x - from.x, to.y - from.y);
        return {
          x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, length,
          u: { x: (to.x - from.x) / length, y: (to.y - from.y) / length }, seen: one,
        };
      }),
    };
  }
}

// The table that these round marks lie on, which are mostly pips.
export function tableOf(round, { width, height }) {
  const middle = { x: width / 2, y: height / 2 };
  const large = round.filter((one) => one.radius >= SMALLEST), alike = large.filter((one) => hasNeighbours(one, large));
  const from = alike.length >= 6 ? alike : large;
  return from.length < 6 ? new Table(middle) : tableUnder(from, middle);
}

// The table that these pips lie on.
export function tableUnder(pips, middle) {
  if (pips.length < 2) return new Table(middle);
  const lean = leaning(pips, middle), flat = new Table(middle, lean);
  const ones = [], others = [];
  for (const { x, y, a, b, c } of pips) {
    const [ja, jb, jc, jd] = flat.slope(x, y);
    const xx = ja * ja * a + 2 * ja * jb * b + jb * jb * c, yy = jc * jc * a + 2 * jc * jd * b + jd * jd * c;
    const xy = ja * jc * a + (ja * jd + jb * jc) * b + jb * jd * c;
    const size = Math.sqrt(Math.max(1e-9, xx * yy - xy * xy));
    ones.push((xx - yy) / size);
    others.push((2 * xy) / size);
  }
  return new Table(middle, lean, rounding(median(ones) / 2, median(others) / 2));
}

// The matrix that makes an ellipse round that is so much longer along x than y, and along the diagonals.
function rounding(one, other) {
  const stretch = Math.min(STEEPEST, Math.hypot(one, other)), angle = Math.atan2(other, one) / 2;
  const g = Math.asinh(stretch) / 2, along = Math.exp(-g), across = Math.exp(g), dx = Math.cos(angle), dy = Math.sin(angle);
  return [
    along * dx * dx + across * dy * dy, (along - across) * dx * dy,
    (along - across) * dx * dy, along * dy * dy + across * dx * dx,
  ];
}

// Pips grow as the table comes nearer: their size goes by the third half power of that.
function leaning(pips, middle) {
  const rows = pips.map(({ x, y, radius }) => ({ x: x - middle.x, y: y - middle.y, size: Math.log(radius) }));
  let fit = [median(rows.map(({ size }) => size)), 0, 0];
  const scale = Math.max(middle.x, middle.y);
  for (let round = 0; round < ROUNDS; round += 1) {
    const m = [[1e-3, 0, 0, 1e-3 * fit[0]], [0, FLAT, 0, 0], [0, 0, FLAT, 0]];
    for (const { x, y, size } of rows) {
      const k = [1, x / scale, y / scale], off = (size - fit[0] - fit[1] * k[1] - fit[2] * k[2]) / SPREAD;
      const w = 1 / (1 + off * off) ** 2;
      for (let i = 0; i < 3; i += 1) {
        for (let j = 0; j < 3; j += 1) m[i][j] += w * k[i] * k[j];
        m[i][3] += w * k[i] * size;
      }
    }
    fit = solved(m) ?? fit;
  }
  return [fit[1] / 1.5 / scale, fit[2] / 1.5 / scale].map((one) => Math.max(-0.6, Math.min(0.6, one * scale)) / scale);
}

// The solution of three equations; null: there is none.
export function solved(m) {
  for (let i = 0; i < 3; i += 1) {
    if (Math.abs(m[i][i]) < 1e-12) return null;
    for (let j = i + 1; j < 3; j += 1) {
      const part = m[j][i] / m[i][i];
      for (let k = i; k < 4; k += 1) m[j][k] -= part * m[i][k];
    }
  }
  const z = m[2][3] / m[2][2], y = (m[1][3] - m[1][2] * z) / m[1][1];
  return [(m[0][3] - m[0][1] * y - m[0][2] * z) / m[0][0], y, z];
}

function hasNeighbours(mark, marks) {
  const least = mark.radius / ALIKE, most = mark.radius * ALIKE, reach = NEIGHBOURS * mark.radius;
  let near = 0;
  for (const other of marks) {
    const dx = other.x - mark.x, dy = other.y - mark.y;
    if (dx > reach || dx < -reach || dx * dx + dy * dy >= reach * reach || other === mark) continue;
    if (other.radius >= least && other.radius <= most) near += 1;
    if (near === 2) return true;
  }
  return false;
}

// ------------------------------------------------------------------ sizes
// The size of tiles at each place: all lie on one table, so their size changes evenly across the photo.

const SIZE_ROUNDS = 5, NEVER = 0.12;

// A function that gives by how much a pose's size differs from the size expected at its place (0.1: ten per
// cent); null if no pose is sure.
export function sizes(sure) {
  if (!sure.length) return null;
  const rows = sure.map(({ at }) => ({ x: at.c.x / 1000, y: at.c.y / 1000, size: Math.log(rowOf(at)) }));
  const usual = median(rows.map(({ size }) => size));
  let fit = [usual, 0, 0];
  for (let round = 0; round < SIZE_ROUNDS && sure.length > 3; round += 1) {
    fit = weighted(rows, fit) ?? fit;
  }
  return ({ c, ...at }) => Math.log(rowOf({ c, ...at })) - fit[0] - (fit[1] * c.x) / 1000 - (fit[2] * c.y) / 1000;
}

// A better fit of the sizes: flat unless they say otherwise, with little weight for those that are far off.
function weighted(rows, [base, across, down]) {
  const m = [[0.01, 0, 0, 0.01 * base], [0, 0.02, 0, 0], [0, 0, 0.02, 0]];
  for (const { x, y, size } of rows) {
    const off = (size - base - across * x - down * y) / NEVER, w = 1 / (1 + off * off) ** 2, k = [1, x, y];
    for (let i = 0; i < 3; i += 1) {
      for (let j = 0; j < 3; j += 1) m[i][j] += w * k[i] * k[j];
      m[i][3] += w * k[i] * size;
    }
  }
  return solved(m);
}

// ------------------------------------------------------------------ poses beside others
// Where further tiles may lie: beside those that are seen, and where pips are left that stand as on a half. A
// bar that glare or a spinner pin hides is found so.

const KNOWN = 0.5;  // of a tile's width: a pose nearer to one that is known is the same
const SMALLER = 0.72, LARGER = 1.4;  // than the set's pips: no pip of it
const MOST_LEFT = 90, MOST_BEGUN = 120;
const APART = 0.09;  // of the distance of two pips: so much it may be off
const PAIRS = [  // how two pips of a half stand to each other, in rows; the half's middle from the first
  { far: Math.SQRT2, turn: Math.PI / 4, middles: [[0, 0], [1, 1]] },
  { far: 2, turn: 0, middles: [[1, 1], [1, -1]] },
  { far: 2 * Math.SQRT2, turn: Math.PI / 4, middles: [[1, 1]] },
];

const NARROWEST = 2.1, WIDEST = 4.6;  // rows, in radii of a pip
const OFF_CORNER = 0.12, OF_SIZE = 1.35, PIPS_OF_PAIR = 5, MOST_SQUARES = 80, MOST_OF_SQUARES = 120;

// The poses beside a tile, straight on, across, around the corner and side by side.
export function beside({ u, v, ...one }) {
  const { half } = one, here = { u, v, ...one }, turned = { u: v, v: { x: -u.x, y: -u.y } }, found = [];
  const put = (along, away, turn) => {
    found.push(pose(place(here, along * half, away * half), turn ? turned.u : u, turn ? turned.v : v, half));
  };
  for (const way of [-1, 1]) {
    put(0, 4 * way, false);
    put(0, 3 * way, true);
    put(3 * way, 0, true);
    put(2 * way, 0, false);
    for (const side of [-1, 1]) {
      put(side, 3 * way, true);
      put(3 * way, side, true);
      put(2 * way, 2 * side, false);
    }
  }
  return found;
}

// Those of the poses beside these tiles whose place nothing takes yet.
export function free(tiles, known) {
  const taken = tiles.flatMap(({ at }) => halves(at)), found = [];
  for (const { at } of tiles) {
    const reach = 2 * at.half * rowOf(at);
    for (const one of beside(at)) {
      const clear = halves(one).every((a) => taken.every((b) => Math.hypot(a.x - b.x, a.y - b.y) > 0.6 * reach));
      const isNew = known.every((other) => !isAlike(one, other, reach));
      if (clear && isNew) found.push(one);
    }
  }
  return found;
}

export function isAlike(one, other, reach) {
  const near = Math.hypot(one.c.x - other.c.x, one.c.y - other.c.y) < KNOWN * 0.3 * reach;
  const turned = Math.abs(one.v.x * other.u.x + one.v.y * other.u.y) / (Math.hypot(one.v.x, one.v.y) * Math.hypot(other.u.x, other.u.y));
  return near && turned < 0.3;
}

// By how much a mark is larger than a pip of this set would be at its place.
export function sizeOf(pip, { u, v, half }, { radius, off }) {
  const here = { c: pip, u, v, half };
  return pip.radius / (radius * rowOf(here) * Math.exp(-off(here)));
}

// The poses, moved to their pips, that pips make of which two stand as on one half; `left`: those that lie on no tile.
export function fromPips(left, near, { tiles, usual }) {
  const [{ at: like }] = tiles, found = new Map();
  const sized = left.map((pip) => ({ pip, size: sizeOf(pip, like, usual) })).filter(({ size }) => size > SMALLER && size < LARGER);
  sized.sort((one, other) => Math.abs(Math.log(one.size)) - Math.abs(Math.log(other.size)));
  const pips = sized.slice(0, MOST_LEFT).map(({ pip }) => pip);
  for (const one of pips) {
    const row = rowOf(like) * Math.exp(-usual.off({ ...like, c: one }));
    for (const other of pips) {
      if (other === one) continue;
      const dx = other.x - one.x, dy = other.y - one.y, far = Math.hypot(dx, dy) / row;
      for (const pair of PAIRS) {
        if (Math.abs(far - pair.far) > APART * pair.far) continue;
        for (const begun of posesOf(one, Math.atan2(dy, dx) - pair.turn, row, pair.middles, like.half)) {
          const made = { ...refined(begun, near), bar: null }, { c, v } = made.at;
          const key = [c.x, c.y, v.x, v.y].map((value) => Math.round(value / (0.4 * row))).join();
          if (made.own.length > 1 && !found.has(key)) found.set(key, made);
        }
      }
    }
  }
  return [...found.values()].sort((one, other) => other.own.length - one.own.length).slice(0, MOST_BEGUN);
}

// Four round marks at the corners of a square, as on a half with four pips or more: its middle, and its rows. Those
// on the most even ground alone, as a print may have thousands.
export function squaresOf(pips, near) {
  const found = [];
  for (const one of pips) {
    for (const other of near.within(one.x, one.y, 2 * WIDEST * one.radius)) {
      const dx = other.x - one.x, dy = other.y - one.y, far = Math.hypot(dx, dy), size = (one.radius + other.radius) / 2;
      if (far < 2 * NARROWEST * size || far > 2 * WIDEST * size || !isOfSize(one, other)) continue;
      // Of the four sides of a square only one points so.
      if (dx <= 0 || dx < Math.abs(dy)) continue;
      const corners = [[one, -dy, dx], [other, -dy, dx]].map(([from, x, y]) => near.within(from.x + x, from.y + y, OFF_CORNER * far).find((pip) => isOfSize(one, pip)));
      if (corners.every(Boolean)) {
        const [three, four] = corners, mean = (name) => (one[name] + other[name] + three[name] + four[name]) / 4;
        const u = { x: (other.x - one.x + four.x - three.x) / 4, y: (other.y - one.y + four.y - three.y) / 4 };
        const even = Math.min(...[one, other, three, four].map(({ seen }) => seen.even ?? 1));
        found.push({ c: { x: mean("x"), y: mean("y") }, u, v: { x: -u.y, y: u.x }, even });
      }
    }
  }
  return found.sort((one, other) => other.even - one.even).slice(0, MOST_SQUARES);
}

function isOfSize(one, other) {
  return one.radius < OF_SIZE * other.radius && other.radius < OF_SIZE * one.radius;
}

// The poses, moved to their pips, of tiles that have one of these squares on a half, whose middle lies `half` rows
// from the bar.
export function fromSquares(squares, near, half) {
  const all = squares.flatMap(({ c, u, v }) => [[u, v], [v, { x: -u.x, y: -u.y }]].flatMap(([along, away]) => [-1, 1].map((side) => (
    { ...refined(pose({ x: c.x + side * half * away.x, y: c.y + side * half * away.y }, along, away, half), near), bar: null }))));
  return all.filter(({ own }) => own.length >= PIPS_OF_PAIR).sort((one, other) => other.own.length - one.own.length).slice(0, MOST_OF_SQUARES);
}

// The tiles with a half whose rows go along this angle, its middle so many rows from a pip: the other half may
// lie on either side of it.
function posesOf({ x, y }, angle, row, middles, half) {
  const u = { x: row * Math.cos(angle), y: row * Math.sin(angle) }, v = { x: -u.y, y: u.x };
  return middles.flatMap(([i, j]) => {
    const middle = { x: x + i * u.x + j * v.x, y: y + i * u.y + j * v.y };
    return [[u, v], [v, { x: -u.x, y: -u.y }]].flatMap(([along, away]) => [-1, 1].map((side) => (
      pose({ x: middle.x + side * half * away.x, y: middle.y + side * half * away.y }, along, away, half))));
  });
}
