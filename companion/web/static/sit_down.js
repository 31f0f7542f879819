// Sitting down before a game: draws the table for all pages, and lets a player's own phone give a name, take
// a free seat at the table that another page manages, and choose a colour.

import { add, at, button, clear, colour, keep, recall, words } from "./elements.js";
import { asKnown, readable } from "./history.js";

const LONGEST_NAME = 24;
const OF_TAB = "sessionStorage";
const SIGNS = ["●", "■", "▲", "◆", "★", "✚", "⬟", "♥"];  // of the seats, in turn order
const AREAS = "abcdefgh";  // the CSS areas around the table, clockwise (panels.css)

// Draws the seats around the table: the first at the bottom, the others in turn order. With `tap` they are
// keys; `note` returns a second line for a seat.
export function drawSeats(table, { seats, colours, clockwise }, tap = null, note = () => "") {
  const drawn = JSON.stringify([seats, colours, clockwise, seats.map((_, number) => note(number))]);
  if (table.dataset.drawn === drawn) return [...table.children];
  table.dataset.drawn = drawn;
  const stood = [...table.children].indexOf(document.activeElement);
  clear(table);
  table.dataset.many = seats.length;
  table.dataset.turns = clockwise ? "clockwise" : "counter-clockwise";
  const places = seats.map((name, number) => {
    const place = tap ? button(table, "place", "", () => tap(number)) : add(table, "div", "place");
    place.dataset.seat = number + 1;
    place.style.gridArea = AREAS[clockwise ? number : (seats.length - number) % seats.length];
    place.classList.toggle("free", !name);
    colour(place, colours[number].toLowerCase());
    add(place, "span", "sign", SIGNS[number]).setAttribute("aria-hidden", "true");
    add(place, "span", "who", name ? readable(name) : words("sit.free"));
    const said = note(number);
    if (said) add(place, "small", "", said);
    return place;
  });
  places[stood]?.focus();
  return places;
}

// Offers the colours that no other seat has; `chosen`: the present one.
export function offerColours(place, palette, taken, chosen, choose) {
  const stood = document.activeElement?.dataset.name;
  clear(place);
  for (const { name, shown } of palette) {
    if (taken.includes(name)) continue;
    const key = button(place, "hue", shown, () => choose(name));
    colour(key, name.toLowerCase());
    key.dataset.name = name;
    key.setAttribute("aria-pressed", name === chosen);
    if (name === stood) key.focus();
  }
}

// -------------------------------------------------------------------- a phone that joins

let mine = recall("sits", OF_TAB);  // the name under which this phone's player sits, or has requested a seat
let shown = null;  // the last shown state
let last = null;  // the last request, and the name before it
let renames = false;  // whether the player types another name
let doubt = null;  // the request whose name is at the table already: is it the same person?

// Shows who sits down; null if nobody does any more. `connection` sends requests.
export function showSitting(sitting, connection) {
  const place = at("sit");
  place.hidden = !sitting;
  shown = sitting;
  if (!sitting) {
    clear(place);
    renames = false;
    return;
  }
  const { game, seats, colours, names, palette } = sitting, seat = mine === null ? -1 : seats.indexOf(mine);
  if (!place.firstChild) begin(place, names, connection);
  place.querySelector(".quiet").textContent = words("sit.table", { game });
  const types = seat < 0 || renames;
  place.querySelector("h2").textContent = types ? words("sit.name") : words("sit.waiting", { name: readable(mine) });
  place.querySelector(".naming").hidden = !types;
  place.querySelector(".rename").hidden = types;
  place.querySelector(".hues").hidden = place.querySelector(".of-hues").hidden = seat < 0;
  for (const key of place.querySelectorAll(".known button")) key.hidden = seats.includes(key.dataset.name);
  const places = drawSeats(place.querySelector(".around"), sitting, (number) => take(number, connection));
  places.forEach((key, number) => {
    key.disabled = Boolean(seats[number]) && seat >= 0;
    key.classList.toggle("own", number === seat);
  });
  const taken = colours.filter((_, number) => seats[number] && number !== seat);
  offerColours(place.querySelector(".hues"), palette, taken, colours[seat], (one) =>
    connection.send({ sit: { place: null, name: mine, colour: one } }));
}

