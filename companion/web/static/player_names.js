// Names of players that can be changed by a tap: in the unfinished games, and below a new game.

import { add, button, clear, words } from "./parts.js";

const LONGEST_NAME = 24;

// The name as one word, as a tally has it.
export function written(name) {
  return name.normalize("NFC").trim().replace(/\s+/g, "_");
}

export function readable(name) {
  return name.replace(/_/g, " ");
}

// Adds a name that opens a form in `place` when it is tapped; `label` is the text shown.
export function addName(parent, place, name, label, keying) {
  button(parent, "player", label, () => askForName(place, name, readable(name), keying)).setAttribute("aria-haspopup", "true");
}

// Shows all known players, and the names that count as another's.
export function showPlayers(place, { names, renamed }, keying) {
  clear(place);
  place.hidden = !names.length && !renamed.length;
  if (place.hidden) return;
  add(place, "h3", "", words("players.title"));
  add(place, "p", "quiet", words("players.tap"));
  const list = add(place, "p", "acts");
  const form = add(place, "div");
  for (const name of names) addName(list, form, name, readable(name), keying);
  for (const { name, to } of renamed) {
    const line = add(place, "p", "acts renamed");
    add(line, "span", "quiet", words("players.renamed", { name: readable(name), to: readable(to) }));
    const label = words("players.keep", { name: readable(name) });
    button(line, "act", label, () => rename(keying, name, name));
  }
}

// Asks for a new name for the player `name`, now shown as `called`; `sits` is called if somebody else sits
// there.
export function askForName(place, name, called, keying, sits) {
  clear(place);
  const form = add(place, "form", "acts calls");
  form.dataset.touched = "";
  const input = add(add(form, "label", "field", words("players.name", { player: called })), "input");
  input.value = called;
  input.maxLength = LONGEST_NAME;
  input.autocomplete = "off";
  input.autocapitalize = "words";
  add(form, "button", "act main", words("players.rename")).type = "submit";
  if (sits) {
    button(form, "act", words("players.other"), () => {
      const to = written(input.value);
      if (!to || to === written(called)) return input.focus();
      form.remove();
      sits(to);
    });
  }
  button(form, "act", words("panel.back"), () => form.remove());
  form.onsubmit = (event) => {
    event.preventDefault();
    const to = written(input.value);
    if (!to || to === written(called)) return;
    form.remove();
    rename(keying, name, to);
  };
  input.focus();
  input.select();
}

function rename(keying, name, to) {
  keying.offer({ deed: "rename", text: [name, to].join(" "), label: "" });
}
