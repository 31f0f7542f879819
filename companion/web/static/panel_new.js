// A new game: which one, how many players, who, the house rules; or the same again.

import { add, button, clear, colour, listed, words } from "./elements.js";
import { readable, showPlayers, written } from "./history.js";

const LATER_MS = 250;

let names = [];
let chosen = {};
let asked = 0;

export function draw(place, told, panels) {
  const { keying } = panels;
  add(place, "h2", "", words("view.new"));
  const over = keying.moment.finished, game = keying.moment.game;
  if (game) {
    const label = over ? words("new.rematch") : words("new.begin-again");
    button(add(place, "p", "acts"), "act main", label, () => keying.offer({ deed: "rematch", text: "", label }));
    if (!over) add(place, "p", "quiet", words("new.stays"));
    playOn(place, keying);
  }
  const form = add(place, "form", "asks");
  form.dataset.touched = "";
  names = [];
  fill(form, told, panels);
  showPlayers(add(place, "section", "players"), told, keying);
}

// If only some are level in a match of which all games are played, these may play on without the others.
function playOn(place, keying) {
  const { match, seats, finished } = keying.moment, level = match?.level ?? [];
  if (!finished || level.length < 2 || level.length === seats.length) return;
  const label = words("new.level", { seats: listed(level.map((one) => keying.named(one))) });
  button(add(place, "p", "acts"), "act", label, () => keying.offer({ deed: "rematch", text: level.join(" "), label }));
}

// Changes the form for another game or number of players; what was typed stays.
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
  const ask = (more) => panels.ask({ game: told.game, players: told.number, ...more });
  choose(form, words("new.game"), told.games.map((one) => [one.name, one.title]), told.game, (game) => ask({ game }));
  choose(form, words("new.players"), told.players.map((number) => [number, number]), told.number, (players) => ask({ players: Number(players) }));
  seats(form, told, panels);
  card(form, told);
  options(form, told);
  add(form, "button", "act main", words("new.look")).type = "submit";
  form.onsubmit = (event) => {
    event.preventDefault();
    const wrong = form.querySelector('.on-card [aria-invalid="true"]');
    const empty = names.slice(0, told.number).findIndex((name) => !name);
    if (wrong) wrong.focus();
    else if (empty >= 0) askName(form, empty);
    else lookOver(form, told, panels.keying);
  };
}

function seats(form, told, panels) {
  add(form, "p", "quiet", words(told.clockwise ? "new.who" : "new.who-counter-clockwise"));
  const known = add(form, "div", "known");
  for (const name of [...told.names, ...told.colours]) {
    const key = button(known, "", called(name, told), () => seat(form, name, told));
    key.dataset.name = name;
    if (told.colours.includes(name)) colour(key, name.toLowerCase());
  }
  const table = add(form, "div", "around");
  table.dataset.many = told.number;
  for (let place = 0; place < told.number; place += 1) {
    const field = add(table, "label", "field", words("new.seat", { number: place + 1 }));
    field.classList.add("name-of");
    const input = add(field, "input");
    input.maxLength = 24;
    input.autocomplete = "off";
    input.autocapitalize = "words";
    input.value = called(names[place] ?? "", told);
    colour(field, "other");
    field.dataset.seat = place + 1;
    add(field, "span", "on-display");
    add(field, "span", "notice");
    names[place] = meant(input.value, told);
    input.addEventListener("input", () => {
      names[place] = meant(input.value, told);
      markKnown(form);
      clearTimeout(asked);
      asked = setTimeout(() => {
        spell(told, panels);
        tellOthers(told, panels);
      }, LATER_MS);
    });
  }
  names.length = told.number;
  markKnown(form);
  spell(told, panels);
  tellOthers(told, panels);
}

// Lets other phones see who sits where, and take a free seat.
function tellOthers(told, panels) {
  const { title } = told.games.find((one) => one.name === told.game);
  panels.keying.wire.send({ sitting: { game: title, seats: names.slice(0, told.number), names: told.names } });
}

