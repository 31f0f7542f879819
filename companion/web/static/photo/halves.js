// What the picture shows where a tile may lie: at each of its 18 places a pip or none, and a bar between.

import { median } from "./measure.js";
import { place } from "./pose.js";
import { WEIGHTS } from "./weights.js";

// How pips stand on a half, as a lattice of three by three. `u` goes along the bar, `v` away from it; each
// place is a bit, row by row. Two and three may lie on either diagonal, and six along either side.

const placeAt = (u, v) => 1 << ((v + 1) * 3 + u + 1);
const CORNERS = placeAt(-1, -1) | placeAt(1, -1) | placeAt(-1, 1) | placeAt(1, 1);

// Patterns of a number are all that its sets show.
export const PATTERNS = [
  { pips: 0, bits: 0 },
  { pips: 1, bits: placeAt(0, 0) },
  { pips: 2, bits: placeAt(-1, -1) | placeAt(1, 1) },
  { pips: 2, bits: placeAt(1, -1) | placeAt(-1, 1) },
  { pips: 3, bits: placeAt(-1, -1) | placeAt(0, 0) | placeAt(1, 1) },
  { pips: 3, bits: placeAt(1, -1) | placeAt(0, 0) | placeAt(-1, 1) },
  { pips: 4, bits: CORNERS },
  { pips: 5, bits: CORNERS | placeAt(0, 0) },
  { pips: 6, bits: CORNERS | placeAt(-1, 0) | placeAt(1, 0) },
  { pips: 6, bits: CORNERS | placeAt(0, -1) | placeAt(0, 1), turned: true },
];

export const PLACES = [];
for (let v = -1; v <= 1; v += 1) for (let u = -1; u <= 1; u += 1) PLACES.push({ u, v });

// The pattern that nine places (0: no pip, 1: a pip) are nearest to, how far the worst place is from it, and
// by how much the next number is farther away.
export function nearest(places) {
  const found = PATTERNS.map(({ pips, bits }) => {
    let worst = 0, sum = 0;
    places.forEach((value, place) => {
      const off = Math.abs(value - (bits >> place & 1));
      if (off > worst) worst = off;
      sum += off * off;
    });
    return { pips, bits, worst, sum };
  }).sort((one, other) => one.sum - other.sum);
  const [best] = found, next = found.find(({ pips }) => pips !== best.pips);
  return { ...best, next: next.pips, margin: Math.sqrt(next.sum) - Math.sqrt(best.sum) };
}

// ------------------------------------------------------------------ places of pips

const DISC = [0, 0, ...ring(5, 0.5), ...ring(7, 1)], RING = ring(9, 1), SMALL = [0, 0, ...ring(4, 1)];
const BETWEEN = [-1.5, -0.5, 0.5, 1.5];
const BEYOND = [0.7, 0.76, 0.82, 0.87, 0.92, 0.96];  // of the way to the side: somewhere there the bar has ended
const FAINT = 0.3;  // of what the set's pips show: less is none
const PLAIN = 8;  // of 255: keeps what is nearly black from looking full of pips

// Places on a circle, x and y in turn.
function ring(many, at) {
  return Array.from({ length: many }, (_, n) => [at * Math.cos((2 * Math.PI * n) / many), at * Math.sin((2 * Math.PI * n) / many)]).flat();
}

// How much one brightness is unlike another, 0 to 1.
export function unlike(one, other) {
  return Math.abs(one - other) / (Math.max(one, other) + PLAIN);
}

// Looks at a picture by places of the straightened table.
export class Look {
  constructor(picture, table, light) {
    Object.assign(this, { picture, table, light });
  }

