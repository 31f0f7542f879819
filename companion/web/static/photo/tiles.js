// The tiles of a photo: poses from its bars, moved to their pips, read, and chosen.

import { Look, Second, seen, told } from "./halves.js";
import { Nearby, median } from "./measure.js";
import { Table, free, fromPips, fromSquares, halves, poseOfBar, refined, rowOf, shapeOf, sizeOf, sizes, squaresOf, tableUnder } from "./pose.js";

const LIKELY = 0.35;  // a pose that fits worse is none
const FOLLOWS = 3, STRAIGHTENS = 2, NEARLY_STRAIGHT = 0.06;
const SIZE_OFF = 0.22;  // so much larger or smaller than the others no tile is
const SKEW = 0.4, LONGER = 0.35;  // nor so far from square
const STRANGE = 0.72;  // nor is a blank one so unlike the others in colour
const SURE = 0.5, PIPS_OF_SURE = 4;
const NONE = 0.6;  // how much a pose loses whose halves are none by the second opinion
const BACKED = 0.9, WORTH_BACKED = 0.7;  // a pose that fits poorly is kept where the second opinion is so sure
const UNCLEAR = 0.4, CLEARER = 0.95;  // a place is so unclear that the second opinion, if so sure, names the number
const KNOWN = 0.8, SURELY_KNOWN = 0.97, MOST_TRIED = 24;  // poses that tell what the set looks like
const MOST_BACKED = 60;
const MANY_BARS = 90;  // with as many the ground is printed or woven
const ENOUGH_SURE = 3, MANY = 12, HALVES = [1.72, 1.85, 1.98];  // rows from the bar to a half's middle
const MOST_BLANK = 2, AT_END = 1.4;  // of a tile's width

// Reads what lies on a table whose marks and likely sets are known (see marks.js, measure.js).
export function tilesOf({ picture, marks, table, sets, light }, measured, isWhole) {
  const flat = new Table(table.middle), isFlat = flat.isLike(table);
  let at = table, found = readBy(picture, marks, table, sets, light, isFlat);
  if (!isFlat && found.tiles.length < MANY && found.tiles.filter(isSure).length < ENOUGH_SURE) {
    // A print's round marks may tell of a tilt that is none. Where it looks like many tiles that is slow, and helps little.
    const again = readBy(picture, marks, flat, measured(flat, marks), light, true);
    if (again.worth > found.worth) [at, found] = [flat, again];
  }
  for (let round = 0; round < STRAIGHTENS; round += 1) {
    // The tiles that are seen tell better than pips alone how the table lies.
    const sure = found.tiles.filter(isSure);
    if (sure.length < 2) break;
    const better = tableUnder(sure.map(({ at: pose }) => circleOn(at, pose)), at.middle);
    if (better.isLike(at) || isWhole(found, round > 0 || better.isLike(at, NEARLY_STRAIGHT))) break;
    const again = readBy(picture, marks, better, measured(better, marks), light);
    if (again.worth < found.worth * 0.98) break;
    [at, found] = [better, again];
  }
  return { ...found, light, table: at };
}

// How a circle looks in the picture that is one row of this tile wide.
function circleOn(table, { c, u, v }) {
  const middle = table.back(c.x, c.y);
  const [ux, uy] = stepOn(table, c, u), [vx, vy] = stepOn(table, c, v);
  const a = ux * ux + vx * vx, b = ux * uy + vx * vy, d = uy * uy + vy * vy;
  return { ...middle, a, b, c: d, radius: Math.sqrt(Math.sqrt(Math.max(1e-9, a * d - b * b))) };
}

function stepOn(table, c, step) {
  const to = table.back(c.x + step.x / 2, c.y + step.y / 2), from = table.back(c.x - step.x / 2, c.y - step.y / 2);
  return [to.x - from.x, to.y - from.y];
}

function readBy(picture, marks, table, sets, light, hasSquares = false) {
  const { pips, bars } = table.marks(marks), look = new Look(picture, table, light), near = new Nearby(pips, 64);
  look.second = new Second(look);
  let best = { tiles: [], worth: 0, poses: [], all: [] };
  for (const set of sets) {
    const all = bars.map((bar) => ({ ...refined(poseOfBar(bar, set), near, bar), bar }));
    const found = chosen(look, all, all);
    if (found.worth > best.worth) best = { ...found, set, all };
  }
  if (hasSquares && best.tiles.filter(isSure).length < ENOUGH_SURE) best = withoutBars(look, near, pips, best);
  const found = followed(look, near, pips, best, best.isOfSquares ? bars : []);
  return { ...found, isBusy: bars.length >= MANY_BARS, over: found.tiles.length ? leftOver(look, pips, found.tiles, found.usual) : [] };
}

