// The keys of a page's voice while it is on: for its level, and for questions about the state of the table.

import { at, button, words } from "./elements.js";

const LEVELS = [["counts", words("aloud.counts")], ["everything", words("aloud.everything")]];
const ASKED = [
  [words("aloud.ends"), ({ ends }) => [ends]],
  [words("aloud.scores"), ({ scores }) => [scores]],
  [words("aloud.last"), ({ last }) => [last]],
  [words("aloud.since"), ({ since }, seat) => since[seat ?? ""] ?? []],
];

let box = null;

// Shows the keys after the voice's own key, or hides them. A key without an answer so far is disabled.
export function showVoiceChoices(aloud) {
  if (!box) box = place(aloud);
  box.hidden = !aloud.on;
  for (const key of box.querySelectorAll("button, select:last-child")) key.disabled = !aloud.answers;
}

function place(aloud) {
  const made = document.createElement("span");
  made.id = "aloud-more";
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", words("aloud.say"));
  at("aloud").after(made);
  chooser(made, words("aloud.level"), LEVELS, aloud.level, (level) => aloud.choose(level));
  for (const [name, answer] of ASKED) {
    button(made, "aloud", name, () => aloud.say(answer(aloud.answers, aloud.seat())));
  }
  const numbers = [...Array(7).keys()].map((number) => [String(number), words("aloud.lie", { number })]);
  const lie = chooser(made, words("aloud.lie", { number: "…" }), [["", words("aloud.lie", { number: "…" })], ...numbers], "", (number) => {
    if (number !== "") aloud.say([aloud.answers.lie[number]]);
    lie.value = "";
  });
  return made;
}

function chooser(parent, label, choices, chosen, choose) {
  const select = document.createElement("select");
  select.className = "aloud";
  select.setAttribute("aria-label", label);
  for (const [value, text] of choices) select.append(new Option(text, value));
  select.value = chosen;
  select.addEventListener("change", () => choose(select.value));
  parent.append(select);
  return select;
}
