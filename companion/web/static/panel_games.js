// Unfinished games, to go on with or to give a name.

import { add, button, words } from "./parts.js";
import { addName } from "./history.js";

const LONGEST_NAME = 40;

export function draw(place, told, panels) {
  add(place, "h2", "", words("view.games"));
  if (told.reading) {
    add(place, "p", "quiet", words("games.reading")).setAttribute("role", "status");
    return;
  }
  const games = told.games ?? [];
  if (!games.length) {
    add(place, "p", "quiet", words("games.none"));
    return;
  }
  const list = add(place, "ul", "rules");
  for (const game of games) line(list, game, panels.keying);
  add(place, "p", "quiet", words("games.close"));
}

// A name that is being written stays, whatever else is entered.
export function keeps() {}

function line(list, game, keying) {
  const item = add(list, "li");
  add(item, "b", "", game.called || game.title);
  const scores = add(item, "span", "points");
  const form = document.createElement("div");
  for (const { shown, score, player } of game.scores) {
    const one = add(scores, "span", "one");
    if (player) addName(one, form, player, shown, keying);
    else add(one, "span", "", shown);
    add(one, "b", "", score ?? "&");  // partners have one score
  }
  item.append(form);
  const more = [game.called ? game.title : "", game.begun.words, words("games.entries", game), game.on_table ? words("games.on-table") : ""];
  add(item, "span", "because", more.filter(Boolean).join(" · "));
  const acts = add(item, "form", "acts calls");
  if (!game.on_table) {
    const label = words("games.resume");
    button(acts, "act", label, () => keying.offer({ deed: "resume", at: game.number, text: "", label }));
  }
  const name = add(acts, "input");
  name.value = game.called;
  name.maxLength = LONGEST_NAME;
  name.autocomplete = "off";
  name.placeholder = words("games.name");
  name.setAttribute("aria-label", words("games.name"));
  name.addEventListener("input", () => { acts.dataset.touched = ""; });
  add(acts, "button", "act", words("games.call")).type = "submit";
  acts.onsubmit = (event) => {
    event.preventDefault();
    delete acts.dataset.touched;
    keying.does({ deed: "name", at: game.number, text: name.value });
  };
}
