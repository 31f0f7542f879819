// The table under the photo: from the sizes and shapes of the pips, how the camera was tilted, and places
// from the picture to the table seen straight from above, and back.

import { median } from "./measure.js";

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

  // Whether places come out within a hundredth of the same.
  isLike({ lean, matrix }) {
    const far = Math.max(this.middle.x, this.middle.y);
    return lean.every((one, at) => Math.abs(one - this.lean[at]) * far < 0.01)
      && matrix.every((one, at) => Math.abs(one - this.matrix[at]) < 0.01);
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
  let near = 0;
  for (const other of marks) {
    const ratio = other.radius / mark.radius;
    if (ratio < 1 / ALIKE || ratio > ALIKE || other === mark) continue;
    if (Math.hypot(other.x - mark.x, other.y - mark.y) < NEIGHBOURS * mark.radius) near += 1;
  }
  return near >= 2;
}
