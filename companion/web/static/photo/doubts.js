// Finds what makes a tile doubtful. People are asked about a tile with any doubt, and it is never told as
// sure, so that no mistake is silent.

import { halves, rowOf } from "./pose.js";

const UNCLEAR = 0.4;  // a place is unclear if it is so far both from a pip and from none
const FAINT_BAR = 0.55, NO_END = 0.3;
const SIZE = 0.11, SKEW = 0.17, LONGER = 0.16;
const STRANGE = 0.16, UNEVEN = 0.3;
const GLARING = { dark: 244, light: 150 }, BRIGHTER = 1.08;  // so bright (of 255) that pips may be lost
const DARK = 14;  // or so dark
const BESIDE = 1.25;  // of a tile's width
const RIVAL = 0.75;  // another pose counts as a rival if it has so much of the tile's worth
const UNLIKELY = 0.5;  // a number that the second opinion finds less likely is doubtful
const CLEARS = 0.98;  // one that it finds so likely clears some doubts, within these limits:
const CERTAIN = 0.999;  // one that it finds so likely clears that, too, where pips are unclear
const CLEARED = { worst: 0.75, off: 0.2, skew: 0.28, longer: 0.25 };
const FEW = 2;  // with fewer tiles that have many pips, nothing tells what the set looks like
const ENOUGH_PIPS = 3;

export function doubtsOf(tiles, poses, which, usual, over) {
  const names = new Map();
  for (const { sides } of tiles) names.set(nameOf(sides), (names.get(nameOf(sides)) ?? 0) + 1);
  const middles = tiles.map(({ at }) => halves(at));
  return tiles.map((tile) => {
    const found = own(tile, usual);
    if (names.get(nameOf(tile.sides)) > 1) found.push("twice");
    if (over.some((pip) => isBeside(pip, tile))) found.push("pips-over");
    if (hasRival(tile, poses, which, middles)) found.push("rival");
    if (tile.least < UNLIKELY) found.push("second");
    return tile.least < CLEARS ? found : found.filter((doubt) => !isCleared(doubt, tile));
  });
}

// Whether the second opinion, which is sure of both halves and of the bar between, clears this doubt.
function isCleared(doubt, { worst, off, skew, longer, least }) {
  if (doubt === "unclear") return worst < CLEARED.worst || least > CERTAIN;
  if (doubt === "size") return Math.abs(off) < CLEARED.off;
  if (doubt === "shape") return skew < CLEARED.skew && longer < CLEARED.longer;
  return ["no-bar", "no-end", "uneven", "alone", "pips-over", "rival"].includes(doubt);
}

function nameOf(sides) {
  return sides.map(({ pips }) => pips).sort().join();
}

function own({ own: pips, sides, worst, dark, beyond, off, skew, longer, strange }, usual) {
  const found = [], total = sides[0].pips + sides[1].pips;
  if (worst > UNCLEAR) found.push("unclear");
  if (dark < FAINT_BAR) found.push("no-bar");
  if (beyond > NO_END) found.push("no-end");
  if (Math.abs(off) > SIZE) found.push("size");
  if (skew > SKEW || longer > LONGER) found.push("shape");
  if (total === 0 && strange > STRANGE || sides.some((side) => side.pips === 0 && isLost(side, usual))) found.push("colour");
  if (worst > 0.2 && sides.some(({ uneven }) => uneven > UNEVEN)) found.push("uneven");
  if (usual.sure < FEW && (total === 0 || pips.length < ENOUGH_PIPS)) found.push("alone");
  return found;
}

// Whether pips on a half that seems blank may be lost in glare or in the dark.
function isLost({ lit }, usual) {
  return lit > usual.lit * BRIGHTER && lit > (usual.light ? GLARING.light : GLARING.dark) || lit < DARK;
}

// Whether a pip that belongs to no tile lies so near this one that it may be the tile's own, or that of a
// tile across it.
function isBeside(pip, { at }) {
  const reach = BESIDE * 2 * at.half * rowOf(at);
  return halves(at).some(({ x, y }) => Math.hypot(pip.x - x, pip.y - y) < reach);
}

// Whether another pose fits nearly as well in the place of this tile, and has a half where no tile lies.
function hasRival(tile, poses, which, middles) {
  return tile.rivals.some((at) => {
    const other = poses[at];
    if (which.includes(at) || other.worth < RIVAL * tile.worth) return false;
    const reach = 0.8 * 2 * other.at.half * rowOf(other.at);
    return halves(other.at).some((a) => middles.every((both) => both.every((b) => Math.hypot(a.x - b.x, a.y - b.y) > reach)));
  });
}