  // How bright the picture is there, turned around where pips are light; NaN beyond its edge.
  brightness(x, y) {
    const { picture: { width, height, values }, table: { middle, lean, matrix } } = this;
    const ax = matrix[3] * x - matrix[1] * y, ay = matrix[0] * y - matrix[1] * x, w = 1 / (1 - lean[0] * ax - lean[1] * ay);
    const px = middle.x + ax * w, py = middle.y + ay * w;
    if (!(px >= 0 && py >= 0 && px < width - 1 && py < height - 1)) return NaN;
    const left = Math.floor(px), top = Math.floor(py), fx = px - left, fy = py - top, at = top * width + left;
    return (values[at] * (1 - fx) + values[at + 1] * fx) * (1 - fy) + (values[at + width] * (1 - fx) + values[at + width + 1] * fx) * fy;
  }

  disc(pose, along, away, radius, spots = DISC) {
    const { c, u, v } = pose;
    let sum = 0;
    for (let at = 0; at < spots.length; at += 2) {
      const a = along + spots[at] * radius, b = away + spots[at + 1] * radius;
      sum += this.brightness(c.x + a * u.x + b * v.x, c.y + a * u.y + b * v.y);
    }
    return (2 * sum) / spots.length;
  }

  // Of a pip that glare hollows the rim is as dark as it was.
  pip(pose, along, away, radius) {
    return Math.min(this.disc(pose, along, away, radius * 0.62), this.disc(pose, along, away, radius * 0.8, RING));
  }

  // How much one body's brightness is unlike another's, 0 to 1.
  unlike(one, other) {
    const [a, b] = this.light ? [255 - one, 255 - other] : [one, other];
    return unlike(a, b);
  }

  // How much darker a value is than what lies around it, 0 to 1; of a light pip how much lighter.
  contrast(value, around) {
    return this.light ? (around - value) / (255 - value + PLAIN) : (around - value) / (around + PLAIN);
  }
}

// What stands on both halves of a pose, pips of that radius (in rows); null: it isn't all in the picture.
export function seen(look, pose, radius) {
  const strokes = bar(look, pose);
  if (!Number.isFinite(strokes.dark + strokes.beyond)) return null;
  const sides = [-1, 1].map((side) => half(look, pose, side * pose.half, radius));
  return sides.some(({ places }) => places.some(Number.isNaN)) ? null : { sides, bar: strokes };
}

function half(look, pose, away, radius) {
  const between = BETWEEN.map((j) => BETWEEN.map((i) => look.disc(pose, i, away + j, 0.13, SMALL)));
  const places = PLACES.map(({ u, v }) => {
    const [a, b, c, d] = [between[v + 1][u + 1], between[v + 1][u + 2], between[v + 2][u + 1], between[v + 2][u + 2]];
    // The middle of four: what a shadow's edge or another tile's leaves out.
    const body = (a + b + c + d - Math.min(a, b, c, d) - Math.max(a, b, c, d)) / 2;
    return look.contrast(look.pip(pose, u, away + v, radius), body);
  });
  const bodies = between.flat();
  return { places, body: median(bodies), uneven: uneven(look, bodies) };
}

// How much the tile's body differs in brightness from place to place: little on one body, except at a
// shadow's edge.
function uneven(look, bodies) {
  const inner = [5, 6, 9, 10].map((at) => bodies[at]), usual = median(bodies);
  return Math.max(...inner.map((one) => Math.abs(look.contrast(Math.min(one, usual), Math.max(one, usual)))));
}

// How dark the bar is beside the body, by its fainter places and without its middle, where a pin may be;
// and how dark it is beyond its ends, where a gap between tiles would still be dark.
function bar(look, pose) {
  const found = [-0.95, -0.75, -0.55, 0.55, 0.75, 0.95].map((along) => stroke(look, pose, along)).sort((one, other) => one - other);
  const dark = (found[1] + found[2]) / 2;
  const beyond = [-1, 1].map((side) => Math.min(...BEYOND.map((part) => stroke(look, pose, side * part * pose.half))));
  return { dark, beyond: Math.max(...beyond) / Math.max(dark, 0.02) };
}

