// Reads photos beside the page, which goes on meanwhile.

import { tileAt } from "./around.js";
import { read } from "./read.js";

addEventListener("message", ({ data }) => {
  const { where, known, ...image } = data;
  image.data = new Uint8ClampedArray(image.data);
  postMessage(where ? { tile: tileAt(image, where, known) } : { tiles: read(image).tiles });
});
