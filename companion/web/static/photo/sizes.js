// The size of tiles at each place: all lie on one table, so their size changes evenly across the photo.

import { rowOf } from "./pose.js";
import { median } from "./measure.js";
import { solved } from "./table.js";

const ROUNDS = 5, NEVER = 0.12;

// A function that gives by how much a pose's size differs from the size expected at its place (0.1: ten per
// cent); null if no pose is sure.
export function sizes(sure) {
  if (!sure.length) return null;
  const rows = sure.map(({ at }) => ({ x: at.c.x / 1000, y: at.c.y / 1000, size: Math.log(rowOf(at)) }));
  const usual = median(rows.map(({ size }) => size));
  let fit = [usual, 0, 0];
  for (let round = 0; round < ROUNDS && sure.length > 3; round += 1) {
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