function stroke(look, pose, along) {
  const body = Math.min(look.disc(pose, along, -0.45, 0.1, SMALL), look.disc(pose, along, 0.45, 0.1, SMALL));
  let dark = 255;
  for (let off = -0.16; off <= 0.161; off += 0.04) {
    const { x, y } = place(pose, along, off);
    dark = Math.min(dark, look.brightness(x, y));
  }
  return look.contrast(dark, body);
}

// The number on each half and how well it fits, where pips of the set show `usual` contrast.
export function told({ sides }, usual) {
  return sides.map(({ places, body, uneven }) => {
    const most = Math.max(...places), blank = most < FAINT * usual;
    const scale = blank ? usual : Math.max(most * 0.92, 0.4 * usual);
    const read = nearest(places.map((one) => Math.min(1.15, Math.max(-0.3, one / scale))));
    return { ...read, most, body, uneven };
  });
}

// ------------------------------------------------------------------ second opinion
// The second opinion: a small network that tells the number on a half, trained with simulated halves
// (tests/photos/train_halves.py). It sees the half and a little of what lies around it.

const SIZE = 28, SHOWS = 1.3, INNER = 4;  // as in tests/photos/half_pictures.py
const FINER = 2;  // places looked at for one pixel, each way
const SURELY_NONE = 0.95;
const NEARLY = 0.08;  // of half a tile's width: poses nearer to each other are one
const CLASSES = 8, NO_HALF = 7, HIDDEN = 40;
const KERNELS = [{ wide: SIZE, side: 5, planes: 1, made: 8 }, { wide: SIZE / 2, side: 3, planes: 8, made: 16 }, { wide: SIZE / 4, side: 3, planes: 16, made: 32 }];
const LAST = KERNELS[2].made * KERNELS[2].wide ** 2;

let network = null;

// The network from the file, with the memory that it computes in. Numbers are doubles, which the loops below take
// as they are: single ones would be turned into doubles each time.
function unpacked() {
  const text = atob(WEIGHTS), bytes = Uint8Array.from(text, (one) => one.charCodeAt(0)), view = new DataView(bytes.buffer);
  const shapes = [...KERNELS.map(({ side, planes, made }) => [side * side * planes, made]), [LAST, HIDDEN], [HIDDEN, CLASSES]];
  let from = 0;
  const layers = shapes.map(([into, out]) => {
    const bias = new Float64Array(out), weights = new Float64Array(into * out);
    for (let made = 0; made < out; made += 1) {
      const scale = view.getFloat32(from + 4 * made, true), group = made - made % 4;
      bias[made] = view.getFloat32(from + 4 * (out + made), true);
      for (let at = 0; at < into; at += 1) {
        weights[group * into + 4 * at + made % 4] = Math.fround(view.getInt8(from + 8 * out + made * into + at) * scale);
      }
    }
    from += out * (8 + into);
    return { into, out, bias, weights };
  });
  const convolutions = KERNELS.map(({ wide, side, planes, made }, at) => {
    const around = wide + side - 1;
    return { ...layers[at], wide, side, planes, around, seen: new Float64Array(around * around * planes), found: new Float32Array(wide * wide * made) };
  });
  return { convolutions, hidden: layers[3], last: layers[4], values: new Float64Array(LAST), places: new Int32Array(LAST) };
}

// Asks the network about poses on one straightened picture, each once.
export class Second {
  constructor(look) {
    this.look = look;
    this.known = new Map();
  }

  // What it says of a pose: of each half when it is first looked at, which most poses on a print never need.
  of(pose) {
    const { c, u, v, half } = pose, cell = half * NEARLY * Math.hypot(u.x, u.y);
    const key = [c.x, c.y, half * u.x, half * u.y, half * v.x, half * v.y].map((one) => Math.round(one / cell)).join();
    if (!this.known.has(key)) this.known.set(key, new Opinions(this.look, pose));
    return this.known.get(key);
  }
}

