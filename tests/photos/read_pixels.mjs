// Reads photos in Node itself, for `measure.py --fast`: from the input the width and height of each, as four bytes, and
// its pixels, four bytes each. Prints a line of JSON a photo: its tiles, and the milliseconds of processor time.

import { readSync } from "node:fs";
import { read } from "../../companion/web/static/photo/read.js";

function taken(many) {
  const bytes = Buffer.alloc(many);
  for (let at = 0; at < many;) {
    const got = readSync(0, bytes, at, many - at);
    if (!got) return null;
    at += got;
  }
  return bytes;
}

for (let head = taken(8); head; head = taken(8)) {
  const width = head.readUInt32LE(0), height = head.readUInt32LE(4), data = new Uint8ClampedArray(taken(4 * width * height));
  const before = process.cpuUsage(), { tiles } = read({ width, height, data }), { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ width, height, tiles, refused: null, ms: Math.round((user + system) / 1000) }));
}
