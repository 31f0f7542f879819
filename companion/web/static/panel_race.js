// The race as a chart, and the same as a table.

import { add, words } from "./parts.js";

export function draw(place, { drawing, seats, hands }) {
  add(place, "h2", "", words("view.race"));
  if (!drawing) return;
  add(place, "div", "chart").innerHTML = drawing;
  const table = add(add(place, "div", "scrolls"), "table", "scores");
  const head = add(add(table, "thead"), "tr");
  add(head, "th", "", words("race.after")).scope = "col";
  for (const seat of seats) add(head, "th", "", seat.shown).scope = "col";
  const body = add(table, "tbody");
  for (const hand of hands) {
    const line = add(body, "tr");
    add(line, "th", "", hand.said.words).scope = "row";
    for (const score of hand.scores) add(line, "td", "", score);
  }
}
