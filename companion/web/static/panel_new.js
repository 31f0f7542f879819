// The panel for a new game: seats, colours, game and house rules; or a rematch.

import { add, button, clear, colour, listed, words } from "./elements.js";
import { asKnown, readable, showPlayers } from "./history.js";
import { drawSeats, offerColours } from "./sit_down.js";

const LATER_MS = 250;
const DRAGS_PX = 12;  // the movement from which a finger drags the seat
const TO_READ = new Set(["house.rule", "house.alike"]);  // sentences of the preview that need a confirmation

let people = [];  // the seats in turn order: {name, colour, phone}; the name of a free seat is empty
let selected = -1;  // the seat that gets the next name; -1 if none
let picked = false;  // whether the next tap on another seat swaps it with the selected one
let own = null;  // the name of this phone's owner
let chosen = {};
let asked = 0;
let faults = new Map();  // what is wrong with a name, by the name

export function draw(place, told, panels) {
  const { keying } = panels;
  add(place, "h2", "", words(isHome() ? "new.title" : "view.new"));
  const form = add(place, "form", "asks");
  form.dataset.touched = "";
  [people, selected, picked, own] = [[], 0, false, null];
  fill(form, told, panels);
  offerSame(place, keying);
  showPlayers(add(place, "section", "players"), told, keying);
}

function isHome() {
  return document.body.classList.contains("at-home");
}

// Offers a rematch with the same rules, which in a match is the next game.
function offerSame(place, keying) {
  const over = keying.moment.finished;
  if (!keying.moment.game) return;
  const label = over ? words("new.rematch") : words("new.begin-again");
  button(add(place, "p", "acts"), "act", label, () => keying.offer({ deed: "rematch", text: "", label }));
  if (!over) add(place, "p", "quiet", words("new.stays"));
  playOn(place, keying);
}

// Offers to play on without the others, if some players are level after all games of a match.
function playOn(place, keying) {
  const { match, seats, finished } = keying.moment, level = match?.level ?? [];
  if (!finished || level.length < 2 || level.length === seats.length) return;
  const label = words("new.level", { seats: listed(level.map((one) => keying.named(one))) });
  button(add(place, "p", "acts"), "act", label, () => keying.offer({ deed: "rematch", text: level.join(" "), label }));
}

// Updates the form for another game or number of players, and keeps the people.
export function keeps(place, told, panels) {
  const form = place.querySelector("form");
  const shape = `${told.game} ${told.number}`;
  if (form.dataset.shape !== shape) fill(form, told, panels);
  const players = place.querySelector(".players");
  if (!players.querySelector("form")) showPlayers(players, told, panels.keying);
}

function fill(form, told, panels) {
  clear(form);
  form.dataset.shape = `${told.game} ${told.number}`;
  chosen = {};
  resize(told.number);
  add(form, "p", "quiet", words(told.clockwise ? "new.who" : "new.who-counter-clockwise"));
  const table = add(form, "div", "around");
  placeDrag(table, form, told, panels);
  placeNaming(form, told, panels);
  placeNumber(form, told, panels);
  placeGame(form, told, panels);
  card(form, told);
  options(form, told);
  add(form, "button", "act main deal").type = "submit";
  form.onsubmit = (event) => {
    event.preventDefault();
    deal(form, told, panels);
  };
  render(form, told, panels);
}

// -------------------------------------------------------------------- seats

// Changes the number of seats; free ones are removed first.
function resize(number) {
  while (people.length > number) {
    const free = people.map((one) => one.name).lastIndexOf("");
    people.splice(free < 0 ? people.length - 1 : free, 1);
  }
  while (people.length < number) people.push(freeSeat());
  if (selected >= number || selected < 0 || people[selected].name) selectFree();
}

function freeSeat() {
  return { name: "", colour: null, phone: false };
}

function selectFree() {
  selected = people.findIndex((one) => !one.name);
  picked = false;
}

const placeOf = (name) => people.findIndex((one) => one.name === name);

// The colour of each seat: the chosen one, the one that is its name, or the next free one.
function colours(told) {
  const all = told.palette.map((one) => one.name);
  const known = people.map(({ name, colour: own }) => (all.includes(name) ? name : all.includes(own) ? own : null));
  const free = all.filter((one) => !known.includes(one));
  return known.map((one, place) => (one && known.indexOf(one) === place ? one : free.shift() ?? all[place]));
}

