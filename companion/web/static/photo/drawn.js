// Finds pictures that a program drew, such as a screenshot of a table's own page: their tiles lie
// straighter than any hand would lay them or hold a camera, and colours don't change from one pixel to the
// next.

import { median } from "./measure.js";

const FEWEST = 4;  // with fewer tiles nothing can be said
const STRAIGHT = 0.8;  // degrees: half of a drawn picture's tiles are off by less
const FLAT = 0.4;  // the share of a drawn picture's pixels that equal the next one, even in a JPEG
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

// The share of pixels (of every other one) that equal their neighbour, 0 to 1.
function flat({ width, height, data }) {
  let same = 0, seen = 0;
  for (let y = 0; y < height; y += 2) {
    for (let x = 0, at = y * width * 4; x < width - 1; x += 2, at += 8) {
      const red = data[at], green = data[at + 1], blue = data[at + 2];
      if (Math.max(red, green, blue) <= CLIPPED.dark || Math.min(red, green, blue) >= CLIPPED.light) continue;
      seen += 1;
      if (red === data[at + 4] && green === data[at + 5] && blue === data[at + 6]) same += 1;
    }
  }
  return seen ? same / seen : 0;
}
