// The list of penalties, for the organiser's page and the judge's: one more tap gives one.

import { add, button, words } from "./elements.js";

const KINDS = ["warning", "points", "game"];

// Shows for each of the players the penalties to give; `give` gets the entry.
export function showPenalties(place, round, players, give) {
  const list = add(place, "ul", "penalties");
  for (const { id, name } of players) {
    const line = add(list, "li", "");
    add(line, "span", "player", name);
    for (const kind of KINDS) {
      const key = button(line, "act", words(`event.penalty.${kind}`), () => give({ penalty: { round, id, kind } }));
      key.setAttribute("aria-label", `${words(`event.penalty.${kind}`)}: ${name}`);
    }
  }
  return list;
}
