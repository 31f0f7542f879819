// Sitting down on a phone of one's own: its name, and a free seat at the table that somebody else sets.

import { add, at, button, clear, keep, recall, words } from "./elements.js";
import { readable, written } from "./history.js";

const LONGEST_NAME = 24;
const OF_TAB = "sessionStorage";

let mine = recall("sits", OF_TAB);  // the name under which this phone sits, or has asked for a seat
let shown = null;  // who sits down, as it was shown last

// Shows who sits down; null: nobody does any more. `wire` sends what is asked for.
export function showSitting(sitting, wire) {
  const place = at("sit");
  place.hidden = !sitting;
  shown = sitting;
  if (!sitting) {
    clear(place);
    return;
  }
  const { game, seats, names } = sitting, seat = mine === null ? -1 : seats.indexOf(mine);
  if (!place.firstChild) begin(place, names, wire);
  place.querySelector(".quiet").textContent = words("sit.table", { game });
  place.querySelector("h2").textContent = seat < 0 ? words("sit.name") : words("sit.waiting", { name: readable(mine) });
  place.querySelector(".naming").hidden = seat >= 0;
  for (const key of place.querySelectorAll(".known button")) key.hidden = seats.includes(key.dataset.name);
  drawTable(place.querySelector(".around"), seats, seat, wire);
}

// The name under which this phone sits, if it does so at a game with these seats.
export function seatOf(seats) {
  return seats.find((seat) => seat === mine) ?? null;
}

function begin(place, names, wire) {
  add(place, "p", "quiet");
  add(place, "h2");
  const naming = add(place, "div", "naming");
  const input = add(naming, "input");
  Object.assign(input, { maxLength: LONGEST_NAME, autocomplete: "given-name", autocapitalize: "words" });
  input.setAttribute("aria-label", words("sit.name"));
  const known = add(naming, "div", "known");
  for (const name of names) {
    button(known, "", readable(name), () => { input.value = readable(name); }).dataset.name = name;
  }
  add(place, "h3", "", words("sit.where"));
  add(place, "div", "around");
  input.focus({ preventScroll: true });
}

function drawTable(table, seats, seat, wire) {
  const stood = [...table.children].indexOf(document.activeElement);
  clear(table);
  table.dataset.many = seats.length;
  seats.forEach((name, number) => {
    const key = button(table, "place", name ? readable(name) : words("sit.free"), () => take(number, wire));
    key.dataset.seat = number + 1;
    key.disabled = Boolean(name) && seat >= 0;
    key.classList.toggle("free", !name);
    key.classList.toggle("own", number === seat);
  });
  table.children[stood]?.focus();
}

// Asks for a free seat. A seat with a name is that person's, who has come with a phone now.
function take(place, wire) {
  const { seats } = shown, input = at("sit").querySelector("input");
  const name = seats[place] || (seats.includes(mine) ? mine : written(input.value));
  if (!name) {
    input.focus();
    return;
  }
  const isOthers = name !== mine && seats.includes(name);
  mine = name;
  keep("sits", name, OF_TAB);
  if (isOthers) showSitting(shown, wire);
  else wire.send({ sit: { place, name } });
}
