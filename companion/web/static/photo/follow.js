// Where further tiles may lie: beside those that are seen, and where pips are left that stand as on a half. A
// bar that glare or a spinner pin hides is found so.

import { halves, place, pose, refined, rowOf } from "./pose.js";

const KNOWN = 0.5;  // of a tile's width: a pose nearer to one that is known is the same
const SMALLER = 0.72, LARGER = 1.4;  // than the set's pips: no pip of it
const MOST_LEFT = 90, MOST_BEGUN = 120;
const APART = 0.09;  // of the distance of two pips: so much it may be off
const PAIRS = [  // how two pips of a half stand to each other, in rows; the half's middle from the first
  { far: Math.SQRT2, turn: Math.PI / 4, middles: [[0, 0], [1, 1]] },
  { far: 2, turn: 0, middles: [[1, 1], [1, -1]] },
  { far: 2 * Math.SQRT2, turn: Math.PI / 4, middles: [[1, 1]] },
];

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
