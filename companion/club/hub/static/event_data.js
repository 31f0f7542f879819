// Shared by the pages of events: requests to the hub, reading an event, forms, and the round's clock.

import { breakWords, inMinutes } from "./calls.js";
import { accessCode, rememberCode, shareCode, takeCode } from "./connection.js";
import { add, at, button, fetchWithin, words, write } from "./elements.js";

// ---------------------------------------------------------------- asking the hub

const ANSWERS_WITHIN_MS = 20000;

let showLost = () => {};
const known = new Map();  // the hub's last answers, by path: {tag, at, found}
let token = null;  // the secret part of a player's address, used instead of an access code; null if there is none

// Sends all further requests as the phone of one player.
export function actAsPhone(one) {
  token = one;
}

// From now on shows on the page whether the hub answers.
export function showLostConnections() {
  showLost = (lost) => {
    document.body.dataset.state = lost ? "lost" : "connected";
    write("link", lost ? words("event.lost") : "");
  };
}

// Lets somebody without an access code type one, and then calls `refresh`.
export function promptForCode(refresh) {
  takeCode();
  at("door").addEventListener("submit", (event) => {
    event.preventDefault();
    rememberCode(at("code").value.trim().toLowerCase());
    refresh();
  });
}

// Sends a request to the hub and returns its answer as an object; null if there is none, or if the access
// code isn't valid. `said`: the body of a POST.
export async function ask(path, said) {
  const shown = token ?? accessCode();
  const headers = { Authorization: ["bearer", shown ?? ""].join(" ") };
  const before = said === undefined ? known.get(path) : undefined;
  if (before) headers["if-none-match"] = before.tag;
  const asked = said === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(said) };
  let answer, found;
  try {
    answer = await fetchWithin(ANSWERS_WITHIN_MS, path, asked);
    found = answer.status === 304 ? withCurrentClocks(before) : await answer.json();
  } catch {
    showLost(true);
    return null;
  }
  showLost(false);
  if (said === undefined && answer.ok && answer.headers.get("ETag")) known.set(path, { tag: answer.headers.get("ETag"), at: performance.now(), found });
  if (token !== null) return found;
  at("door").hidden = answer.status !== 401;
  if (answer.status === 401) {
    document.body.dataset.state = "refused";
    write("link", words("link.no-word"));
    return null;
  }
  shareCode(shown, false);
  return found;
}

// The hub's earlier answer, which is still current, with the seconds on its clocks updated.
function withCurrentClocks({ at: then, found }) {
  const clocks = ["left_s", "break_left_s"].filter((one) => typeof found[one] === "number");
  return { ...found, ...Object.fromEntries(clocks.map((one) => [one, Math.max(0, found[one] - (performance.now() - then) / 1000)])) };
}

// Adds a key that asks for confirmation before it calls `act`.
export function confirmButton(place, label, question, act) {
  const key = button(place, "act", label, () => {
    if (key.dataset.asked) {
      act();
      return;
    }
    key.dataset.asked = "yes";
    key.textContent = question;
    key.classList.add("careful");
  });
  return key;
}

// ---------------------------------------------------------------- an event

export const nameOf = (kept, id) => kept.event.players.find((one) => one.id === id)?.name ?? id;
export const newest = (kept) => kept.event.rounds[kept.event.rounds.length - 1];
export const resultOf = (table) => table.corrected?.points ?? table.points;
// Compares names for sorting: Óscar is under O, and Guest 2 comes before Guest 10.
export const compareNames = (one, other) => one.localeCompare(other, undefined, { numeric: true });
export const playsOn = (kept, id) => !kept.event.out.includes(id) && !(kept.event.players.find((one) => one.id === id)?.until <= kept.event.rounds.length - 1);
export const present = (kept) => kept.event.players.filter(({ id, until }) => !kept.event.out.includes(id) && !(until <= kept.event.rounds.length));

// The name of a player's team; undefined if there is none.
export const teamOf = (kept, id) => kept.event.teams?.find(({ people }) => people.includes(id))?.name;

// The boards won by two teams, as “2–2”; if the match is over and level, with the game points.
export const boardsWords = ({ won, points }) => won.join("–") + (points ? ` (${points.join("–")})` : "");

// The name of the player or team that has won a knock-out.
export const winnerOf = (kept) => kept.event.teams ? kept.winner : nameOf(kept, kept.winner);

// The teams at a table, in the order of the seats; empty if there are none.
export const teamsAt = (kept, { seats }) => [...new Set(seats.map((id) => teamOf(kept, id)).filter(Boolean))].join(" – ");

export const hasBracket = ({ event }) => ["knockout", "double-knockout"].includes(event.format) && event.rounds.length > 0;

// The newest entry of that kind that counts and passes `test`; undefined if there is none.
export const lastEntry = (kept, kind, test = () => true) => kept.entries.filter((one) => one.counts && one.kind === kind && test(one)).pop();

const SIGNS = ["●", "■", "▲", "◆"], COLOURS = ["red", "blue", "green", "yellow"];

// Adds the sign of a seat, in the seat's colour.
export function seatSign(place, seat) {
  const sign = add(place, "span", "sign", SIGNS[seat]);
  sign.setAttribute("aria-hidden", "true");
  sign.style.color = `var(--${COLOURS[seat]})`;
}

// The tables of a round that `list` shows now, searched by player or number, in order of `rank` and number.
export function tablesIn(list, kept, tables, rank, show) {
  list.hideFor(tables.length);
  const found = tables.filter(({ table, seats }) => list.fits(seats.map((id) => nameOf(kept, id)), table));
  return list.shown(found.sort((one, other) => rank(one) - rank(other) || one.table - other.table), show);
}

// ---------------------------------------------------------------- forms

export function field(place, label, made) {
  const box = add(place, "label", "", label);
  box.append(made);
  return made;
}

export function input(kind, more = {}) {
  return Object.assign(document.createElement(kind), more);
}

export function choice(options) {
  const made = document.createElement("select");
  for (const [value, text] of options) Object.assign(add(made, "option", "", text), { value });
  return made;
}

// When the round's time is up, and when the break before the next round ends, by this browser's clock; null
// if no such clock runs.
let ends = null, breakEnds = null, next = 1;

export function setClock({ left_s, break_left_s = null, event, rounds }) {
  const endOf = (left) => (left === null ? null : performance.now() / 1000 + left);
  ends = endOf(left_s);
  breakEnds = endOf(break_left_s);
  next = (event?.rounds ?? rounds).length + 1;
}

// The time left of the break or of the round, as on a clock; empty if no clock runs.
export function clockWords() {
  const left = (end) => Math.max(0, Math.round(end - performance.now() / 1000));
  if (breakEnds !== null) return breakWords(next, left(breakEnds));
  if (ends === null) return "";
  return left(ends) ? words("event.left", inMinutes(left(ends))) : words("event.time-up");
}

