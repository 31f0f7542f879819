// The steps “results” and “standings”: each table's result, open decisions, corrections with a preview of who
// would move, the clock, and the standings.

import { ROOT, add, at, button, clear, listed, words, write } from "./elements.js";
import { announce } from "./event_hall.js";
import { reasonWords, showPenalties } from "./event_penalty.js";
import { ask, boardsWords, choice, confirmButton, field, hasBracket, input, lastEntry, nameOf, newest, resultOf, seatSign, tablesIn, teamsAt, winnerOf } from "./event_data.js";
import { LongList } from "./long_list.js";

const EXTRA_MIN = 5;
const roundList = new LongList("find-table", "more-tables", { phone: 5, desk: 24 });
let older = null;  // the earlier round chosen to be shown; null for the newest
let opened = null;  // the table whose rarer keys are shown

// ---------------------------------------------------------------- the round

export function showResults(context) {
  const { kept } = context, rounds = kept.event.rounds.length;
  const number = older === null || older > rounds ? rounds : older;
  showOdd(context);
  showRound(context, number);
  showRounds(context, number);
}

// Whether somebody is typing a result that redrawing the page would clear.
export const isTypingResult = () => at("tables").querySelector("form.result") !== null;

function showRound(context, number) {
  const { kept, may } = context, round = kept.event.rounds[number - 1], place = at("tables"), acts = at("round-acts");
  clear(place);
  clear(acts);
  at("find-table").hidden = at("more-tables").hidden = true;
  write("bye", "");
  showMatches(kept, number);
  write("round-title", round ? words("event.round", { number }) : words("event.no-round"));
  if (!round) return;
  if (round.bye.length) write("bye", words("event.bye", { names: listed(round.bye.map((id) => nameOf(kept, id))) }));
  const isNewest = number === kept.event.rounds.length;
  const shown = tablesIn(roundList, kept, round.tables, (table) => urgency(kept, table), () => showResults(context));
  for (const table of shown) showTable(context, place, table, number);
  if (kept.stands[number - 1]) {
    add(acts, "p", "quiet", words("event.stands-now"));
    if (may.organiser) showReopen(context, number);
  }
  if (!isNewest || !may.judge) return;
  const open = round.tables.filter((one) => resultOf(one) === null), over = kept.playing.filter((one) => one.result);
  if (open.length) add(acts, "p", "quiet", words("event.missing", { tables: open.map((one) => one.table).sort((one, other) => one - other).join(", ") }));
  if (over.length > 1) button(acts, "button", words("event.take-all", { number: over.length }), () => context.enter(over.map(({ result }) => ({ result }))));
  if (!may.organiser || !open.length) return;
  showClock(context, acts);
  showSwap(context, acts, open, number);
}

// Sorts a round's tables: first those that wait for the organiser, then those in play, then those with a result.
function urgency(kept, table) {
  if (resultOf(table) !== null) return 2;
  const playing = kept.playing.find((one) => one.table === table.table);
  return playing?.result || playing?.others || playing?.disputed ? 0 : 1;
}

// Shows the score of each match between teams in that round.
function showMatches({ matches = [] }, number) {
  const list = at("matches");
  clear(list);
  for (const match of matches[number - 1] ?? []) {
    const line = add(list, "li", match.over ? "over" : "");
    add(line, "span", "player", match.home);
    add(line, "b", "", boardsWords(match));
    add(line, "span", "player", match.away);
  }
}

// Shows the results that the organiser has to decide: impossible and disputed ones.
function showOdd(context) {
  const { kept, may } = context, list = at("odd");
  clear(list);
  if (!may.judge) return;
  for (const call of kept.calls ?? []) {
    const line = add(list, "li", "");
    add(line, "p", "alert", words("event.is-called", { name: nameOf(kept, call.id), table: call.table }));
    button(line, "act", words("event.helped"), () => context.enter([{ helped: { round: call.round, table: call.table } }]));
  }
  let acts = null, shown = "";
  for (const one of kept.odd ?? []) {
    const { round, table, points } = one, said = { round, table, points }, why = `${words("event.round", { number: round })}, ${one.why}`;
    if (one.now !== null || why !== shown) {
      const line = add(list, "li", "");
      add(line, "p", "alert", why);
      acts = add(line, "div", "acts");
    }
    shown = why;
    if (one.now === null) button(acts, "act", words("event.odd-take", { points: points.join("–") }), () => context.send({ after: kept.after, entries: [{ result: said }], as_entered: true }));
    else {
      button(acts, "act", words("event.odd-take", { points: points.join("–") }), () => context.enter([{ corrected: { ...said, by: words("event.organiser"), why: one.why } }]));
      button(acts, "act", words("event.odd-keep", { points: one.now.join("–") }), () => context.enter([{ corrected: { ...said, points: one.now, by: words("event.organiser"), why: words("event.odd-kept") } }]));
    }
  }
}

