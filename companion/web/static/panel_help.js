// Where help is: the chapter and the quick card of the game that is played, and the whole manual, each
// a page of its own. A game's pages are called by its name.

import { add } from "./parts.js";
import { words } from "./words.js";

export function draw(place, _told, { keying }) {
  const played = keying.moment?.game;
  add(place, "h2", "", words("view.help"));
  const list = add(place, "ul", "helps");
  const offer = (page, said) => {
    const link = add(add(list, "li"), "a", "", said);
    link.href = `/help/${page}`;
    link.target = "_blank";
    link.rel = "noopener";
  };
  if (played) {
    offer(played.name, words("help.play", { game: played.title }));
    offer(`quick-card-${played.name}`, words("help.card", { game: played.title }));
  }
  offer("manual", words("help.manual"));
}
