// Reads the dominoes of a photo. Nothing here knows a browser: an image is its width, its height and four bytes a
// pixel, as a canvas has them. Of the game it knows that halves that touch have the same number.

import { unlike } from "./halves.js";
import { RUNS, findMarks, onBodies, plane } from "./marks.js";
import { measures, median } from "./measure.js";
import { corners, halves, place, rowOf, tableOf } from "./pose.js";
import { tilesOf } from "./tiles.js";

const CLOSE = 0.42;  // photos from close by are read smaller still
const WORTH_A_TRY = 0.45;  // of the best score, where another way to see the photo is tried, too
const FITS = 0.6;  // tiles that fit worse on average may be print
const CLEAR_SCORE = 8, CLEARLY = 0.15;  // votes, and the part of them that the other pips have
const NEARBY = 2.5;  // widths of a tile
const MOST_WAYS = 3;
const MOST_TILES = 60, ENOUGH_TILES = 4;

// The tiles that are seen: of each its name, its corners and halves in the picture, how well it fits, and
// what makes it doubtful; a tile without doubts is told as sure.
export function read(image) {
  const close = waysOf(smaller(image, CLOSE), CLOSE, [false, true]);
  // Where pips are clearly dark, or clearly light, the larger picture is looked at for these alone.
  const isClear = close[0].score > CLEAR_SCORE && close[1].score < CLEARLY * close[0].score;
  const ways = [...close, ...waysOf(image, 1, isClear ? [close[0].light] : [false, true])].sort(byScore);
  let best = { worth: 0, tiles: [] };
  for (const [at, way] of ways.slice(0, MOST_WAYS).entries()) {
    // A print may have more votes than the tiles on it: a way without tiles is followed by the next.
    const isLikely = at < 2 && way.score >= ways[0].score * WORTH_A_TRY;
    if (way.score <= 2 || (best.worth > FITS * Math.max(1, best.tiles.length) && !isLikely)) break;
    const whole = seenBy(way.image, way.light, way.part, RUNS.slice(2), way);
    const found = tilesOf(whole, likelySets, isWhole);
    if (found.worth > best.worth) best = { ...found, part: way.part };
    if (isWhole(best)) break;
  }
  const tiles = best.tiles.length > MOST_TILES ? [] : told(best);
  const drawn = isDrawn(image, tiles.map(({ corners }) => corners));
  return { width: image.width, height: image.height, tiles: drawn ? tiles.map(asked) : tiles, found: best };
}

// Ways to see an image, with light pips or with dark ones, the likeliest first.
function waysOf(image, part, lights) {
  return lights.map((light) => seenBy(image, light, part, RUNS.slice(0, 2))).sort(byScore);
}

function byScore(one, other) {
  return other.score - one.score;
}

// Whether all is explained: no tile is doubtful, and no pip is left near them. On a print those that are left may be
// printed where the table is straight, the tiles are one line, and none is left where that may go on.
function isWhole({ tiles, poses, usual, which, over, isBusy }, isStraight = true) {
  const isNear = tiles.some((tile) => over.some((pip) => isBeside(pip, tile, NEARBY)));
  return tiles.length >= ENOUGH_TILES && (!isNear || isBusy && isStraight && isOneLine(tiles) && !hasPipBeyond(tiles, over))
    && doubtsOf(tiles, poses, which, usual, over).every((found) => found && !found.length);
}

// Whether each tile can be reached from each by halves that lie at each other and match, and none matches no other
// that lies at it.
function isOneLine(tiles) {
  const middles = tiles.map(({ at }) => halves(at)), reached = new Set([0]);
  for (const at of reached) {
    for (const side of [0, 1]) {
      const found = tiles.map((_, other) => (other === at ? null : matchOf(tiles, middles, [other], at, side)));
      if (found.includes(false) && !found.includes(true)) return false;
      found.forEach((isMatching, other) => isMatching && reached.add(other));
    }
  }
  return reached.size === tiles.length;
}

// Whether a pip is left where a further tile's half may lie and no tile does: beyond the halves of each tile, or at
// either side of a double.
function hasPipBeyond(tiles, over) {
  const taken = tiles.flatMap(({ at }) => halves(at));
  return tiles.some(({ at, sides: [one, other] }) => {
    const wide = 2 * at.half * rowOf(at), ways = one.pips === other.pips ? [[0, 3], [0, -3], [2, 0], [-2, 0]] : [[0, 3], [0, -3]];
    return ways.map(([along, away]) => place(at, along * at.half, away * at.half)).some(({ x, y }) => (
      taken.every((half) => Math.hypot(half.x - x, half.y - y) > 0.8 * wide) && over.some((pip) => Math.hypot(pip.x - x, pip.y - y) < 1.1 * wide)));
  });
}

