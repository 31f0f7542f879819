// Reads a photo in a worker, then shows it beside the record, or as the tiles that somebody holds. It
// changes nothing by itself: what it proposes is tapped, previewed and confirmed like anything else.

import { pixelsOf, Unreadable } from "./decode.js";
import { tilesIn } from "./reading.js";
import { Shown } from "./shown.js";

let shown = null;

// `further`: the photo shows what an earlier one, which is shown still, did not.
export async function photographed(file, what, keying, further = false) {
  shown = shown ?? new Shown((rest) => photographed(rest, shown.what, shown.keying, true));
  keying.photo = shown;
  shown.begin(what, keying, further);
  try {
    const { canvas: photo } = await pixelsOf(file);
    const tiles = await tilesIn(photo, (stop) => { shown.stop = stop; });
    if (tiles !== null) shown.show(photo, tiles);
  } catch (fault) {
    if (!(fault instanceof Unreadable)) throw fault;
    shown.refuse(fault.message);
  }
}
