// Reads the canvas of a photo in a worker, which is ended afterwards, so that its memory is free again.

// Turns a photo into pixels of a working size. Its own size is looked up first, so that no photo is
// unpacked that is too large for a phone.

const HEAD = 1 << 18;  // bytes in which a JPEG says its size
const MOST = 64e6, LARGE = 20e6;  // pixels
const WORKING = 1600;  // pixels of the longer side: larger photos are made smaller first
const SIZES = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);

export class Unreadable extends Error {}

// A canvas with the pixels, and what part of the photo's size that is; raises Unreadable with the key of the
// sentence that says why there are none.
export async function pixelsOf(file) {
  const said = sizeIn(new Uint8Array(await file.slice(0, HEAD).arrayBuffer()));
  if (said && said.width * said.height > MOST) throw new Unreadable("photo.too-large");
  const isLarge = said && said.width * said.height > LARGE;
  let bitmap;
  try {
    bitmap = await createImageBitmap(file, isLarge ? { resizeWidth: WORKING, resizeQuality: "high" } : {});
  } catch {
    throw new Unreadable("photo.no-picture");
  }
  const long = Math.max(bitmap.width, bitmap.height), part = Math.min(1, WORKING / long);
  const whole = isLarge ? Math.max(said.width, said.height) : long;
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * part));
  canvas.height = Math.max(1, Math.round(bitmap.height * part));
  const pen = canvas.getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return { canvas, part: Math.max(canvas.width, canvas.height) / whole };
}

// How wide and high a JPEG or PNG says it is; null: it doesn't say so here.
export function sizeIn(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length > 24 && view.getUint32(0) === 0x89504e47) return { width: view.getUint32(16), height: view.getUint32(20) };
  if (bytes.length < 4 || view.getUint16(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff;) {
    const kind = bytes[at + 1];
    if (SIZES.has(kind)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

// ------------------------------------------------------------------ worker

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