// Asks whether the person with that name at the table is this phone's player; null ends the question.
function askWhoItIs(request) {
  const place = at("sit");
  doubt = request;
  place.querySelector(".doubt").hidden = !doubt;
  place.querySelector(".doubt p").textContent = doubt ? words("sit.taken", { name: readable(doubt.name) }) : "";
}

// Receives the answer that another phone has requested a seat under that name.
export function hearTaken(name, connection) {
  if (!shown || name !== last?.wish.name) return;
  setMine(last.former);
  renames = Boolean(last.wish.was);
  showSitting(shown, connection);
  askWhoItIs(last.wish);
}

// The name under which this phone's player sits, if it is one of these seats.
export function seatOf(seats) {
  return seats.find((seat) => seat === mine) ?? null;
}

function begin(place, names, connection) {
  add(place, "p", "quiet");
  add(place, "h2");
  const naming = add(place, "form", "naming");
  const input = add(naming, "input");
  Object.assign(input, { maxLength: LONGEST_NAME, autocomplete: "given-name", autocapitalize: "words", enterKeyHint: "go" });
  input.setAttribute("aria-label", words("sit.name"));
  add(naming, "button", "main", words("sit.down")).type = "submit";
  const known = add(naming, "div", "known");
  for (const name of names) {
    button(known, "", readable(name), () => { input.value = readable(name); }).dataset.name = name;
  }
  naming.addEventListener("submit", (event) => {
    event.preventDefault();
    take(null, connection);
  });
  const asks = add(naming, "div", "doubt");
  asks.hidden = true;
  add(asks, "p").setAttribute("role", "status");
  button(asks, "", words("sit.me"), () => request(doubt, connection, true));
  input.addEventListener("input", () => askWhoItIs(null));
  button(place, "rename", words("sit.rename"), () => {
    renames = true;
    showSitting(shown, connection);
    input.value = readable(mine);
    input.focus();
    input.select();
  });
  add(place, "h3", "", words("sit.where"));
  add(place, "div", "around");
  add(place, "h3", "of-hues", words("sit.colour"));
  const hues = add(place, "div", "hues");
  hues.setAttribute("role", "group");
  hues.setAttribute("aria-label", words("sit.colour"));
  input.focus({ preventScroll: true });
}

// Handles a tap on a seat, or a typed name (`place` null). A tap on a seat with a name means that this is that
// person's phone, unless another name is typed.
function take(place, connection) {
  const { seats, names } = shown, input = at("sit").querySelector("input"), sits = seats.includes(mine);
  const typed = asKnown(input.value, [...seats.filter(Boolean), ...names]);
  const name = seats[place] || (sits && !renames ? mine : typed);
  if (!name) {
    input.focus();
    return;
  }
  const isThem = name === mine || (seats[place] === name && (!typed || typed === name));
  request({ place, name, ...(sits && name !== mine ? { was: mine } : {}) }, connection, isThem);
}

// Requests a seat. If the name is at the table already, asks first whether it is the same person (`isThem`).
function request(wish, connection, isThem) {
  const isOthers = wish.name !== mine && shown.seats.includes(wish.name);
  if (isOthers && !isThem) {
    askWhoItIs(wish);
    at("sit").querySelector("input").select();
    return;
  }
  last = { wish, former: mine };
  renames = false;
  setMine(wish.name);
  askWhoItIs(null);
  connection.send({ sit: { ...wish, me: isThem } });
  showSitting(shown, connection);
}

// Keeps the name, also for when this phone reconnects after the game has begun.
function setMine(name) {
  mine = name;
  keep("sits", name, OF_TAB);
  keep("role", name && `seat ${name}`);
}