// Shows the list of rounds to choose from, the newest first.
function showRounds(context, number) {
  const form = at("older"), rounds = context.kept.event.rounds.length;
  form.hidden = rounds < 2;
  clear(form);
  const all = Array.from({ length: rounds }, (_, one) => [rounds - one, words("event.round", { number: rounds - one })]);
  const chosen = field(form, words("event.look-at"), choice(all));
  chosen.value = number;
  chosen.addEventListener("change", () => {
    older = Number(chosen.value) === rounds ? null : Number(chosen.value);
    document.activeElement?.blur();
    showResults(context);
  });
}

function showTable(context, place, table, round) {
  const { kept, may, enter } = context, box = add(place, "section", "seat-table"), points = resultOf(table);
  box.dataset.table = table.table;
  const head = add(box, "h3", "", words("event.table", { number: table.table }));
  const playing = points || round < kept.event.rounds.length ? undefined : kept.playing.find((one) => one.table === table.table);
  const state = playing?.others ? "event.others" : playing?.box ? "event.playing" : "event.not-found";
  if (playing?.disputed && may.judge) add(add(head, "span", "alert"), "a", "", words("club.judge")).href = `${ROOT}/judge`;
  else if (playing) add(head, "span", playing.others ? "alert" : "quiet", words(state));
  if (kept.event.teams) add(box, "p", "quiet", teamsAt(kept, table));
  box.classList.toggle("over", Boolean(playing?.result));
  const list = add(box, "ul", "");
  const most = points && Math.max(...points);
  table.seats.forEach((id, seat) => {
    const name = nameOf(kept, id), line = add(list, "li", points && points[seat] === most ? "won" : "");
    const called = add(line, "span", "player");
    seatSign(called, seat);
    called.append(name);
    add(line, "span", "points", points ? points[seat] : playing?.scores?.[name] ?? "");
  });
  const won = kept.games > 1 && !points && (playing?.result ?? playing?.stands)?.points;
  if (won) add(box, "p", "quiet", words("event.games-won", { games: won.join("–") }));
  if (table.corrected) add(box, "p", "quiet", words("event.corrected", table.corrected));
  if (!may.judge) return;
  const acts = add(box, "div", "acts");
  if (playing?.result) button(acts, "button", words("event.take"), () => enter([{ result: playing.result }]));
  if (playing?.stands && kept.left_s === 0) confirmButton(acts, words("event.as-it-stands"), words("event.as-it-stands-sure"), () => enter([{ result: playing.stands }]));
  if (points && kept.stands[round - 1]) return;
  button(acts, "act", words(points ? "event.correct" : "event.enter"), () => showResultForm(context, box, table, round, points));
  button(acts, "act", words("event.penalise"), () => showPenaltyForm(context, box, table, round));
  if (may.organiser && !points && round === kept.event.rounds.length) showRarerKeys(context, box, table, round);
}

// Adds a key that shows what is seldom needed at a table in play.
function showRarerKeys(context, box, table, round) {
  const { kept } = context, number = table.table;
  box.classList.add("in-play");
  const key = button(box, "dots", "⋮", () => {
    opened = opened === number ? null : number;
    show();
  });
  key.setAttribute("aria-label", words("event.more-of", { name: words("event.table", { number }) }));
  const acts = add(box, "div", "acts");
  if (kept.left_s !== null) button(acts, "act", words("event.more-time", { minutes: EXTRA_MIN }), () => context.enter([{ clock: { round, table: number, minutes: EXTRA_MIN } }]));
  button(acts, "act", words("event.needs-player"), () => announce(context, words("event.needs-player-said", { table: number })));
  if (kept.event.format !== "partners") button(acts, "act", words("event.absent"), () => showAbsent(context, box, table, round));
  function show() {
    acts.hidden = opened !== number;
    key.setAttribute("aria-expanded", opened === number);
  }
  show();
}

// Asks for the penalty of one of the players at the table.
function showPenaltyForm(context, box, table, round) {
  const { kept } = context;
  clear(box);
  add(box, "h3", "", words("event.penalty-of", { table: table.table }));
  const form = add(box, "form", "result");
  showPenalties(form, round, table.seats.map((id) => ({ id, name: nameOf(kept, id) })), (entry) => context.enter([entry]));
  if (!kept.event.penalty) add(form, "p", "quiet", words("event.penalty-listed"));
  button(add(form, "div", "acts"), "act", words("event.cancel"), () => context.enter(null));
}