// Shows the seats, the fields of the selected one, and the key to deal, and sends the seats to other phones.
function render(form, told, panels) {
  const hues = colours(told), seats = people.map((one) => one.name);
  people.forEach((one, place) => { if (one.name) one.colour = hues[place]; });
  const places = drawSeats(form.querySelector(".around"), { seats: seats.map((name) => shownAs(name, told)), colours: hues, clockwise: told.clockwise }, (place) => tapSeat(place, form, told, panels), noteOf);
  places.forEach((place, number) => {
    place.classList.toggle("own", number === selected);
    place.setAttribute("aria-pressed", number === selected);
    place.classList.toggle("wrong", Boolean(faults.get(seats[number])?.wrong));
  });
  renderNaming(form, told, hues, panels);
  const many = seats.filter(Boolean).length, fits = told.players.includes(many) && many <= told.number;
  form.querySelector(".deal").textContent = words("new.deal", { number: fits ? many : told.number });
  for (const key of form.querySelectorAll(".known [data-name]")) key.setAttribute("aria-pressed", seats.includes(key.dataset.name));
  tellOthers(told, hues, panels);
}

function noteOf(place) {
  const { name, phone } = people[place];
  return name && name === own ? words("new.own") : phone ? words("new.phone") : "";
}

// Handles a tap on a seat: selects it, or swaps it with a selected seat that has a name.
function tapSeat(place, form, told, panels) {
  if (picked && place !== selected) swap(selected, place);
  else if (picked) selectFree();
  else [selected, picked] = [place, Boolean(people[place].name)];
  const input = form.querySelector(".name-of input");
  input.value = selected < 0 ? "" : shownAs(people[selected].name, told);
  render(form, told, panels);
  if (selected >= 0 && !picked) input.focus();
}

function swap(one, other) {
  [people[one], people[other]] = [people[other], people[one]];
  selectFree();
}

// Lets a seat with a name be dragged onto another one. Browsers without pointer events have only taps.
function placeDrag(table, form, told, panels) {
  let from = null, start = null, moves = false;
  const end = () => {
    if (from) from.style.transform = "";
    from = null;
  };
  table.addEventListener("pointerdown", (event) => {
    from = event.target.closest(".place:not(.free)");
    [start, moves] = [event, false];
  });
  table.addEventListener("pointermove", (event) => {
    if (!from) return;
    const x = event.clientX - start.clientX, y = event.clientY - start.clientY;
    moves = moves || Math.hypot(x, y) > DRAGS_PX;
    if (moves) from.style.transform = `translate(${x}px,${y}px)`;
  });
  table.addEventListener("pointerup", (event) => {
    const dragged = from;
    if (dragged) dragged.style.pointerEvents = "none";
    const under = dragged && moves ? document.elementFromPoint(event.clientX, event.clientY)?.closest(".place") : null;
    if (dragged) dragged.style.pointerEvents = "";
    end();
    setTimeout(() => { moves = false; });  // reset after the click that may end the drag
    if (!under || under === dragged) return;
    swap(Number(dragged.dataset.seat) - 1, Number(under.dataset.seat) - 1);
    form.querySelector(".name-of input").value = "";
    render(form, told, panels);
  });
  table.addEventListener("pointercancel", end);
  table.addEventListener("click", (event) => {  // the click that ends a drag
    if (moves) event.stopPropagation();
    moves = false;
  }, { capture: true });
}

// -------------------------------------------------------------------- names and colours

