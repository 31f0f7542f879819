// Where further tiles may lie: beside those that are seen. A bar that glare or a spinner pin hides is found so.

import { halves, place, pose, rowOf } from "./pose.js";

const KNOWN = 0.5;  // of a tile's width: a pose nearer to one that is known is the same

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
