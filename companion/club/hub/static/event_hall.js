// The organiser's forms for the hall's TV, which shows calls and the break until the next round above
// everything else.

import { add, at, button, clear, words } from "./elements.js";
import { field, input, lastEntry, newest, resultOf } from "./event_data.js";

const BREAK_MIN = 10;

export function addHallForms(context) {
  const form = at("announce");
  const text = field(form, words("event.announce"), input("input", { required: true, maxLength: 80, autocomplete: "off" }));
  text.classList.add("all");
  add(form, "button", "act", words("event.announce-do"));
  const ready = add(form, "div", "acts all");
  for (const one of ["event.announce-prizes", "event.announce-seats"]) button(ready, "act", words(one), () => announce(context, words(one)));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await announce(context, text.value.trim())) text.value = "";
  });
  const pause = at("break"), minutes = field(pause, words("event.break"), input("input", { type: "number", min: 1, max: 600, value: BREAK_MIN, required: true }));
  add(pause, "button", "act", words("event.break-do"));
  pause.addEventListener("submit", (event) => {
    event.preventDefault();
    context.enter([{ break: { round: context.kept.event.rounds.length + 1, minutes: Number(minutes.value) } }]);
  });
}

// Shows a call on the TV for some minutes.
export const announce = (context, text) => context.enter([{ announced: { text } }]);

export function showHall(context) {
  const { kept, may } = context, list = at("announced");
  at("hall").hidden = !may.organiser;
  clear(list);
  for (const { entry, text } of kept.announced) {
    const line = add(list, "li", "");
    add(line, "p", "", text);
    button(line, "act", words("event.announced-end"), () => context.enter([{ undo: { entry } }]));
  }
  const running = (newest(kept)?.tables ?? []).some((one) => resultOf(one) === null);
  at("break").hidden = running || kept.over;
  const pause = lastEntry(kept, "break", ({ said }) => said.round === kept.event.rounds.length + 1);
  if (kept.break_left_s === null || !pause) return;
  const line = add(list, "li", "");
  add(line, "p", "", words("event.break-runs", { number: pause.said.round, minutes: pause.said.minutes }));
  button(line, "act", words("event.announced-end"), () => context.enter([{ undo: { entry: pause.number } }]));
}