function placeNaming(form, told, panels) {
  const naming = add(form, "div", "naming"), field = add(naming, "div", "name-of");
  const input = add(field, "input");
  Object.assign(input, { maxLength: 24, autocomplete: "off", autocapitalize: "words", enterKeyHint: "next" });
  input.addEventListener("input", () => {
    clearTimeout(asked);
    asked = setTimeout(() => spell(form, told, panels), LATER_MS);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || (!input.value.trim() && !people.some((one) => !one.name))) return;
    event.preventDefault();
    name(meant(input.value, told), form, told, panels, true);
  });
  button(field, "act", words("new.sit"), () => name(meant(input.value, told), form, told, panels, true));
  add(naming, "span", "on-display");
  add(naming, "p", "notice").setAttribute("role", "status");
  const more = add(naming, "div", "acts of-seat");
  const known = add(naming, "div", "known");
  if (told.seats.length) button(known, "", words("new.last"), () => sameAsLast(form, told, panels)).classList.add("last");
  for (const each of [...told.names, ...told.colours]) {
    const key = button(known, "", shownAs(each, told), () => tapName(each, form, told, panels));
    key.dataset.name = each;
    if (!told.colours.includes(each)) continue;
    colour(key, each.toLowerCase());
    key.classList.add("of-colour");
  }
  const hues = add(more, "div", "hues");
  hues.setAttribute("role", "group");
  hues.setAttribute("aria-label", words("new.colour"));
  button(more, "act on-this", words("new.own"), () => {
    own = own === people[selected].name ? null : people[selected].name;
    render(form, told, panels);
  });
  button(more, "act", words("new.leave"), () => {
    people[selected] = freeSeat();
    picked = false;
    input.value = "";
    showNotice(form, "");
    render(form, told, panels);
  });
}

function renderNaming(form, told, hues, panels) {
  const input = form.querySelector(".name-of input"), seat = people[selected];
  form.querySelector(".name-of").hidden = !seat;
  form.querySelector(".of-seat").hidden = !picked;
  form.querySelector(".naming").classList.toggle("picks", picked);
  if (!seat) return;
  const isFirst = !people.some((one) => one.name) && panels.keying.connection.invited;
  const label = isFirst ? words("sit.name") : words("new.name-of", { number: selected + 1 });
  input.setAttribute("aria-label", label);
  input.placeholder = label;
  if (!picked) return;
  const taken = hues.filter((_, place) => place !== selected && people[place].name);
  offerColours(form.querySelector(".hues"), told.palette, taken, hues[selected], (one) => {
    Object.assign(seat, { colour: one, chosen: true });
    render(form, told, panels);
  });
  form.querySelector(".on-this").setAttribute("aria-pressed", seat.name === own);
  showNotice(form, words("new.swap", { name: shownAs(seat.name, told) }));
}

function showNotice(form, text) {
  form.querySelector(".naming .notice").textContent = text;
}

// Gives the selected seat a name, and selects the next free seat. On an invited phone the first typed name is
// its owner's.
function name(text, form, told, panels, typed) {
  const input = form.querySelector(".name-of input"), other = placeOf(text), isFirst = !people.some((one) => one.name);
  const fault = faults.get(text)?.wrong;
  if (!text || fault || (other >= 0 && other !== selected)) {
    showNotice(form, fault?.words ?? words("new.nobody"));
    input.focus();
    return;
  }
  if (own && people[selected].name === own) own = text;
  if (isFirst && typed && panels.keying.connection.invited) own = text;
  people[selected] = { ...people[selected], name: text, phone: false };
  input.value = "";
  selectFree();
  showNotice(form, "");
  render(form, told, panels);
  spell(form, told, panels);
  if (typed && selected >= 0) input.focus();
}

// Puts a known name on the selected seat or, if that name is seated already, frees its seat.
function tapName(text, form, told, panels) {
  const place = placeOf(text);
  if (place >= 0) {
    people[place] = freeSeat();
    [selected, picked] = [place, false];
    showNotice(form, "");
    render(form, told, panels);
  } else if (selected < 0) {
    showNotice(form, words("new.full"));
  } else {
    name(text, form, told, panels, false);
  }
}

// Seats the people of the last game as they sat, in their colours.
function sameAsLast(form, told, panels) {
  const last = told.seats.map((each, place) => ({ ...freeSeat(), name: each, colour: told.seat_colours[place] || null }));
  people = last;
  selectFree();
  if (told.number === last.length) {
    render(form, told, panels);
    spell(form, told, panels);
  } else {
    panels.ask({ game: told.game, players: last.length });
  }
}

// Sends other phones the seats, so that they can take a free one.
function tellOthers(told, hues, panels) {
  const { title } = told.games.find((one) => one.name === told.game), seats = people.map((one) => one.name);
  const said = { game: title, seats, colours: hues, names: told.names, clockwise: told.clockwise };
  if (panels.name === "new" && (isHome() || panels.keying.moment.finished)) panels.keying.connection.send({ sitting: said });
}