// Asks who did not come to the table.
function showAbsent(context, box, table, round) {
  clear(box);
  add(box, "h3", "", words("event.absent-who"));
  const acts = add(box, "form", "result acts");
  const absent = (...ids) => context.enter(ids.map((id) => ({ absent: { round, table: table.table, id } })));
  for (const id of table.seats) button(acts, "act", nameOf(context.kept, id), () => absent(id));
  if (hasBracket(context.kept) && table.seats.length === 2) button(acts, "act", words("event.absent-both"), () => absent(...table.seats));
  button(acts, "act", words("event.cancel"), () => context.enter(null));
}

// Shows the form for the points of each seat and, for a correction, its reason. Before a correction counts,
// the form shows who would get another place.
function showResultForm(context, box, table, round, points) {
  clear(box);
  add(box, "h3", "", words("event.table", { number: table.table }));
  const form = add(box, "form", "result"), list = add(form, "ul", "");
  const fields = table.seats.map((id, seat) => {
    const line = add(list, "li", ""), name = nameOf(context.kept, id);
    add(line, "span", "player", name);
    const made = input("input", { type: "number", step: "any", required: true, value: points ? points[seat] : "", inputMode: "numeric" });
    made.setAttribute("aria-label", words("event.points-of", { name }));
    line.append(made);
    return made;
  });
  const reason = (label) => field(form, label, input("input", { className: "reason", required: true, maxLength: 120 }));
  const why = points && reason(words("event.why")), by = points && reason(words("event.by"));
  const moves = add(form, "ul", "quiet moves"), acts = add(form, "div", "acts"), key = add(acts, "button", "button", words("event.keep"));
  button(acts, "act", words("event.cancel"), () => context.enter(null));
  let seen = null;  // the correction for which moves in the standings are shown
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const said = { round, table: table.table, points: fields.map((one) => Number(one.value)) };
    if (!points) {
      context.enter([{ result: said }]);
      return;
    }
    const entries = [{ corrected: { ...said, why: why.value, by: by.value } }], text = JSON.stringify(entries);
    if (seen === text) context.enter(entries);
    else if (await showMoves(context, moves, entries)) {
      seen = text;
      key.textContent = words("event.correct-sure");
    }
  });
  fields[0].focus();
}

// Shows who would get another place in the standings; returns whether the hub has answered.
async function showMoves(context, list, entries) {
  const { kept } = context, found = await ask(context.path, { after: kept.after, entries, preview: true });
  if (found?.error) write("answer", found.error);
  if (!found?.moves) return false;
  clear(list);
  for (const { player, now, then } of found.moves) add(list, "li", "", words("event.moves", { name: nameOf(kept, player), now: now ?? "–", then: then ?? "–" }));
  if (!found.moves.length) add(list, "li", "", words("event.moves-none"));
  return true;
}

// Shows the form for allowing corrections of final results again, with a reason.
function showReopen(context, round) {
  const form = add(at("round-acts"), "form", "fields");
  const why = field(form, words("event.reopen-why"), input("input", { required: true, maxLength: 120 }));
  add(form, "button", "act", words("event.reopen"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    context.enter([{ reopened: { round, why: why.value } }]);
  });
}

// Shows the form for swapping the seats of two players.
function showSwap(context, place, open, number) {
  const { kept } = context, form = add(place, "form", "fields");
  const seated = open.flatMap((one) => one.seats.map((id) => [id, `${nameOf(kept, id)} (${one.table})`]));
  const one = field(form, words("event.swap"), choice(seated)), other = choice(seated);
  form.append(other);
  other.setAttribute("aria-label", words("event.swap"));
  add(form, "button", "act", words("event.swap-do"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const changed = { [one.value]: other.value, [other.value]: one.value };
    const tables = open.filter(({ seats }) => seats.some((id) => id in changed))
      .map(({ table, seats }) => ({ table, seats: seats.map((id) => changed[id] ?? id) }));
    if (one.value !== other.value) context.enter([{ reseated: { round: number, tables } }]);
  });
}

function showClock({ kept, enter }, place) {
  const form = add(place, "form", "fields");
  const minutes = field(form, words("event.clock"), input("input", { type: "number", min: 1, max: 600, value: lastEntry(kept, "clock", ({ said }) => !said.table)?.said.minutes ?? 30 }));
  add(form, "button", "act", words("event.clock-start"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    enter([{ clock: { round: kept.event.rounds.length, minutes: Number(minutes.value) } }]);
  });
}