class Opinions {
  constructor(look, pose) {
    Object.assign(this, { look, pose, one: null, two: null });
  }

  get first() {
    this.one = this.one ?? opinion(pictureOf(this.look, this.pose, -1));
    return this.one;
  }

  // Where one half is surely none, the pose is no tile: the other isn't looked at.
  get other() {
    this.two = this.two ?? (this.first.none > SURELY_NONE ? this.first : opinion(pictureOf(this.look, this.pose, 1)));
    return this.two;
  }
}

// What the network says of a picture of a half: the likeliest number, or null for none; how sure it is of that,
// 0 to 1; and how likely all of 0 to 6 and none are.
export function opinion(picture) {
  network = network ?? unpacked();
  const { convolutions: [first, second, third], hidden, last } = network;
  pad(first, normalised(picture));
  convolve(first);
  pool(first, second);
  convolve(second);
  pool(second, third);
  convolve(third);
  const shares = likely(full(full(third.found, hidden, 0), last, -Infinity));
  let best = 0;
  for (let at = 1; at < CLASSES; at += 1) if (shares[at] > shares[best]) best = at;
  return { pips: best === NO_HALF ? null : best, sure: shares[best], none: shares[NO_HALF], shares };
}

// The half and what lies around it, the bar at the upper edge. Most halves lie so far within the picture that no
// place has to be moved onto it.
function pictureOf(look, { c, u, v, half }, side) {
  const made = new Float32Array(SIZE * SIZE), step = (SHOWS * 2 * half) / SIZE, fine = step / FINER;
  const edge = -SHOWS * half + fine / 2, { width, height, values } = look.picture;
  const { middle, lean: [lx, ly], matrix: [p, q, , r] } = look.table;
  for (let y = 0, at = 0; y < SIZE; y += 1) {
    for (let x = 0; x < SIZE; x += 1, at += 1) {
      let sum = 0;
      for (let part = 0; part < FINER * FINER; part += 1) {
        const along = edge + x * step + (part % FINER) * fine, away = side * (half + edge + y * step + (part >> 1) * fine);
        const tx = c.x + along * u.x + away * v.x, ty = c.y + along * u.y + away * v.y;  // as Table.back, without an object for each place
        const ax = r * tx - q * ty, ay = p * ty - q * tx, w = 1 / (1 - lx * ax - ly * ay);
        const px = middle.x + ax * w, py = middle.y + ay * w;
        let left = Math.floor(px), top = Math.floor(py);
        left = left < 0 ? 0 : left > width - 2 ? width - 2 : left;
        top = top < 0 ? 0 : top > height - 2 ? height - 2 : top;
        let fx = px - left, fy = py - top;
        fx = fx < 0 ? 0 : fx > 1 ? 1 : fx;
        fy = fy < 0 ? 0 : fy > 1 ? 1 : fy;
        const from = top * width + left;
        sum += (values[from] * (1 - fx) + values[from + 1] * fx) * (1 - fy) + (values[from + width] * (1 - fx) + values[from + width + 1] * fx) * fy;
      }
      made[at] = sum / (FINER * FINER * 255);
    }
  }
  return made;
}

const inner = new Float32Array((SIZE - 2 * INNER) ** 2);

// How much lighter each pixel is than the half's body, whose brightness most of the half has.
function normalised(picture) {
  for (let y = INNER, at = 0; y < SIZE - INNER; y += 1, at += SIZE - 2 * INNER) inner.set(picture.subarray(y * SIZE + INNER, (y + 1) * SIZE - INNER), at);
  const body = inner.sort()[Math.floor(inner.length * 0.6)], scale = 1 / (0.5 * body + 0.08);
  return picture.map((one) => Math.max(-2, Math.min(2, (one - body) * scale)));
}

