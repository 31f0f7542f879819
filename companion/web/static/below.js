// A phone that keys shows the player's turn on its first screen and everything else below it; one key leads
// down, and one back. Whatever needs the player at once brings the first screen back by itself.

import { lessMotion } from "./motion.js";
import { at } from "./parts.js";

const narrow = matchMedia("(max-width: 39.99rem)");

export function placeBelow() {
  at("see-more").addEventListener("click", () => {
    const there = at("more-ways").hidden ? document.querySelector(".whoami") : at("more-ways");
    there.scrollIntoView({ behavior: lessMotion() ? "auto" : "smooth" });
  });
  at("to-turn").addEventListener("click", () => scrollTo(0, 0));
  const watched = new IntersectionObserver(([{ isIntersecting: isSeen }]) => {
    document.body.classList.toggle("below", !isSeen);
  });
  watched.observe(document.querySelector(".at-hand"));
}

// Goes back to the first screen of a phone.
export function toTurn() {
  if (narrow.matches && scrollY > 0) scrollTo(0, 0);
}