// What is seen of the image in one way.
function seenBy(image, light, part, runs, before) {
  const picture = before?.picture ?? plane(image, light), marks = onBodies(picture, findMarks(picture, light, runs, before?.marks));
  const table = tableOf(marks.round, image), sets = likelySets(table, marks);
  return { image, light, part, picture, marks, table, sets, score: sets.length ? sets[0].score : 0 };
}

// A tile of a picture that was drawn: it lies on no table.
function asked(tile) {
  return { ...tile, doubts: [...tile.doubts, "drawn"], asks: true };
}

function likelySets(table, marks) {
  return measures(table.marks(marks));
}

function told({ tiles, part, table, poses, usual, which, over }) {
  const doubts = doubtsOf(tiles, poses, which, usual, over);
  return tiles.flatMap(({ at, sides, worth }, number) => {
    if (!doubts[number]) return [];
    const seenAt = ({ x, y }) => {
      const place = table.back(x, y);
      return [Math.round(place.x / part * 10) / 10, Math.round(place.y / part * 10) / 10];
    };
    const numbers = sides.map(({ pips }) => pips);
    return {
      tile: [...numbers].sort((one, other) => other - one).join("-"), halves: numbers,
      others: others(sides), corners: corners(at).map(seenAt),
      fit: Math.round(worth * 1000) / 1000, doubts: doubts[number], asks: doubts[number].length > 0,
    };
  });
}

// What else it might be: with the next number on either half.
function others([one, other]) {
  const name = (a, b) => [a, b].sort((x, y) => y - x).join("-");
  return [[other.margin, name(one.pips, other.next)], [one.margin, name(one.next, other.pips)]]
    .sort(([a], [b]) => a - b).map(([, tile]) => tile);
}

// The image at a part of its size, each pixel the mean of those it stands for.
export function smaller({ width, height, data }, part) {
  const wide = Math.max(1, Math.round(width * part)), high = Math.max(1, Math.round(height * part));
  const made = new Uint8ClampedArray(wide * high * 4);
  for (let y = 0; y < high; y += 1) {
    const top = Math.floor((y * height) / high), low = Math.max(top + 1, Math.floor(((y + 1) * height) / high));
    for (let x = 0; x < wide; x += 1) {
      const left = Math.floor((x * width) / wide), right = Math.max(left + 1, Math.floor(((x + 1) * width) / wide));
      let red = 0, green = 0, blue = 0;
      for (let py = top; py < low; py += 1) {
        for (let px = left, at = (py * width + left) * 4; px < right; px += 1, at += 4) {
          red += data[at];
          green += data[at + 1];
          blue += data[at + 2];
        }
      }
      const many = (low - top) * (right - left), to = (y * wide + x) * 4;
      made[to] = red / many;
      made[to + 1] = green / many;
      made[to + 2] = blue / many;
      made[to + 3] = 255;
    }
  }
  return { width: wide, height: high, data: made };
}

// ------------------------------------------------------------------ doubts
// Finds what makes a tile doubtful. People are asked about a tile with any doubt, and it is never told as
// sure, so that no mistake is silent.

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
const PRINTED = 3;  // pips that no tile has, for each tile: with more they are printed on the ground
const BAR_ENDS = 0.15, BACKED_ON_PRINT = 0.8;  // there they say nothing about a tile that has a bar and is so likely
const FEW_PIPS = 2, OTHER_COLOUR = 0.22, TOUCHES = 1.6;  // printed fields look like tiles with so few pips
const ALIKE = { colour: 0.05, size: 0.03, least: 0.95 };  // tiles of one set differ less, printed ones more
const CLEARED = { worst: 0.75, off: 0.2, skew: 0.28, longer: 0.25 };
const FEW = 2;  // with fewer tiles that have many pips, nothing tells what the set looks like
const ENOUGH_PIPS = 3;
const MATCHES = 1.4, MATCH_ROUNDS = 2;  // widths of a tile
const MATCHED = 0.9, AGREED = 0.75, NEARLY_CLEAR = 0.5;  // where one half matches: of the other half, how likely and how clear
const FEWEST_SURE = 3;
const OF_NUMBERS = ["unclear", "second", "uneven", "colour"], OF_POSES = ["no-bar", "no-end", "size", "shape", "pips-over", "rival", "alone"];

