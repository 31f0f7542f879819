// What the picture shows where a tile may lie: at each of its 18 places a pip or none, and a bar between.

import { place } from "./pose.js";
import { nearest, PLACES } from "./patterns.js";
import { median } from "./measure.js";

const DISC = [0, 0, ...ring(5, 0.5), ...ring(7, 1)], RING = ring(9, 1), SMALL = [0, 0, ...ring(4, 1)];
const BETWEEN = [-1.5, -0.5, 0.5, 1.5];
const BEYOND = [0.7, 0.76, 0.82, 0.87, 0.92, 0.96];  // of the way to the side: somewhere there the bar has ended
const FAINT = 0.3;  // of what the set's pips show: less is none
const PLAIN = 8;  // of 255: keeps what is nearly black from looking full of pips

// Places on a circle, x and y in turn.
function ring(many, at) {
  return Array.from({ length: many }, (_, n) => [at * Math.cos((2 * Math.PI * n) / many), at * Math.sin((2 * Math.PI * n) / many)]).flat();
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
    return Math.abs(a - b) / (Math.max(a, b) + PLAIN);
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