// Gives somebody the free seat that they have asked for on their own phone, and frees the one that they had.
export function sit({ place, name }) {
  const inputs = document.querySelectorAll(".name-of input");
  if (!inputs[place] || names[place]) return;
  const before = names.indexOf(name);
  for (const [number, text] of [[before, ""], [place, readable(name)]]) {
    if (number < 0) continue;
    inputs[number].value = text;
    inputs[number].dispatchEvent(new Event("input"));
  }
}

// The name shown for a seat: a colour in the page's language, which means the same in each.
function called(name, told) {
  return told.colours_shown[told.colours.indexOf(name)] ?? readable(name);
}

// The name meant by a text: a colour's, or a known name as it is kept, else the text as one word.
function meant(text, told) {
  const name = written(text), known = told.names.find((one) => one.normalize("NFC") === name);
  return told.colours[told.colours_shown.indexOf(text)] ?? known ?? name;
}

// Puts a known name on the first free seat, or takes it off the one that it has.
function seat(form, name, told) {
  const inputs = [...form.querySelectorAll(".name-of input")];
  const place = names.indexOf(name), free = names.findIndex((one) => !one);
  const input = inputs[place >= 0 ? place : free];
  if (!input) return;
  input.value = place >= 0 ? "" : called(name, told);
  input.dispatchEvent(new Event("input"));
}

function markKnown(form) {
  for (const key of form.querySelectorAll(".known button")) key.setAttribute("aria-pressed", names.includes(key.dataset.name));
}

function askName(form, place) {
  const field = form.querySelectorAll(".name-of")[place];
  field.querySelector(".notice").textContent = words("new.nobody");
  field.querySelector("input").focus();
}

function spell(told, panels) {
  panels.keying.wire.ask("spelled", { panel: { name: "spelled", game: told.game, names: names.slice(0, told.number) } });
}

// Shows how the display writes the names, and which names can't be used.
export function spelled({ spelled: found }) {
  const fields = document.querySelectorAll(".name-of");
  found.forEach(({ name, picture, wrong, lacks }, place) => {
    const field = fields[place];
    if (!field || names[place] !== name) return;
    field.querySelector(".on-display").innerHTML = picture;
    field.querySelector(".notice").textContent = (wrong ?? lacks)?.words ?? "";
    field.querySelector("input").setAttribute("aria-invalid", Boolean(wrong));
  });
}

// Asks for the numbers on the table's own card before the game; they are kept for the next.
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

// Keeps the card's numbers first, one at a time; then previews the game.
function lookOver(form, told, keying) {
  for (const option of told.options) {
    const value = chosen[option.name];
    if (!option.asked || value === option.value) continue;
    const text = [option.asked, value].join(" ");
    keying.inTurn(() => keying.keepSetting(text));
    option.value = value;
  }
  keying.inTurn(() => keying.offer({ deed: "open", text: header(told), label: "" }));
}

function options(form, told) {
  const rules = told.options.filter((option) => !option.asked);
  if (!rules.length) return;
  const selects = new Map();
  for (const option of rules.filter(isLeftOpen)) rule(form, option, rules, selects);
  const more = add(form, "details");
  add(more, "summary", "", words("new.rules"));
  for (const option of rules) if (!isLeftOpen(option)) rule(more, option, rules, selects);
}

// Whether a club's rules leave the option to the table, such as partners, so that it is not folded away.
function isLeftOpen(option) {
  return Boolean(option.left_open) && option.choices.length > 1;
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

// Sets all options as in a named set of house rules, except those that it leaves to the table.
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

// The text that begins the game, as in a tally's header.
function header(told) {
  const rules = Object.entries(chosen).map(([name, value]) => ["option", name, value]);
  const lines = [["game", told.game], ["seats", ...names.slice(0, told.number)], ...rules];
  return lines.map((line) => line.join(" ")).join("\n");
}
