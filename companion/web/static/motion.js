// Less motion: as the device wishes, unless somebody has chosen otherwise on this page. Then nothing
// counts up, flashes, buzzes or sounds.

import { keep, recall } from "./memory.js";
import { at } from "./parts.js";

const wished = matchMedia("(prefers-reduced-motion: reduce)");

export function lessMotion() {
  return recall("less-motion") ?? wished.matches;
}

// The key that chooses it.
export function placeMotion() {
  const show = () => at("less-motion").setAttribute("aria-pressed", lessMotion());
  at("less-motion").addEventListener("click", () => {
    keep("less-motion", !lessMotion());
    show();
  });
  show();
}
