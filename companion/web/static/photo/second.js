// The second opinion: a small network that tells the number on a half, trained with simulated halves
// (tests/photos/train_halves.py). It sees the half and a little of what lies around it.

import { WEIGHTS } from "./weights.js";

const SIZE = 28, SHOWS = 1.3, INNER = 4;  // as in tests/photos/half_pictures.py
const FINER = 2;  // places looked at for one pixel, each way
const NEARLY = 0.08;  // of half a tile's width: poses nearer to each other are one
const CLASSES = 8, NO_HALF = 7, HIDDEN = 40;
const KERNELS = [{ side: 5, planes: 1, made: 8 }, { side: 3, planes: 8, made: 16 }, { side: 3, planes: 16, made: 32 }];

let layers = null;

// The layers from the file: of each its scales, its biases, and its weights as whole numbers.
function unpacked() {
  const text = atob(WEIGHTS), bytes = Uint8Array.from(text, (one) => one.charCodeAt(0)), view = new DataView(bytes.buffer);
  const last = KERNELS[KERNELS.length - 1].made * (SIZE / 4) ** 2;
  const shapes = [...KERNELS.map(({ side, planes, made }) => [side * side * planes, made]), [last, HIDDEN], [HIDDEN, CLASSES]];
  let from = 0;
  return shapes.map(([into, out]) => {
    const bias = new Float32Array(out), weights = new Float32Array(into * out);
    for (let made = 0; made < out; made += 1) {
      const scale = view.getFloat32(from + 4 * made, true);
      bias[made] = view.getFloat32(from + 4 * (out + made), true);
      for (let at = 0; at < into; at += 1) weights[made * into + at] = view.getInt8(from + 8 * out + made * into + at) * scale;
    }
    from += out * (8 + into);
    return { into, out, bias, weights };
  });
}

// Asks the network about poses on one straightened picture, each once.
export class Second {
  constructor(look) {
    this.look = look;
    this.told = new Map();
  }

  // What it says of both halves of a pose, in their order.
  both(pose) {
    const { c, u, v, half } = pose, cell = half * NEARLY * Math.hypot(u.x, u.y);
    const key = [c.x, c.y, half * u.x, half * u.y, half * v.x, half * v.y].map((one) => Math.round(one / cell)).join();
    if (!this.told.has(key)) this.told.set(key, [-1, 1].map((side) => opinion(pictureOf(this.look, pose, side))));
    return this.told.get(key);
  }
}

// What the network says of a picture of a half: the likeliest number, or null for none; how sure it is of that,
// 0 to 1; and how likely all of 0 to 6 and none are.
export function opinion(picture) {
  layers = layers || unpacked();
  let values = normalised(picture), wide = SIZE;
  KERNELS.forEach(({ side, planes }, at) => {
    values = convolved(values, wide, side, planes, layers[at]);
    if (at < 2) {
      values = pooled(values, wide, layers[at].out);
      wide /= 2;
    }
  });
  const shares = likely(full(full(values, layers[3], true), layers[4], false));
  let best = 0;
  for (let at = 1; at < CLASSES; at += 1) if (shares[at] > shares[best]) best = at;
  return { pips: best === NO_HALF ? null : best, sure: shares[best], none: shares[NO_HALF], shares };
}

// The half and what lies around it, the bar at the upper edge.
function pictureOf(look, { c, u, v, half }, side) {
  const made = new Float32Array(SIZE * SIZE), step = (SHOWS * 2 * half) / SIZE, fine = step / FINER;
  const edge = -SHOWS * half + fine / 2, { width, height, values } = look.picture;
  for (let y = 0, at = 0; y < SIZE; y += 1) {
    for (let x = 0; x < SIZE; x += 1, at += 1) {
      let sum = 0;
      for (let part = 0; part < FINER * FINER; part += 1) {
        const along = edge + x * step + (part % FINER) * fine, away = side * (half + edge + y * step + Math.floor(part / FINER) * fine);
        const { x: px, y: py } = look.table.back(c.x + along * u.x + away * v.x, c.y + along * u.y + away * v.y);
        const left = Math.max(0, Math.min(width - 2, Math.floor(px))), top = Math.max(0, Math.min(height - 2, Math.floor(py)));
        const fx = Math.max(0, Math.min(1, px - left)), fy = Math.max(0, Math.min(1, py - top)), from = top * width + left;
        sum += (values[from] * (1 - fx) + values[from + 1] * fx) * (1 - fy) + (values[from + width] * (1 - fx) + values[from + width + 1] * fx) * fy;
      }
      made[at] = sum / (FINER * FINER * 255);
    }
  }
  return made;
}

