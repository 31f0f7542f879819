// The two buttons for taking a photo: of the line, to check the record, and of tiles that somebody holds.
// The photo reader is loaded only once a photo was taken.

import { at, write } from "./parts.js";
import { words } from "./words.js";

const OF_LINE = "line", OF_HOLDING = "holding";

export function placePhotographs(keying) {
  for (const what of [OF_LINE, OF_HOLDING]) {
    at(`photo-of-${what}`).addEventListener("change", async ({ target }) => {
      const [file] = target.files;
      target.value = "";  // the next photo may have the same name
      if (!file) return;
      try {
        const { photographed } = await import("./photo/photo.js");
        await photographed(file, what, keying);
      } catch (fault) {
        write("answer", words("photo.not-loaded"));
        throw fault;
      }
    });
  }
}

// Shows the buttons if a photo can be read: for tiles of a double-six set, on a page that may key.
export function offerPhotographs({ keys, moment, plays, photo }, asks) {
  const six = plays && keys.set === "double-six" && moment.table?.kind === "line";
  at("photo-line").hidden = !(six && moment.table.tiles.length);
  at("photo-holding").hidden = !(six && asks === "show");
  photo?.renew();
}