// What squares of pips tell, where that is more than bars do: a spinner pin parts bars, and prints are full of strokes.
function withoutBars(look, near, pips, first) {
  const squares = squaresOf(pips, near);
  let best = first;
  for (const half of squares.length ? HALVES : []) {
    const all = fromSquares(squares, near, half), found = chosen(look, all, all);
    if (found.worth > best.worth) best = { ...found, all, isOfSquares: true };
  }
  return best;
}

// Looks beside the tiles that were found, and at the bars that didn't tell of them, as long as that finds more.
function followed(look, near, pips, first, bars) {
  let best = first;
  for (let round = 0; round < FOLLOWS && best.tiles.length; round += 1) {
    const known = best.poses.map(({ at }) => at);
    const more = free(best.tiles, known).map((from) => ({ ...refined(from, near), bar: null }));
    if (round === 0) more.push(...bars.map((bar) => ({ ...refined(poseLike(best, bar), near, bar), bar })));
    if (round === 0) more.push(...fromPips(pips.filter((pip) => best.tiles.every(({ at }) => !isOn(pip, at))), near, best));
    const found = chosen(look, [...best.poses, ...more], best.all);
    const grown = found.tiles.length > best.tiles.length || found.worth > best.worth + 0.2;
    if (grown) best = { ...found, set: best.set, all: best.all };
    else break;
  }
  return best;
}

// The pose of a tile with this bar that is as large as the tiles that were found.
function poseLike({ tiles: [{ at }], usual }, bar) {
  const pitch = (rowOf(at) * Math.exp(-usual.off({ ...at, c: bar }))) / bar.length;
  return poseOfBar(bar, { pitch, half: at.half * pitch });
}

function chosen(look, poses, all) {
  const usual = usualOf(look, all);
  if (usual === null) return { poses: [], tiles: [], rivals: [], worth: 0 };
  let read = judged(look, poses, usual), { chosen: which, rivals } = choose(read);
  if (which.filter((at) => isBlank(read[at])).length > MOST_BLANK) {
    read = withoutFields(read, which.map((at) => read[at]).filter((one) => !isBlank(one)));
    ({ chosen: which, rivals } = choose(read));
  }
  const tiles = which.map((at) => ({ ...read[at], rivals: rivals[at] }));
  return { usual, poses: read, tiles, rivals, which, worth: tiles.reduce((sum, { worth }) => sum + worth, 0) };
}

// The poses without printed fields, which look like blank tiles: a set has one, so where there are more, those are left
// out that lie at no blank half of `tiles`.
function withoutFields(poses, tiles) {
  const ends = tiles.flatMap(({ at, sides }) => halves(at).filter((_, side) => sides[side].pips === 0));
  return poses.filter((one) => {
    const reach = AT_END * 2 * one.at.half * rowOf(one.at);
    return !isBlank(one) || halves(one.at).some((a) => ends.some((b) => Math.hypot(a.x - b.x, a.y - b.y) < reach));
  });
}

function isBlank({ sides }) {
  return sides.every(({ pips }) => pips === 0);
}

// What the tiles with many pips have in common: how large pips are, how dark, how large tiles are where, and
// how bright they are; null: there are none.
function usualOf(look, all) {
  const many = all.filter(({ own }) => own.length > 2), known = knownOf(look, many), full = known.length > 1 ? known : many;
  if (!full.length) return null;
  const radius = median(full.flatMap(({ at, own }) => own.map(({ pip }) => pip.radius / rowOf(at))));
  for (const one of full) one.shows = one.shows === undefined ? seen(look, one.at, radius) : one.shows;
  const inside = full.filter(({ shows }) => shows !== null);
  const strong = inside.flatMap(({ own, shows }) => own.map(({ side, i, j }) => shows.sides[side < 0 ? 0 : 1].places[(j + 1) * 3 + i + 1]));
  const pip = median(strong.filter((one) => one > 0.15)) || 0.5;
  const fits = inside.map((one) => judge(one, pip)), sure = fits.filter(isSure);
  // Worn or blurred pips fit no tile well, while the second opinion knows some.
  const like = sure.length || known.length < 2 ? sure : fits, off = sizes(like);
  const body = median(like.flatMap(({ sides }) => sides.map((side) => side.body)));
  return off && { radius, pip, off, body, light: look.light, lit: look.light ? 255 - body : body, sure: sure.length };
}

// Those of the poses with many pips that the second opinion takes for tiles with as many: where it is surer of some,
// these alone, as the others may be printed on the ground.
function knownOf(look, many) {
  const found = [];
  for (const one of [...many].sort((a, b) => b.own.length - a.own.length).slice(0, MOST_TRIED)) {
    const said = look.second.of(one.at);
    if (!isKnown(said.first) || !isKnown(said.other)) continue;
    const least = Math.min(said.first.sure, said.other.sure);
    if (Math.abs(said.first.pips + said.other.pips - one.own.length) < 2) found.push({ one, least });
  }
  const surer = found.filter(({ least }) => least > SURELY_KNOWN);
  return (surer.length > 1 ? surer : found).map(({ one }) => one);
}

function isKnown({ pips, sure }) {
  return pips !== null && sure > KNOWN;
}

