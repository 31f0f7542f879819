// Less motion: nothing counts up, flashes, buzzes or sounds. It is on if the device asks for it, unless
// somebody has chosen otherwise on this page.

import { at, keep, recall } from "./parts.js";

const wished = matchMedia("(prefers-reduced-motion: reduce)");

export function lessMotion() {
  return recall("less-motion") ?? wished.matches;
}

// Puts the key for choosing it on the page.
export function placeMotion() {
  const show = () => at("less-motion").setAttribute("aria-pressed", lessMotion());
  at("less-motion").addEventListener("click", () => {
    keep("less-motion", !lessMotion());
    show();
  });
  show();
}