// Gives somebody the free seat that they requested on their phone (null for any), and frees their previous
// seat; or gives them another colour, or corrects their name (`was`: the name before).
export function sit({ place, name: who, was, colour: hue }, panels) {
  const form = document.querySelector("#panel form"), told = panels.newest;
  if (!form || !told?.palette) return;
  const there = placeOf(who), old = was ? placeOf(was) : -1, before = there >= 0 ? there : old;
  const to = place ?? (before >= 0 ? before : people.findIndex((one) => !one.name));
  if (!people[to] || (people[to].name && to !== before)) return;
  if (old >= 0 && old !== before) people[old] = freeSeat();
  if (own && own === was) own = who;
  const one = { ...(before >= 0 ? people[before] : freeSeat()), name: who, phone: true };
  const hues = colours(told), taken = hues.filter((_, seat) => people[seat].name && seat !== before);
  if (hue && !taken.includes(hue)) Object.assign(one, { colour: hue, chosen: true });
  if (before >= 0) people[before] = freeSeat();
  people[to] = one;
  if (!picked && (selected < 0 || people[selected].name)) selectFree();
  render(form, told, panels);
  spell(form, told, panels);
}

// The name shown for a seat. A colour is shown in the page's language.
function shownAs(text, told) {
  return told.colours_shown[told.colours.indexOf(text)] ?? readable(text);
}

// The name that a text means: a colour, a known name as stored, or else the text as one word.
function meant(text, told) {
  return told.colours[told.colours_shown.indexOf(text.trim())] ?? asKnown(text, told.names);
}

// Asks how the display writes the names on the seats and the one being typed, and which can't be used.
function spell(form, told, panels) {
  const typed = meant(form.querySelector(".name-of input").value, told);
  const seats = people.map((one, place) => (place === selected && typed ? typed : one.name));
  panels.keying.connection.ask("spelled", { panel: { name: "spelled", game: told.game, names: seats } });
}

// Shows the answer for the name being typed, and marks the seats whose names can't be used.
export function spelled({ spelled: found }, panels) {
  const form = document.querySelector("#panel form"), told = panels.newest;
  if (!form || !told?.palette) return;
  const input = form.querySelector(".name-of input"), typed = meant(input.value, told);
  for (const one of found) faults.set(one.name, one);
  const { picture, wrong, lacks } = faults.get(typed) ?? {};
  form.querySelector(".naming .on-display").innerHTML = typed ? picture ?? "" : "";
  if (selected >= 0 && (typed || !picked)) showNotice(form, (typed && (wrong ?? lacks)?.words) || "");
  input.setAttribute("aria-invalid", Boolean(typed && wrong));
  for (const place of form.querySelectorAll(".around .place")) {
    place.classList.toggle("wrong", Boolean(faults.get(people[Number(place.dataset.seat) - 1]?.name)?.wrong));
  }
}

// -------------------------------------------------------------------- the game

function placeNumber(form, told, panels) {
  const row = add(form, "div", "acts how-many");
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", words("new.players"));
  add(row, "span", "", words("new.players"));
  for (const number of told.players) {
    const key = button(row, "", number, () => panels.ask({ game: told.game, players: number }));
    key.dataset.players = number;
    key.setAttribute("aria-pressed", number === told.number);
  }
}

// Shows the chosen game with a short description; “Change” opens the list of games.
function placeGame(form, told, panels) {
  const { title, about } = told.games.find((one) => one.name === told.game);
  const more = add(form, "details", "games"), head = add(more, "summary");
  add(head, "b", "", title);
  add(head, "span", "quiet", about);
  head.dataset.change = words("new.change");
  for (const each of told.games) {
    const key = button(more, "game", "", () => panels.ask({ game: each.name, players: told.number }));
    add(key, "b", "", each.title);
    add(key, "span", "quiet", each.about);
    key.dataset.game = each.name;
    key.setAttribute("aria-pressed", each.name === told.game);
  }
}