function isSure({ own, worth }) {
  return own.length >= PIPS_OF_SURE && worth > SURE;
}

// The poses that may be tiles, beside what is usual. Where none of that size can be nothing is looked at.
function judged(look, poses, { radius, pip, off, body }) {
  const read = [], poor = [];
  for (const one of poses) {
    const far = off(one.at), { skew, longer } = shapeOf(one.at);
    if (Math.abs(far) > SIZE_OFF || skew > SKEW || longer > LONGER) continue;
    if (one.shows === undefined) one.shows = seen(look, one.at, radius);
    if (one.shows === null) continue;
    const made = judge(one, pip), strange = Math.max(...made.sides.map((side) => look.unlike(side.body, body)));
    for (const side of made.sides) side.lit = look.light ? 255 - side.body : side.body;
    const worth = made.worth * (1 - (far / SIZE_OFF) ** 2) * (isBlank(made) ? blank(strange, made) : 1);
    if (worth > LIKELY) read.push(backed(look, { ...made, worth, off: far, strange }));
    else if (one.own.length > 1) poor.push({ ...made, worth, off: far, strange });
  }
  poor.sort((one, other) => other.own.length - one.own.length || other.worth - one.worth);
  for (const one of poor.slice(0, MOST_BACKED)) {
    const made = backed(look, one, BACKED);
    if (made?.least > BACKED) read.push({ ...made, worth: WORTH_BACKED * made.least });
  }
  return read.filter(({ worth }) => worth > LIKELY);
}

// A pose beside the second opinion: `least` is how likely it finds the less likely of the numbers that are told.
// Null: its first half is less likely than `wanted`.
function backed(look, one, wanted = 0) {
  const said = look.second.of(one.at), first = numbered(one.sides[0], said.first);
  if (said.first.shares[first.pips] < wanted) return null;
  const other = numbered(one.sides[1], said.other), none = Math.max(said.first.none, said.other.none);
  const least = Math.min(said.first.shares[first.pips], said.other.shares[other.pips]);
  for (const [side, { shares }] of [[first, said.first], [other, said.other]]) side.certainty = shares[side.pips];
  return { ...one, sides: [first, other], least, worth: one.worth * (1 - NONE * none) };
}

// The half with the number that the second opinion gives it, where a place is so unclear.
function numbered(side, { pips, sure }) {
  const isOther = side.worst > UNCLEAR && pips !== null && pips !== side.pips && sure > CLEARER;
  return isOther ? { ...side, pips, next: side.pips } : side;
}

// A bar alone is soon found where there is none: what lies around it has to look like a tile.
function blank(strange, { beyond, worst }) {
  return Math.max(0, 1 - (strange / STRANGE) ** 2) * (strange > 0.4 && (beyond > 0.3 || worst > 0.15) ? 0 : 1);
}

// Pips of this set that lie on something as bright as its tiles, and on none of these.
function leftOver(look, pips, tiles, usual) {
  const { pip: contrast, body } = usual;
  return pips.filter((pip) => {
    const size = sizeOf(pip, tiles[0].at, usual);
    if (size < 0.72 || size > 1.4) return false;
    if (tiles.some(({ at }) => isOn(pip, at))) return false;
    const around = [[2, 0], [-2, 0], [0, 2], [0, -2]].map(([x, y]) => look.brightness(pip.x + x * pip.radius, pip.y + y * pip.radius));
    return look.contrast(look.brightness(pip.x, pip.y), median(around)) > 0.5 * contrast && around.filter((one) => look.unlike(one, body) < 0.3).length > 2;
  });
}

function isOn({ x, y }, { c, u, v, half }) {
  const across = u.x * v.y - u.y * v.x, dx = x - c.x, dy = y - c.y;
  const along = (dx * v.y - dy * v.x) / across, away = (dy * u.x - dx * u.y) / across;
  return Math.abs(along) < half * 1.02 && Math.abs(away) < half * 2.04;
}

// How well a pose fits a tile, 0 to 1, and why.
function judge(one, pip) {
  const { bar, ...shows } = one.shows, sides = told(shows, pip);
  const worst = Math.max(...sides.map((side) => side.worst)), dark = Math.min(1, bar.dark / (0.5 * pip));
  const ends = 1 - 0.5 * Math.min(1, Math.max(0, (bar.beyond - 0.45) / 0.4)), { skew, longer } = shapeOf(one.at);
  const shape = 1 - (skew / SKEW) ** 2 - (longer / LONGER) ** 2;
  const worth = Math.max(0, 1 - worst) * Math.max(0, dark) * ends * Math.max(0, shape);
  return { ...one, sides, worst, dark, beyond: bar.beyond, skew, longer, worth };
}

// ------------------------------------------------------------------ overlapping poses
// Chooses, of poses that overlap, those that together explain most of the photo: along a line the gaps
// between tiles look like bars, too, but such poses leave a half over at each end.

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