// The label and action of the step's main key: on to the next draw once all results are in.
export function mainKeyOfResults(context) {
  const { kept } = context, round = newest(kept);
  if (!round) return { said: words("event.no-round"), label: words("event.next-draw"), act: () => context.go("draw") };
  const left = round.tables.filter((one) => resultOf(one) === null).length;
  if (left) return null;
  const said = kept.winner ? words("event.has-won", { name: winnerOf(kept) }) : words("event.all-played", { number: kept.event.rounds.length });
  if (kept.over) return { said, label: words("event.next-standings"), act: () => context.go("standings") };
  return { said: "", label: words("event.draw", { number: kept.event.rounds.length + 1 }), act: async () => {
    context.go("draw");
    if (!kept.draft) await context.send({ after: kept.after, propose: true });
  } };
}

// ---------------------------------------------------------------- standings

export function showStandings(context) {
  const { kept } = context, table = at("standings"), number = kept.played, rounds = kept.event.rounds.length;
  clear(table);
  const after = number ? words("event.after-rounds", { number, rounds }) : "";
  write("stand-after", kept.winner ? words("event.has-won", { name: winnerOf(kept) }) : after);
  showBracket(context);
  showTeams(kept);
  const head = add(add(table, "thead", ""), "tr", "");
  const heads = [words("event.points"), words("event.won"), words("event.for"), words("event.against"), words("event.opponents")];
  for (const text of ["", "", ...heads, ""]) {
    if (text) add(head, "th", "", text).scope = "col";
    else add(head, "td", "");
  }
  const body = add(table, "tbody", "");
  for (const one of kept.standings) {
    const row = add(body, "tr", kept.prizes && one.place !== null && one.place <= kept.prizes ? "prize" : "");
    add(row, "td", "", one.place ?? "–");
    add(row, "th", "", nameOf(kept, one.player)).scope = "row";
    for (const value of [one.points, one.won, one.for, one.against, one.opponents]) add(row, "td", "", Math.round(value * 100) / 100);
    add(row, "td", "parted", one.parted_by ? words(`event.parted.${one.parted_by}`) : "");
  }
  showCategories(kept);
  showCorrections(kept);
}

// Shows the standings of the teams.
function showTeams({ teams }) {
  at("teams").hidden = !teams;
  const table = at("team-standings");
  clear(table);
  if (!teams) return;
  const head = add(add(table, "thead", ""), "tr", "");
  const heads = ["event.points", "event.teams-played", "event.won", "event.teams-drawn", "event.teams-lost", "event.teams-won", "event.teams-games"];
  for (const text of ["", "", ...heads]) {
    if (text) add(head, "th", "", words(text)).scope = "col";
    else add(head, "td", "");
  }
  const body = add(table, "tbody", ""), rounded = (value) => Math.round(value * 100) / 100;
  for (const one of teams) {
    const row = add(body, "tr", "");
    add(row, "td", "", one.place ?? "–");
    add(row, "th", "", one.team).scope = "row";
    for (const value of [one.points, one.played, one.won, one.drawn, one.lost]) add(row, "td", "", rounded(value));
    add(row, "td", "", `${rounded(one.boards)}–${rounded(one.boards_against)}`);
    add(row, "td", "", `${rounded(one.for)}–${rounded(one.against)}`);
  }
}

// Shows the bracket of a knock-out, and loads it again after each entry.
async function showBracket({ kept, path }) {
  const place = at("bracket");
  place.hidden = !hasBracket(kept);
  if (place.hidden || place.dataset.after === String(kept.after)) return;
  place.dataset.after = kept.after;
  const found = await ask(`${path}/bracket`);
  if (found?.parts) place.innerHTML = found.parts.join("");
}

// Shows the best player of each category.
function showCategories(kept) {
  const list = at("categories"), best = new Map();
  clear(list);
  for (const { player, place } of kept.standings) {
    const category = kept.event.players.find((one) => one.id === player)?.category;
    if (category && place !== null && !best.has(category)) best.set(category, player);
  }
  for (const [category, player] of best) add(list, "li", "", words("event.best-of", { category, name: nameOf(kept, player) }));
}

// Shows the penalties, and the corrections that have changed the standings.
function showCorrections(kept) {
  const list = at("corrections");
  clear(list);
  for (const { player, round, kind, why } of kept.event.penalties ?? []) {
    const off = kept.event.penalty?.[kind], counts = kind === "game" ? off : off > 0;
    const parts = { round, name: nameOf(kept, player), penalty: words(`event.penalty.${kind}`) };
    const said = [words("event.penalty-given", parts), reasonWords(why), counts ? "" : words("event.penalty-not-counted")];
    add(list, "li", "", said.filter(Boolean).join(" · "));
  }
  kept.event.rounds.forEach(({ tables }, round) => {
    for (const { table, points, corrected } of tables.filter((one) => one.corrected)) {
      const parts = { round: round + 1, table, was: points?.join("-") ?? "–", now: corrected.points.join("-"), by: corrected.by, why: corrected.why };
      add(list, "li", "", words("event.corrected-from", parts));
    }
  });
}
