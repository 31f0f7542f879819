// A photo that was taken: read in a worker, then shown beside the record, or as what is held. It changes
// nothing by itself: what it proposes is tapped, previewed and confirmed as anything else is.

import { pixelsOf, Unreadable } from "./decode.js";
import { tilesIn } from "./reading.js";
import { Shown } from "./shown.js";

let shown = null;

export async function photographed(file, what, keying) {
  shown = shown ?? new Shown();
  keying.photo = shown;
  shown.begin(what, keying);
  try {
    const { canvas: photo } = await pixelsOf(file);
    const tiles = await tilesIn(photo, (stop) => { shown.stop = stop; });
    if (tiles !== null) shown.show(photo, tiles);
  } catch (fault) {
    if (!(fault instanceof Unreadable)) throw fault;
    shown.refuse(fault.message);
  }
}
