// Reads the canvas of a photo in a worker, which is ended afterwards, so that its memory is free again.

import { pixelsOf, Unreadable } from "./decode.js";

const LONGEST_MS = 20000;

// The tiles; null: the reading was stopped. `begun` gets the function that stops it. Throws Unreadable,
// also after `longestMs`.
export async function tilesIn(canvas, begun = () => {}, longestMs = LONGEST_MS) {
  const told = await answered(canvas, {}, begun, longestMs);
  return told && told.tiles;
}

// The tile that somebody points at, in the form that README.md describes; null: nothing there looks like one, or
// it was stopped. `where` is `{ x, y }`, a place on it near its middle, or `{ corners }`, four in turn, all in
// pixels of the canvas; `known` are the tiles that were read, which tell how large tiles are.
export async function tileIn(canvas, where, known = [], begun = () => {}, longestMs = LONGEST_MS) {
  const told = await answered(canvas, { where, known: known.map(({ corners }) => ({ corners })) }, begun, longestMs);
  return told && told.tile;
}

// What the worker answers; null: it was stopped.
function answered(canvas, asked, begun, longestMs) {
  const { width, height } = canvas, { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  return new Promise((done, fail) => {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    const end = (settle, value) => {
      clearTimeout(late);
      worker.terminate();
      settle(value);
    };
    const late = setTimeout(() => end(fail, new Unreadable("photo.too-slow")), longestMs);
    worker.onmessage = ({ data: told }) => end(done, told);
    worker.onerror = () => end(fail, new Unreadable("photo.no-reader"));
    begun(() => end(done, null));
    worker.postMessage({ ...asked, width, height, data: data.buffer }, [data.buffer]);
  });
}

// The result for a photo, as README.md describes it.
export async function toldOf(blob, longestMs = LONGEST_MS) {
  const from = performance.now();
  try {
    const { canvas, part } = await pixelsOf(blob), tiles = await tilesIn(canvas, () => {}, longestMs);
    const inPhoto = (corner) => corner.map((one) => Math.round(one / part * 10) / 10);
    return {
      width: Math.round(canvas.width / part), height: Math.round(canvas.height / part),
      tiles: tiles.map((tile) => ({ ...tile, corners: tile.corners.map(inPhoto) })),
      refused: null, ms: Math.round(performance.now() - from),
    };
  } catch (fault) {
    if (!(fault instanceof Unreadable)) throw fault;
    return { width: 0, height: 0, tiles: [], refused: fault.message, ms: Math.round(performance.now() - from) };
  }
}