// Of each tile what makes it doubtful; null: it is no tile, but print.
function doubtsOf(tiles, poses, which, usual, over) {
  if (!tiles.length) return [];
  const middles = tiles.map(({ at }) => halves(at)), touching = tiles.map((tile, at) => tilesBeside(tiles, middles, at));
  const dimmest = Math.min(...tiles.flatMap(({ sides }) => sides.filter((side) => side.pips && side.worst < UNCLEAR).map(({ lit }) => lit)));
  const isLine = 2 * touching.filter(({ length }) => length).length > tiles.length, isPrinted = over.length > PRINTED * tiles.length;
  const doubts = tiles.map((tile, at) => {
    const found = own({ ...tile, strange: Math.min(tile.strange, strangeBeside(tile, touching[at])) }, usual, dimmest), few = pipsOf(tile) <= FEW_PIPS;
    if (few && isLine && !touching[at].length) found.push("apart");
    const isClear = isPrinted && tile.beyond < BAR_ENDS && tile.least > BACKED_ON_PRINT;
    if (!isClear && over.some((pip) => isBeside(pip, tile))) found.push("pips-over");
    if (hasRival(tile, poses, which, middles)) found.push("rival");
    if (tile.least < UNLIKELY) found.push("second");
    return tile.least < CLEARS ? found : found.filter((doubt) => !isCleared(doubt, tile));
  });
  clearMatched(tiles, middles, doubts);
  const names = tiles.map(({ sides }) => nameOf(sides));
  if (hasPrinted(names, doubts)) tiles.forEach((tile, at) => isAlike(tile) && tile.least > ALIKE.least || doubts[at].push("printed"));
  const all = withTwice(tiles, names, doubts), sure = new Set(tiles.filter((_, at) => !all[at].length));
  const isSeen = tiles.map((tile, at) => !all[at].length || !isPrint(tile, all[at], isLine ? touching[at] : null, sure));
  return all.map((found, at) => (isSeen[at] ? found : null));
}

// Whether a doubtful tile is so likely print that nobody is asked about it. In a line, one that is blank and lies at no
// blank half, or that the second opinion doesn't see and that lies at no tile that it sees; elsewhere, one that is
// there twice and has other doubts, too. `touching`: the tiles at it, null: there is no line.
function isPrint(tile, doubts, touching, sure) {
  const isUnlikely = tile.least < UNLIKELY;
  if (!touching || sure.size < FEWEST_SURE) return isUnlikely && doubts.includes("twice") && doubts.length > 2;
  if (pipsOf(tile) === 0) return !touching.some((other) => pipsOf(other) && other.sides.some(({ pips }) => pips === 0));
  return isUnlikely && !touching.some((other) => pipsOf(other) && other.least > UNLIKELY);
}

// Whether tiles are printed on the ground, too: more than one name is there twice without another doubt.
function hasPrinted(names, doubts) {
  const clear = names.filter((_, at) => !doubts[at].length);
  return clear.length - new Set(clear).size > 1;
}

// Whether a tile has the colour and the size of the others.
function isAlike({ strange, off }) {
  return strange < ALIKE.colour && Math.abs(off) < ALIKE.size;
}

// Each tile is there once. Of those with one name the only one without doubts is it, where the others are unlike the
// set: they may be printed. Two that are alike are of two sets, and so are two lines of the same tiles.
function withTwice(tiles, names, doubts) {
  const isOdd = tiles.map((tile, at) => !isAlike(tile) || doubts[at].some((doubt) => doubt !== "printed"));
  const usual = new Set(names.filter((_, at) => !isOdd[at])), isPrint = names.some((name, at) => isOdd[at] && !usual.has(name));
  return names.map((name, at) => {
    const others = names.map((_, other) => other).filter((other) => other !== at && names[other] === name);
    const isIt = isPrint && isAlike(tiles[at]) && !doubts[at].length && others.every((other) => isOdd[other]);
    return !others.length || isIt ? doubts[at] : [...doubts[at], "twice"];
  });
}

// Clears doubts of tiles that fit their neighbours in the line as the game wants it: a half that lies at one with the
// same number of a tile without doubts. A wrong number would hardly match it, and what is no tile hardly both.
export function clearMatched(tiles, middles, doubts) {
  for (let round = 0; round < MATCH_ROUNDS; round += 1) {
    const sure = tiles.map((_, at) => at).filter((at) => !doubts[at].length);
    for (const [at, tile] of tiles.entries()) {
      if (!doubts[at].length || !pipsOf(tile)) continue;
      const matched = tile.sides.map((_, side) => matchOf(tiles, middles, sure, at, side));
      if (matched.includes(false)) continue;
      doubts[at] = doubts[at].filter((doubt) => !isMatched(doubt, tile, matched));
    }
  }
}

// Whether sure tiles lie at this half, all with its number; null: none lies there.
function matchOf(tiles, middles, sure, at, side) {
  const here = middles[at][side], reach = MATCHES * 2 * tiles[at].at.half * rowOf(tiles[at].at);
  let found = null;
  for (const other of sure) {
    const ways = middles[other].map(({ x, y }) => Math.hypot(x - here.x, y - here.y)), near = ways[0] < ways[1] ? 0 : 1;
    if (ways[near] > reach) continue;
    if (tiles[other].sides[near].pips !== tiles[at].sides[side].pips) return false;
    found = true;
  }
  return found;
}

