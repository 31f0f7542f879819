// Where help is: the manual's chapters and the quick cards, each a page of its own.

import { add } from "./parts.js";
import { words } from "./words.js";

const PAGES = {
  "manual": words("help.manual"),
  "quick-card": words("help.quick-card"),
  "quick-card-all-fives": words("help.quick-card-all-fives"),
  "quick-card-high-fives": words("help.quick-card-high-fives"),
  "quick-card-highrise": words("help.quick-card-highrise"),
  "quick-card-high-five-tiles": words("help.quick-card-high-five-tiles"),
};

export function draw(place) {
  add(place, "h2", "", words("view.help"));
  const list = add(place, "ul", "helps");
  for (const [page, title] of Object.entries(PAGES)) {
    const link = add(add(list, "li"), "a", "", title);
    link.href = `/help/${page}`;
    link.target = "_blank";
    link.rel = "noopener";
  }
}
