// The list of penalties, for the organiser's page and the judge's: one more tap gives one.

import { add, button, words } from "./elements.js";

const KINDS = ["warning", "points", "game"];
const REASONS = ["late", "slow-play", "talking", "tiles-shown", "behaviour"];

// What is shown of a reason: one of REASONS in this language, any other text as it was written.
export const reasonWords = (why) => (REASONS.includes(why) ? words(`event.reason.${why}`) : why);

// Shows for each of the players the penalties to give, and the reasons; `give` gets the entry.
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