// Begins the game with the seated people, after storing the card's numbers one by one. A preview is shown for
// unusual rules, and if an unfinished game would be left behind.
function deal(form, told, panels) {
  const { keying } = panels, wrong = form.querySelector('.on-card [aria-invalid="true"]');
  const input = form.querySelector(".name-of input"), typed = meant(input.value, told);
  if (wrong) {
    wrong.focus();
    return;
  }
  if (typed && selected >= 0 && people[selected].name !== typed) name(typed, form, told, panels, false);
  const seated = people.filter((one) => one.name);
  if (input.value || !told.players.includes(seated.length)) {
    selectFree();
    render(form, told, panels);
    if (!input.value) showNotice(form, words("new.nobody"));
    input.focus();
    return;
  }
  for (const option of told.options) {
    const value = chosen[option.name];
    if (!option.asked || value === option.value) continue;
    const text = [option.asked, value].join(" ");
    keying.runInTurn(() => keying.keepSetting(text));
    option.value = value;
  }
  if (own) panels.roleOnceDealt = seated.some((one) => one.phone && one.name !== own) ? `seat ${own}` : "scorekeeper";
  const text = header(told, seated);
  keying.runInTurn(() => keying.offer({ deed: "open", text, label: "", reads: TO_READ }, isHome() ? [] : null));
}

// Asks for the numbers on the table's own card before the game; they are stored for the next one.
function card(form, told) {
  const asked = told.options.filter((option) => option.asked);
  if (!asked.length) return;
  const fields = add(form, "fieldset", "on-card");
  add(fields, "legend", "", words("new.card"));
  for (const option of asked) {
    const input = add(add(fields, "label", "field", option.label), "input");
    Object.assign(input, { inputMode: "numeric", autocomplete: "off", maxLength: 2, value: option.value });
    input.addEventListener("focus", () => input.select());
    input.addEventListener("input", () => {
      const is = option.choices.includes(Number(input.value)) && input.value.trim() !== "";
      input.setAttribute("aria-invalid", !is);
      range.classList.toggle("notice", fields.querySelector('[aria-invalid="true"]') !== null);
      chosen[option.name] = Number(input.value);
    });
    chosen[option.name] = option.value;
  }
  const [first] = asked, least = first.choices[0], most = first.choices[first.choices.length - 1];
  const range = add(fields, "p", "quiet", words("new.card-range", { least, most }));
}

function options(form, told) {
  const rules = told.options.filter((option) => !option.asked);
  if (!rules.length) return;
  const selects = new Map();
  for (const option of rules.filter(isOutside)) rule(form, option, rules, selects);
  const more = add(form, "details");
  add(more, "summary", "", words("new.rules"));
  for (const option of rules) if (!isOutside(option)) rule(more, option, rules, selects);
}

// Whether a club's rules leave the option to the table, such as partners.
function isLeftOpen(option) {
  return Boolean(option.left_open) && option.choices.length > 1;
}

// Whether the option is always visible: those that a club leaves to the table, and the named sets of rules.
function isOutside(option) {
  return isLeftOpen(option) || option.name === "set";
}

function rule(place, option, rules, selects) {
  const pairs = option.choices.map((one) => (Array.isArray(one) ? one : [one, one]));
  if (!pairs.some(([value]) => value === option.value)) pairs.unshift([option.value, option.value]);
  const select = choose(place, option.label, pairs, option.value, (value) => {
    chosen[option.name] = value;
    if (option.name === "set") inSet(rules, selects, value);
  });
  selects.set(option.name, select);
  select.title = option.meaning;
  add(place, "p", "quiet", option.meaning);
  if (option.value !== option.usual) chosen[option.name] = option.value;
}

// Sets all options to those of a named set of house rules, except those that the set leaves to the table.
function inSet(rules, selects, name) {
  for (const option of rules) {
    if (option.name === "set" || option.left_open) continue;
    selects.get(option.name).value = option.sets?.[name] ?? option.usual;
    delete chosen[option.name];
  }
}

function choose(place, label, pairs, value, then) {
  const select = add(add(place, "label", "field", label), "select");
  for (const [one, text] of pairs) add(select, "option", "", text).value = one;
  select.value = value;
  select.addEventListener("change", () => then(select.value));
  return select;
}

// The text that begins the game, in the form of a tally's header. With more seats than colours of chips, it
// has colours only if somebody chose one.
function header(told, seated) {
  const rules = Object.entries(chosen).map(([option, value]) => ["option", option, value]);
  const lines = [["game", told.game], ["seats", ...seated.map((one) => one.name)], ...rules];
  if (told.palette.length <= 4 || seated.some((one) => one.chosen)) lines.push(["colours", ...seated.map((one) => one.colour)]);
  return lines.map((line) => line.join(" ")).join("\n");
}