// How much lighter each pixel is than the half's body, whose brightness most of the half has.
function normalised(picture) {
  const inner = [];
  for (let y = INNER; y < SIZE - INNER; y += 1) for (let x = INNER; x < SIZE - INNER; x += 1) inner.push(picture[y * SIZE + x]);
  const body = Float32Array.from(inner).sort()[Math.floor(inner.length * 0.6)], scale = 1 / (0.5 * body + 0.08);
  return picture.map((one) => Math.max(-2, Math.min(2, (one - body) * scale)));
}

// A convolution with zeros around the picture; what is less than zero becomes zero.
function convolved(values, wide, side, planes, { into, out, bias, weights }) {
  const edge = side >> 1, row = side * planes, around = wide + 2 * edge, padded = new Float32Array(around * around * planes);
  for (let y = 0; y < wide; y += 1) padded.set(values.subarray(y * wide * planes, (y + 1) * wide * planes), ((y + edge) * around + edge) * planes);
  const made = new Float32Array(wide * wide * out), seen = new Float32Array(into);
  for (let y = 0, to = 0; y < wide; y += 1) {
    for (let x = 0; x < wide; x += 1) {
      for (let line = 0; line < side; line += 1) {
        const from = ((y + line) * around + x) * planes;
        for (let at = 0; at < row; at += 1) seen[line * row + at] = padded[from + at];
      }
      // Four planes at once: each value that is seen is fetched once for all of them.
      for (let plane = 0, at = 0; plane < out; plane += 4, at += 4 * into, to += 4) {
        let a = bias[plane], b = bias[plane + 1], c = bias[plane + 2], d = bias[plane + 3];
        for (let one = 0, first = at; one < into; one += 1, first += 1) {
          const value = seen[one];
          a += value * weights[first];
          b += value * weights[first + into];
          c += value * weights[first + 2 * into];
          d += value * weights[first + 3 * into];
        }
        made[to] = a > 0 ? a : 0;
        made[to + 1] = b > 0 ? b : 0;
        made[to + 2] = c > 0 ? c : 0;
        made[to + 3] = d > 0 ? d : 0;
      }
    }
  }
  return made;
}

// The largest of each two by two.
function pooled(values, wide, planes) {
  const small = wide / 2, made = new Float32Array(small * small * planes);
  for (let y = 0, to = 0; y < small; y += 1) {
    for (let x = 0; x < small; x += 1) {
      const from = (2 * y * wide + 2 * x) * planes, below = from + wide * planes;
      for (let plane = 0; plane < planes; plane += 1, to += 1) {
        made[to] = Math.max(values[from + plane], values[from + planes + plane], values[below + plane], values[below + planes + plane]);
      }
    }
  }
  return made;
}

function full(values, { into, out, bias, weights }, rectified) {
  const made = new Float32Array(out);
  for (let to = 0, at = 0; to < out; to += 1) {
    let sum = bias[to];
    for (let one = 0; one < into; one += 1, at += 1) sum += values[one] * weights[at];
    made[to] = rectified && sum < 0 ? 0 : sum;
  }
  return made;
}

function likely(scores) {
  const most = Math.max(...scores), powers = scores.map((one) => Math.exp(one - most)), sum = powers.reduce((all, one) => all + one, 0);
  return powers.map((one) => one / sum);
}
