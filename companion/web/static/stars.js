// Stars: a tap marks an entry to be remembered, and another tap unmarks it; marked entries are shown at the
// end of the evening.

import { add, at, clear, words } from "./parts.js";

// Makes stars work: `mark` is called with an entry's name, and whether it is to be marked.
export function placeStars(mark) {
  at("entries").addEventListener("click", (event) => {
    const key = event.target.closest("button.star");
    if (!key) return;
    event.stopPropagation();
    mark(key.dataset.star, key.getAttribute("aria-pressed") !== "true");
  }, true);
}

// Adds an entry's star to its line; it can be tapped only on a page that keys.
export function addStar(line, { star, said }, tappable) {
  if (!star || !(tappable || star.on)) return;
  const made = add(line, tappable ? "button" : "span", "star", star.on ? "★" : "☆");
  if (!tappable) {
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", words("star.remembered"));
    return;
  }
  made.type = "button";
  made.dataset.star = star.name;
  made.title = words("star.remember");
  made.setAttribute("aria-label", words("star.remember-entry", { entry: said.words }));
  made.setAttribute("aria-pressed", star.on);
}

export function showRemembered({ remembered, number }) {
  at("remembered").hidden = !remembered.length;
  const list = at("marked");
  clear(list);
  for (const one of remembered) {
    const line = add(list, "li");
    add(line, "span", "when", one.game === number ? words("star.hand", one) : words("star.game", one));
    add(line, "span", "said", one.said.words);
    if (one.why) add(line, "span", "because", one.why.words);
    for (const payment of one.payments) add(line, "span", "pays", payment.said.words);
  }
}