// Puts a picture with one plane into what a convolution sees, which has zeros around it.
function pad({ wide, side, around, seen }, values) {
  const edge = side >> 1;
  for (let y = 0; y < wide; y += 1) seen.set(values.subarray(y * wide, (y + 1) * wide), (y + edge) * around + edge);
}

// A convolution; what is less than zero becomes zero. Four planes of two pixels beside each other at once: a
// number is fetched once for all that need it. In a row of odd length the last pixel but one is made twice.
function convolve({ wide, side, planes, around, seen, found, out, bias, weights }) {
  const row = side * planes, next = around * planes;
  for (let y = 0; y < wide; y += 1) {
    for (let pair = 0; pair < wide; pair += 2) {
      const x = pair + 1 < wide ? pair : wide - 2, from = (y * around + x) * planes;
      let to = (y * wide + x) * out;
      for (let plane = 0, at = 0; plane < out; plane += 4, to += 4) {
        let a = bias[plane], b = bias[plane + 1], c = bias[plane + 2], d = bias[plane + 3];
        let e = a, f = b, g = c, h = d;
        for (let line = 0, first = from; line < side; line += 1, first += next) {
          for (let one = first, end = first + row; one < end; one += 1, at += 4) {
            const left = seen[one], right = seen[one + planes], k = weights[at], l = weights[at + 1], m = weights[at + 2], n = weights[at + 3];
            a += left * k;
            b += left * l;
            c += left * m;
            d += left * n;
            e += right * k;
            f += right * l;
            g += right * m;
            h += right * n;
          }
        }
        found[to] = a > 0 ? a : 0;
        found[to + 1] = b > 0 ? b : 0;
        found[to + 2] = c > 0 ? c : 0;
        found[to + 3] = d > 0 ? d : 0;
        found[to + out] = e > 0 ? e : 0;
        found[to + out + 1] = f > 0 ? f : 0;
        found[to + out + 2] = g > 0 ? g : 0;
        found[to + out + 3] = h > 0 ? h : 0;
      }
    }
  }
}

// The largest of each two by two that a convolution found, into what the next one sees.
function pool({ wide, out, found }, { wide: small, side, around, seen }) {
  const edge = side >> 1;
  for (let y = 0; y < small; y += 1) {
    for (let x = 0, to = ((y + edge) * around + edge) * out; x < small; x += 1) {
      const from = (2 * y * wide + 2 * x) * out, below = from + wide * out;
      for (let plane = 0; plane < out; plane += 1, to += 1) {
        const a = found[from + plane], b = found[from + out + plane], c = found[below + plane], d = found[below + out + plane];
        const ab = a > b ? a : b, cd = c > d ? c : d;
        seen[to] = ab > cd ? ab : cd;
      }
    }
  }
}

// A layer in which all goes into all; what is less than `least` becomes that. Zeros, which most of the numbers
// are, are left out.
function full(given, { into, out, bias, weights }, least) {
  const { values, places } = network, made = new Float32Array(out);
  let many = 0;
  for (let at = 0; at < into; at += 1) {
    if (given[at] === 0) continue;
    values[many] = given[at];
    places[many] = 4 * at;
    many += 1;
  }
  for (let to = 0; to < out; to += 4) {
    let a = bias[to], b = bias[to + 1], c = bias[to + 2], d = bias[to + 3];
    for (let one = 0; one < many; one += 1) {
      const value = values[one], at = to * into + places[one];
      a += value * weights[at];
      b += value * weights[at + 1];
      c += value * weights[at + 2];
      d += value * weights[at + 3];
    }
    made[to] = Math.max(least, a);
    made[to + 1] = Math.max(least, b);
    made[to + 2] = Math.max(least, c);
    made[to + 3] = Math.max(least, d);
  }
  return made;
}

function likely(scores) {
  const most = Math.max(...scores), powers = scores.map((one) => Math.exp(one - most)), sum = powers.reduce((all, one) => all + one, 0);
  return powers.map((one) => one / sum);
}
