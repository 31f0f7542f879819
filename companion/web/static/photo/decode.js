// Turns a photo into pixels of a working size. Its own size is looked up first, so that no photo is
// unpacked that is too large for a phone.

import { WORKING } from "./read.js";

const HEAD = 1 << 18;  // bytes in which a JPEG says its size
const MOST = 64e6, LARGE = 20e6;  // pixels
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
