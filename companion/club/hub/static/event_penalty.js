// The list of penalties on the organiser's page and the judge's; a tap gives one.

import { add, button, words } from "./elements.js";

const KINDS = ["warning", "points", "game"];
const REASONS = ["late", "slow-play", "talking", "tiles-shown", "behaviour"];

// The text of a reason: translated if it is one of REASONS, otherwise as it was written.
export const reasonWords = (why) => (REASONS.includes(why) ? words(`event.reason.${why}`) : why);

// Shows a choice of reasons, and for each player the penalties; `give` is called with the entry.
export function showPenalties(place, round, players, give) {
  const label = add(place, "label", "reason", words("event.reason")), why = add(label, "select");
  for (const one of ["", ...REASONS]) add(why, "option", "", one ? reasonWords(one) : words("event.reason-none")).value = one;
  const list = add(place, "ul", "penalties");
  for (const { id, name } of players) {
    const line = add(list, "li", "");
    add(line, "span", "player", name);
    for (const kind of KINDS) {
      const key = button(line, "act", words(`event.penalty.${kind}`), () => give({ penalty: { round, id, kind, ...(why.value ? { why: why.value } : {}) } }));
      key.setAttribute("aria-label", `${words(`event.penalty.${kind}`)}: ${name}`);
    }
  }
  return list;
}
