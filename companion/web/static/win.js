// A game that is over: the race, the count or turn that scored most, and the evening so far, in the place
// of the table. It opens by itself at the win, and its content is asked for only then.

import { ROOT, add, at, clear, words } from "./parts.js";

let shown = null;

// Takes a moment; if its game is over, asks the `wire` for the content.
export function watchForWin({ moment }, wire) {
  const over = Boolean(moment?.finished), place = at("win");
  document.body.classList.toggle("over", over);
  if (at("evening-end")) {
    at("evening-end").hidden = !over;
    at("evening-end").href = `${ROOT}/evenings/${moment?.number}`;
  }
  if (!over) {
    place.hidden = true;
    shown = null;
    wire.answered("win");
  } else if (shown !== moment.row) {
    shown = moment.row;
    wire.ask("win", { panel: { name: "win" } });
  }
}

// Shows the content that the server has sent.
export function showWin({ drawing, best, evening, games }) {
  const place = at("win");
  clear(place);
  place.hidden = !drawing;
  if (!drawing) return;
  add(place, "div", "chart").innerHTML = drawing;
  const facts = add(place, "div", "facts");
  if (best) {
    const line = add(facts, "p", "best");
    const count = best.why?.parts.count;  // only a game with a line has one
    add(line, "span", "label", count ? words("win.best-count") : words("win.best"));
    add(line, "b", "", count ?? words("win.points", best));
    add(line, "span", "", best.said.words);
  }
  if (games < 2) return;
  const line = add(facts, "p", "evening");
  add(line, "span", "label", words("win.evening"));
  for (const one of evening) {
    const player = add(line, "span", "one");
    add(player, "span", "who", one.shown);
    add(player, "b", "", one.won);
  }
}
