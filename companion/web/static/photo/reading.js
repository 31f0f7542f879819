// Reads the canvas of a photo in a worker, which is ended afterwards, so that its memory is free again.

import { pixelsOf, Unreadable } from "./decode.js";

const LONGEST_MS = 20000;

// The tiles; null: the reading was stopped. `begun` gets the function that stops it. Throws Unreadable,
// also after `longestMs`.
export function tilesIn(canvas, begun = () => {}, longestMs = LONGEST_MS) {
  const { width, height } = canvas, { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  return new Promise((done, fail) => {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    const end = (settle, value) => {
      clearTimeout(late);
      worker.terminate();
      settle(value);
    };
    const late = setTimeout(() => end(fail, new Unreadable("photo.too-slow")), longestMs);
    worker.onmessage = ({ data: { tiles } }) => end(done, tiles);
    worker.onerror = () => end(fail, new Unreadable("photo.no-reader"));
    begun(() => end(done, null));
    worker.postMessage({ width, height, data: data.buffer }, [data.buffer]);
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