function isMatched(doubt, { least, sides }, matched) {
  const both = matched.every(Boolean), isSeen = sides.every(({ worst, certainty }, side) => matched[side] || (worst < NEARLY_CLEAR && certainty > MATCHED));
  if (OF_NUMBERS.includes(doubt)) return both || (matched.some(Boolean) && isSeen);
  return OF_POSES.includes(doubt) && (both || (matched.some(Boolean) && least > AGREED));
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

function own({ own: pips, sides, worst, dark, beyond, off, skew, longer, strange }, usual, dimmest) {
  const found = [], total = pipsOf({ sides });
  if (worst > UNCLEAR) found.push("unclear");
  if (dark < FAINT_BAR) found.push("no-bar");
  if (beyond > NO_END) found.push("no-end");
  if (Math.abs(off) > SIZE) found.push("size");
  if (skew > SKEW || longer > LONGER) found.push("shape");
  if (total === 0 && strange > STRANGE || total <= FEW_PIPS && strange > OTHER_COLOUR || sides.some((side) => side.pips === 0 && isLost(side, usual, dimmest))) found.push("colour");
  if (worst > 0.2 && sides.some(({ uneven }) => uneven > UNEVEN)) found.push("uneven");
  if (usual.sure < FEW && (total === 0 || pips.length < ENOUGH_PIPS)) found.push("alone");
  return found;
}

// Whether pips on a half that seems blank may be lost in glare or in the dark: it is darker than any
// half on which pips are seen.
function isLost({ lit }, usual, dimmest) {
  return lit > usual.lit * BRIGHTER && lit > (usual.light ? GLARING.light : GLARING.dark) || lit < DARK && lit < dimmest;
}

// Whether a pip that belongs to no tile lies so near this one that it may be the tile's own, or that of a
// tile across it.
function isBeside(pip, { at }, widths = BESIDE) {
  const reach = widths * 2 * at.half * rowOf(at);
  return halves(at).some(({ x, y }) => Math.hypot(pip.x - x, pip.y - y) < reach);
}

// The other tiles that lie so near this one as in a line.
function tilesBeside(tiles, middles, own) {
  const reach = TOUCHES * 2 * tiles[own].at.half * rowOf(tiles[own].at);
  return tiles.filter((_, other) => other !== own && middles[other].some((a) => middles[own].some((b) => Math.hypot(a.x - b.x, a.y - b.y) < reach)));
}

// How much each half is unlike the most similar half beside it on a tile with many pips, 0 to 1.
function strangeBeside({ sides }, beside) {
  const near = beside.filter((other) => pipsOf(other) > FEW_PIPS).flatMap((other) => other.sides.map(({ lit }) => lit));
  return Math.max(...sides.map(({ lit }) => Math.min(1, ...near.map((other) => unlike(lit, other)))));
}

function pipsOf({ sides: [one, other] }) {
  return one.pips + other.pips;
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

// ------------------------------------------------------------------ drawn pictures
// Finds pictures that a program drew, such as a screenshot of a table's own page: their tiles lie
// straighter than any hand would lay them or hold a camera, and large parts are of exactly one colour.

const FEWEST = 4;  // with fewer tiles nothing can be said
const STRAIGHT = 0.8;  // degrees: half of a drawn picture's tiles are off by less
const FLAT = 0.25, AWAY = 24;  // the share of a drawn picture's pixels that equal the one so many pixels away
const CLIPPED = { dark: 8, light: 253 };  // of 255: beyond these a camera sees no difference either

// Whether an image with tiles that have these corners was drawn.
export function isDrawn(image, corners) {
  return corners.length >= FEWEST && median(corners.map(slant)) < STRAIGHT && flat(image) > FLAT;
}

// By how many degrees a tile is off from upright or level.
function slant([from, to]) {
  const degrees = (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI, off = ((degrees % 90) + 90) % 90;
  return Math.min(off, 90 - off);
}

// The share of pixels (of every other one) that equal one some blocks of a JPEG away, 0 to 1: within a block those of
// a compressed photo are equal, too.
function flat({ width, height, data }) {
  let same = 0, seen = 0;
  for (let y = 0; y < height; y += 2) {
    for (let x = 0, at = y * width * 4; x < width - AWAY; x += 2, at += 8) {
      const red = data[at], green = data[at + 1], blue = data[at + 2];
      if (Math.max(red, green, blue) <= CLIPPED.dark || Math.min(red, green, blue) >= CLIPPED.light) continue;
      seen += 1;
      const away = at + 4 * AWAY;
      if (red === data[away] && green === data[away + 1] && blue === data[away + 2]) same += 1;
    }
  }
  return seen ? same / seen : 0;
}
