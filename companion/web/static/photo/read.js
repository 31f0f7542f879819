// Reads the dominoes of a photo. Nothing here knows a browser or a game: an image is its width, its height and
// four bytes a pixel, as a canvas has them.

import { onBodies } from "./bodies.js";
import { doubtsOf } from "./doubts.js";
import { isDrawn } from "./drawn.js";
import { findMarks, plane, RUNS } from "./marks.js";
import { measures } from "./measure.js";
import { corners } from "./pose.js";
import { tableOf } from "./table.js";
import { tilesOf } from "./tiles.js";

export const WORKING = 1600;  // pixels of the longer side: larger photos are made smaller first
const CLOSE = 0.42;  // photos from close by are read smaller still
const WORTH_A_TRY = 0.45;  // of the best score, where another way to see the photo is tried, too
const MOST_TILES = 60;

// The tiles that are seen: of each its name, its corners and halves in the picture, how well it fits, and
// what makes it doubtful; a tile without doubts is told as sure.
export function read(image) {
  const ways = [];
  for (const [part, small] of [[1, image], [CLOSE, smaller(image, CLOSE)]]) {
    for (const light of [false, true]) ways.push(seenBy(small, light, part, RUNS.slice(0, 2)));
  }
  ways.sort((one, other) => other.score - one.score);
  let best = { worth: 0, tiles: [] };
  for (const [at, way] of ways.entries()) {
    // A print may have more votes than the tiles on it: a way without tiles is followed by the next.
    const isLikely = at < 2 && way.score >= ways[0].score * WORTH_A_TRY;
    if (way.score <= 2 || (best.tiles.length && !isLikely)) break;
    const whole = seenBy(way.image, way.light, way.part, RUNS.slice(2), way);
    const found = tilesOf(whole, likelySets);
    if (found.worth > best.worth) best = { ...found, part: way.part };
  }
  const tiles = best.tiles.length > MOST_TILES ? [] : told(best);
  const drawn = isDrawn(image, tiles.map(({ corners }) => corners));
  return { width: image.width, height: image.height, tiles: drawn ? tiles.map(asked) : tiles, found: best };
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
  return tiles.map(({ at, sides, worth }, number) => {
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
