// “My evening”, a player's page: the seat, the table's result, the place. The secret part of the address is
// stored on this phone, so that the page can be opened again later.

import { ROOT, add, at, button, clear, keep, lessMotion, listed, recall, words, write } from "./elements.js";
import { ask, boardsWords, clockWords, confirmButton, input, seatSign, showLostConnections, setClock, actAsPhone } from "./event_data.js";
import { reasonWords } from "./event_penalty.js";

const POLL_MS = 4000, COLOURS = ["red", "blue", "green", "yellow"];
const SIDES = { 2: ["near", "far"], 3: ["near", "left", "right"], 4: ["near", "left", "far", "right"] };

const number = Number(location.pathname.slice(ROOT.length).split("/")[2]);
const path = `/api/events/${number}/mine`, NAME = `evening-${number}`;
let shown = "", changes = false, sat = null;

if (/^#\d+\.[a-z2-7]{16}$/.test(location.hash)) keep(NAME, location.hash.slice(1));
const token = recall(NAME);
if (token) history.replaceState(history.state, "", `${location.pathname}#${token}`);
actAsPhone(token ?? "");

async function refresh(said) {
  const found = await ask(path, said);
  if (!found) return;
  if (found.error) {
    at("answer").dataset.done = "false";
    write(at("evening").hidden ? "link" : "answer", found.error);
    return;
  }
  if (said) write("answer", "");
  setClock(found);
  const text = JSON.stringify({ ...found, left_s: null, break_left_s: null });
  if (text === shown || (changes && !said)) return;
  shown = text;
  changes = false;
  show(found);
}

function show(found) {
  at("evening").hidden = false;
  const round = found.rounds[found.rounds.length - 1];
  write("where", `${found.name}, ${found.you}`);
  write("title", round ? words("event.round", { number: round.round }) : words("mine.title"));
  showSeat(found, round);
  showResult(found, round);
  showPlace(found);
  showActs(found, round);
  buzz(round);
}

// Makes the phone vibrate when the player has a new table.
function buzz(round) {
  const place = round ? `${round.round}.${round.table}.${round.seat}` : "";
  if (sat !== null && place !== sat && round?.table) {
    document.title = words("mine.new-table", { number: round.round, table: round.table });
    if (!lessMotion()) navigator.vibrate?.([200, 100, 200]);
  }
  sat = place;
}

function showSeat(found, round) {
  const place = at("sits");
  clear(place);
  const { team } = found, match = round?.match;
  if (found.winner) add(place, "p", "table-number", words("event.has-won", { name: found.winner }));
  else if (found.ended) add(place, "p", "", words("event.all-played", { number: round.round }));
  else if (!found.here && !round?.table) add(place, "p", "", words("mine.not-here"));
  else if (!round) {
    add(place, "p", "", words("mine.before"));
    if (team) add(place, "p", "quiet", words("mine.plays-for", { team: team.name }));
  } else if (match && !match.opponent) add(place, "p", "table-number", words("mine.team-bye", { team: team.name }));
  else if (round.bye) add(place, "p", "table-number", words(match ? "mine.no-opponent" : "mine.bye"));
  else if (!round.table) add(place, "p", "", words(found.knocked_out ? "mine.knocked-out" : match ? "mine.reserve" : "mine.next-round"));
  else {
    const where = add(place, "div", "where");
    add(where, "p", "", words("mine.sit-at"));
    add(where, "p", "table-number", words("event.table", { number: round.table }));
    const seat = add(where, "p", "seat-name");
    seatSign(seat, round.seat);
    seat.append(words(`mine.seat-${COLOURS[round.seat]}`));
    if (round.pays && round.pays === round.paid_by) add(where, "p", "quiet", words("mine.pays-both", { name: round.pays }));
    else if (round.pays) add(where, "p", "quiet", words("mine.pays", { pays: round.pays, paid_by: round.paid_by }));
    const box = found.box && add(add(where, "p", ""), "a", "", words("mine.live"));
    if (box) box.href = `${ROOT}/table/${found.box}`;
    showRoundTable(place, round);
  }
  if (match?.opponent) showMatch(add(place, "div", "match"), team, match);
}

// The match of the player's team, with the boards won so far.
function showMatch(place, team, match) {
  const line = add(place, "p", "");
  add(line, "b", "", team.name);
  line.append(` ${boardsWords(match)} ${match.opponent}`);
  if (match.board) add(place, "p", "quiet", words("mine.board", { board: match.board }));
}

// Draws the table from above, with the player at the near side; turns go clockwise.
function showRoundTable(place, { seats, seat }) {
  const drawn = add(place, "div", "round-table");
  SIDES[seats.length].forEach((side, step) => {
    const at = (seat + step) % seats.length, one = add(drawn, "span", side);
    if (step) seatSign(one, at);
    one.append(step ? seats[at] : words("mine.you"));
  });
}

// ---------------------------------------------------------------- the result

// Shows the newest round's result to be confirmed or reported.
function showResult(found, round) {
  const body = at("result-body"), box = found.points_at_box;
  clear(body);
  at("result").hidden = !round?.table;
  if (!round?.table) return;
  const points = round.points ?? box ?? round.mine ?? round.reported;
  if (points === null || points === undefined) {
    write("result-title", words("mine.report"));
    if (found.box) add(body, "p", "quiet", words("mine.box-counts"));
    else askPoints(body, round, null);
    return;
  }
  const settled = round.points !== null && (round.mine === null || same(round.mine, round.points));
  write("result-title", settled && round.mine ? words("mine.result") : words("mine.right"));
  const from = box && round.points === null ? "mine.from-box" : round.corrected ? "mine.corrected" : round.points === null && round.mine === null ? "mine.from-others" : "";
  if (from) add(body, "p", "quiet", words(from));
  const list = add(body, "ul", "scores");
  points.forEach((each, seat) => {
    const line = add(list, "li", "");
    line.style.setProperty("--own", `var(--${COLOURS[seat]})`);
    const name = add(line, "span", "player");
    seatSign(name, seat);
    name.append(seat === round.seat ? words("mine.you") : round.seats[seat]);
    add(line, "b", "", each);
  });
  if (round.mine !== null && round.points === null) add(body, "p", "quiet", words(same(round.mine, points) ? "mine.wait" : "mine.dispute", { points: round.mine.join("–") }));
  else if (round.mine !== null && !same(round.mine, points)) add(body, "p", "alert", words("mine.dispute", { points: round.mine.join("–") }));
  else if (round.mine !== null) add(body, "p", "good", words("mine.confirmed"));
  const acts = add(body, "div", "acts");
  if (!round.mine || !same(round.mine, points)) button(acts, "button", words("mine.yes"), () => report(round, points));
  button(acts, "act", words("mine.no"), () => {
    clear(body);
    askPoints(body, round, points);
  });
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const report = ({ round, table }, points) => refresh({ round, table, points });

function askPoints(body, round, points) {
  const form = add(body, "form", ""), list = add(form, "ul", "scores");
  const fields = round.seats.map((name, seat) => {
    const line = add(list, "li", ""), label = add(line, "label", "");
    line.style.setProperty("--own", `var(--${COLOURS[seat]})`);
    add(label, "span", "player", seat === round.seat ? words("mine.you") : name);
    const made = input("input", { type: "number", inputMode: "numeric", required: true, step: "any", value: points ? points[seat] : "" });
    label.append(made);
    made.addEventListener("input", () => { changes = true; });
    return made;
  });
  const acts = add(form, "p", "acts");
  add(acts, "button", "button", words("mine.send"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    report(round, fields.map((one) => Number(one.value)));
  });
}

// ---------------------------------------------------------------- the place

function showPlace(found) {
  at("so-far").hidden = !found.rounds.length;
  const { of, points } = found, place = found.rounds.some((one) => one.gained !== null && one.gained !== undefined) ? found.place : null;
  write("place", place === null ? words("event.standings") : words("mine.place", { place, of, points: Math.round(points * 100) / 100 }));
  const behind = Math.round(found.behind * 100) / 100;
  write("behind", place === null ? "" : behind > 0 ? words("mine.behind", { points: behind, name: found.leader }) : place === 1 ? words("mine.leads") : "");
  const { team } = found;
  write("team-place", team && team.place !== null ? words("mine.team-place", { team: team.name, place: team.place, of: team.of, points: team.points }) : "");
  const list = at("my-rounds");
  clear(list);
  for (const one of [...found.rounds].reverse()) {
    const line = add(list, "li", "");
    add(line, "b", "", words("event.round", { number: one.round }));
    showOpponents(add(line, "span", "player"), one);
    add(line, "b", "", one.gained !== null && one.gained !== undefined ? words("mine.gained", { points: Math.round(one.gained * 100) / 100 }) : one.table ? words("event.table", { number: one.table }) : "");
  }
  for (const { round, kind, why } of found.penalties) {
    const line = add(list, "li", "");
    add(line, "b", "", words("event.round", { number: round }));
    add(line, "span", "player", [words(`event.penalty.${kind}`), reasonWords(why)].filter(Boolean).join(" · "));
  }
  at("all").href = `${ROOT}/event/${number}`;
}

// Shows whom the player met in a round, with the other team and the boards won by both.
function showOpponents(place, { seats, seat, bye, match }) {
  place.append(seats ? listed(seats.filter((_, at) => at !== seat)) : bye ? words("mine.had-bye") : match ? "" : "–");
  if (match?.opponent) add(place, "span", "quiet", `${boardsWords(match)} ${match.opponent}`);
}

function showActs(found, round) {
  const place = at("my-acts");
  clear(place);
  if (found.called) add(place, "p", "good", words("mine.called"));
  else if (round?.table && round.points === null) confirmButton(place, words("mine.judge"), words("mine.judge-sure", { table: round.table }), () => refresh({ call: true }));
  if (found.ended) return;
  if (found.leaves) {
    add(place, "p", "", words("mine.leaves"));
    button(place, "act", words("mine.stay"), () => refresh({ leave: false }));
  } else if (found.here && round && !found.knocked_out) confirmButton(place, words("mine.leave"), words("mine.leave-sure"), () => refresh({ leave: true }));
}

showLostConnections();
if (token) {
  setInterval(() => document.hidden || refresh(), POLL_MS);
  document.addEventListener("visibilitychange", () => document.hidden || refresh());
  refresh();
} else write("link", words("mine.no-link"));
setInterval(() => write("clock", clockWords()), 500);
