// Shows the club's tables at a glance. The server sends changes; ages are counted here.

import { agoWords, now, unheardWords } from "./ages.js";
import { Connection, placeCodeForm, showCodeForm } from "./connection.js";
import { ROOT, add, at, clear, colour, words, write } from "./elements.js";
import { LongList } from "./long_list.js";
import { addCodeToLinks, showConnectionState } from "./show_moment.js";

const UNHEARD_S = 30;
const tables = new Map();  // by box: {told, at, heard, entered, card, …}
const cards = new LongList("find", "more", { phone: 8, desk: 24, byPages: true });
let version = null;

function update({ version: newest, club, tables: changed, heard, gone }) {
  if (version !== null && version !== newest) {
    location.reload();
    return;
  }
  version = newest;
  write("title", club);
  document.title = club;
  for (const box of gone) {
    tables.get(box)?.card?.remove();
    tables.delete(box);
  }
  for (const one of changed) tables.set(one.box, { told: one, at: now(), heard: heardAt(one.heard_s), entered: heardAt(one.entered_s), card: tables.get(one.box)?.card });
  for (const [box, seconds] of Object.entries(heard)) if (tables.has(box)) tables.get(box).heard = heardAt(seconds);
  for (const one of changed) draw(tables.get(one.box));
  order();
  tick();
}

const heardAt = (seconds) => seconds === null ? null : now() - seconds;
const inOrder = (one, other) => one.name.localeCompare(other.name, undefined, { numeric: true });
const members = () => [...tables.values()].filter(({ told: one }) => one.state === "member");

// Shows the list of clubs at a federation's hub. The federation's own tables, if any, count as a club.
function showClubs(all) {
  const select = at("of"), found = [...new Set(all.map(clubOf))].sort((one, other) => one.localeCompare(other));
  if (select.dataset.shown === JSON.stringify(found)) return;
  select.dataset.shown = JSON.stringify(found);
  const chosen = found.includes(select.value) ? select.value : "";
  clear(select);
  add(select, "option", "", words("club.of-all")).value = "";
  for (const one of found) add(select, "option", "", one).value = one;
  select.value = chosen;
  select.hidden = found.length < 2;
}

const clubOf = ({ told: one }) => one.of ?? document.title;

// Whether a table belongs to the chosen club and matches the search: by its name, its number, or its players'
// names.
function fits(table) {
  const { told: one } = table, of = at("of").value;
  if (of && clubOf(table) !== of) return false;
  const names = one.sides.flatMap(({ players }) => players.map(({ shown }) => shown));
  return cards.fits([one.name, ...names], one.number);
}

// Sorts the cards by the tables' names, with numbers in them by value, and shows as many as fit a page.
function order() {
  const all = members();
  showClubs(all);
  const found = all.filter(fits).sort((one, other) => inOrder(one.told, other.told)), shown = cards.shown(found, order), place = at("tables");
  cards.hideFor(all.length);
  for (const table of tables.values()) if (!shown.includes(table)) table.card?.remove();
  shown.forEach(({ card }, number) => {
    if (place.children[number] !== card) place.insertBefore(card, place.children[number] ?? null);
  });
  at("none").hidden = all.length > 0;
}

function draw(table) {
  const { told: one } = table;
  if (!table.card) table.card = document.createElement("li");
  const { card } = table, focused = card.contains(document.activeElement);
  clear(card);
  card.className = "card";
  const link = add(card, "a", "all");
  link.href = `${ROOT}/table/${one.box}`;
  const head = add(link, "p", "head");
  add(head, "b", "called", one.name);
  table.age = add(head, "span", "age");
  for (const side of one.sides) showSide(link, side);
  add(link, "p", "asked", one.title === null ? one.fault ? "" : words("club.no-game") : one.claim ?? one.asked);
  if (one.title !== null) add(link, "p", "quiet game", one.where ? `${one.title} · ${one.where}` : one.title);
  for (const line of alerts(one)) add(link, "p", "alert", line);
  table.silent = add(link, "p", "alert unheard");
  if (focused) link.focus();
}

function showSide(place, { players, score, won }) {
  const side = add(place, "p", "side");
  side.classList.toggle("to-move", players.some((one) => one.to_move));
  side.classList.toggle("won", Boolean(won));
  const names = add(side, "span", "names");
  for (const one of players) {
    const name = add(names, "span", "player");
    colour(name, one.colour);
    name.classList.toggle("moves", Boolean(one.to_move));
    const sign = add(name, "span", "sign", one.sign);
    sign.setAttribute("aria-hidden", "true");
    add(name, "span", "who", one.shown);
  }
  add(side, "b", "points", score);
}

function alerts(one) {
  const found = [];
  if (one.claim) found.push(words("club.judge"));
  if (one.forked) found.push(words("club.forked"));
  if (one.fault === "newer") found.push(words("club.newer"));
  else if (one.fault) found.push(`${words("club.fault")}: ${one.fault}`);
  return found;
}

// Updates everything that changes with time: ages, and which boxes are silent.
function tick() {
  const looks = [];
  for (const table of members()) {
    const { told: one, heard, entered, card } = table;
    const silence = heard === null ? null : now() - heard;
    const silent = silence === null || silence > UNHEARD_S;
    put(table.age, entered === null || one.title === null ? "" : agoWords(now() - entered));
    put(table.silent, silent ? unheardWords(silence) : "");
    const needs = alerts(one).length > 0;
    card.classList.toggle("needs", needs);
    card.classList.toggle("unheard", silent);
    if (needs) looks.push(one);
  }
  showAttention(looks.sort(inOrder));
}

// Shows links to the tables that need attention.
function showAttention(looks) {
  const place = at("attention"), shown = JSON.stringify(looks.map(({ box, name }) => [box, name]));
  if (place.dataset.shown === shown) return;
  place.dataset.shown = shown;
  clear(place);
  place.hidden = looks.length === 0;
  add(place, "span", "", words("club.attention"));
  for (const one of looks) add(place, "a", "", one.name).href = `${ROOT}/table/${one.box}`;
}

function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const connection = new Connection({
  onMessage: (message) => "tables" in message && update(message),
  onState(name, text) {
    showConnectionState(name, text);
    showCodeForm(name);
    if (name === "connected") at("to-organiser").hidden = connection.role !== "organiser";
    if (name === "connected") at("to-judge").hidden = connection.role === "viewer";
  },
}, { wants: [], watchful: true });

at("of").addEventListener("input", () => {
  cards.reset();
  order();
});
setInterval(tick, 1000);
addCodeToLinks();
placeCodeForm("watch", connection);
