// Chooses, of poses that overlap, those that together explain most of the photo: along a line the gaps
// between tiles look like bars, too, but such poses leave a half over at each end.

import { halves, rowOf } from "./pose.js";

const APART = 0.8;  // of a tile's width: halves nearer than this to each other are in one place
const TRIES = 60;

export function choose(poses) {
  const rivals = overlaps(poses), order = poses.map((_, at) => at).sort((one, other) => poses[other].worth - poses[one].worth);
  let best = greedy(poses, order, rivals);
  let seed = 1;
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const noisy = new Map(order.map((at) => [at, poses[at].worth * (0.4 + random())]));
    const other = greedy(poses, [...order].sort((one, two) => noisy.get(two) - noisy.get(one)), rivals);
    if (other.worth > best.worth + 1e-9) best = other;
  }
  return { chosen: best.chosen, rivals };
}

function greedy(poses, order, rivals) {
  const taken = new Set(), chosen = [];
  let worth = 0;
  for (const at of order) {
    if (rivals[at].some((other) => taken.has(other))) continue;
    taken.add(at);
    chosen.push(at);
    worth += poses[at].worth;
  }
  return { chosen, worth };
}

function overlaps(poses) {
  const middles = poses.map(({ at }) => halves(at)), widths = poses.map(({ at }) => 2 * at.half * rowOf(at));
  return poses.map((_, one) => poses.map((__, other) => other).filter((other) => {
    if (one === other) return false;
    const reach = APART * Math.min(widths[one], widths[other]);
    return middles[one].some((a) => middles[other].some((b) => Math.hypot(a.x - b.x, a.y - b.y) < reach));
  }));
}
