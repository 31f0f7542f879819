// Reads photos beside the page, which goes on meanwhile.

import { read } from "./read.js";

addEventListener("message", ({ data }) => {
  const { tiles } = read({ ...data, data: new Uint8ClampedArray(data.data) });
  postMessage({ tiles });
});
