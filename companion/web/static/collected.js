// The tiles or cards collected so far for one entry, in their order. A tap takes one off again or, if it
// has an upper half, turns it over; then only the picker takes it off.

import { colour, named, shown } from "./cards.js";
import { at, button, clear, words } from "./parts.js";
import { face } from "./picker.js";

export class Collected {
  constructor(tray) {
    this.tray = tray;
  }

  show(chosen, collects, off) {
    const place = at("collected");
    place.hidden = !chosen.length;
    const drawn = JSON.stringify([chosen, off]);
    if (place.dataset.drawn === drawn) return;
    place.dataset.drawn = drawn;
    clear(place);
    chosen.forEach((one, number) => {
      const key = button(place, "", "", () => off || this.tap(number, collects));
      if (one.includes("-")) {
        key.className = collects.turns ? "tile upright" : "tile";
        key.append(face(one));
        key.setAttribute("aria-label", collects.turns ? words("keying.turn-over", { tile: one }) : words("keying.take-off", { tile: one }));
      } else {
        key.className = `card ${colour(one[1] ?? "")}`;
        key.textContent = shown(one);
        key.setAttribute("aria-label", words("keying.take-off", { tile: named(one) }));
      }
      key.setAttribute("aria-disabled", off);
    });
  }

  tap(number, { turns }) {
    const { chosen } = this.tray;
    const turned = chosen[number].split("-").reverse().join("-");
    this.tray.choose(turns ? chosen.map((one, at) => (at === number ? turned : one)) : chosen.filter((_, at) => at !== number));
  }
}
