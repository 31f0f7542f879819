// An event as its page shows it: the round with its tables, people, standings, history.

import { ROOT, add, at, button, clear, listed, words, write } from "./parts.js";

export const nameOf = (kept, id) => kept.event.players.find((one) => one.id === id)?.name ?? id;
export const newest = (kept) => kept.event.rounds[kept.event.rounds.length - 1];
export const resultOf = (table) => table.corrected?.points ?? table.points;
// Compares names in the order in which people look for them: Óscar under O, Guest 2 before Guest 10.
export const asLookedUp = (one, other) => one.localeCompare(other, undefined, { numeric: true });
export const present = (kept) => kept.event.players.filter((one) => !kept.event.out.includes(one.id));

export function field(place, label, input) {
  const box = add(place, "label", "", label);
  box.append(input);
  return input;
}

export function input(kind, more = {}) {
  return Object.assign(document.createElement(kind), more);
}

export function choice(options) {
  const made = document.createElement("select");
  for (const [value, text] of options) Object.assign(add(made, "option", "", text), { value });
  return made;
}

// A key that asks once more.
export function sure(place, label, question, act) {
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

// ---------------------------------------------------------------- the round

// Shows the round of that `number`; in any but the newest, results can only be corrected.
export function showRound(kept, may, enter, number) {
  const round = kept.event.rounds[number - 1], place = at("tables");
  clear(place);
  clear(at("round-acts"));
  write("bye", "");
  at("round").hidden = !round;
  if (!round) return;
  write("round-title", words("event.round", { number }));
  if (round.bye.length) write("bye", words("event.bye", { names: listed(round.bye.map((one) => nameOf(kept, one))) }));
  for (const table of round.tables) showTable(place, kept, table, number, may, enter);
  if (number === kept.event.rounds.length) showActs(kept, may, enter, round, number);
  if (kept.stands[number - 1]) {
    add(at("round-acts"), "p", "quiet", words("event.stands-now"));
    if (may.organiser) showReopen(number, enter);
  }
}

function showActs(kept, may, enter, round, number) {
  const over = kept.playing.filter((one) => one.result);
  if (may.judge && over.length > 1) {
    button(at("round-acts"), "button", words("event.take-all", { number: over.length }), () => enter(over.map(({ result }) => ({ result }))));
  }
  if (may.organiser) showSwap(kept, round, number, enter);
}

// Shows the list of rounds to look at, the newest first.
export function showRounds(kept, number, choose) {
  const form = at("older"), rounds = kept.event.rounds.length;
  form.hidden = rounds < 2;
  clear(form);
  const all = Array.from({ length: rounds }, (_, one) => [rounds - one, words("event.round", { number: rounds - one })]);
  const chosen = field(form, words("event.look-at"), choice(all));
  chosen.value = number;
  chosen.addEventListener("change", () => choose(Number(chosen.value)));
}

function showTable(place, kept, table, round, may, enter) {
  const box = add(place, "section", "seat-table"), points = resultOf(table);
  const head = add(box, "h3", "", words("event.table", { number: table.table }));
  const playing = points ? undefined : kept.playing.find((one) => one.table === table.table);
  const state = playing?.others ? "event.others" : playing?.box ? "event.playing" : "event.not-found";
  if (playing) add(head, "span", playing.others ? "alert" : "quiet", words(state));
  box.classList.toggle("over", Boolean(playing?.result));
  const list = add(box, "ul", "");
  const most = points && Math.max(...points);
  table.seats.forEach((id, seat) => {
    const name = nameOf(kept, id), line = add(list, "li", points && points[seat] === most ? "won" : "");
    add(line, "span", "player", name);
    add(line, "span", "points", points ? points[seat] : playing?.scores?.[name] ?? "");
  });
  const won = kept.games > 1 && !points && (playing?.result ?? playing?.stands)?.points;
  if (won) add(box, "p", "quiet", words("event.games-won", { games: won.join("–") }));
  if (table.corrected) add(box, "p", "quiet", words("event.corrected", table.corrected));
  if (!may.judge) return;
  const acts = add(box, "div", "acts");
  if (playing?.result) button(acts, "button", words("event.take"), () => enter([{ result: playing.result }]));
  if (playing?.stands && kept.left_s === 0) sure(acts, words("event.as-it-stands"), words("event.as-it-stands-sure"), () => enter([{ result: playing.stands }]));
  if (points && kept.stands[round - 1]) return;
  button(acts, "act", words(points ? "event.correct" : "event.enter"), () => ask(box, kept, table, round, points, enter));
}

// Asks for the points of each seat and, for a correction, for its reason.
function ask(box, kept, table, round, points, enter) {
  clear(box);
  add(box, "h3", "", words("event.table", { number: table.table }));
  const form = add(box, "form", "result"), list = add(form, "ul", "");
  const fields = table.seats.map((id, seat) => {
    const line = add(list, "li", ""), name = nameOf(kept, id);
    add(line, "span", "player", name);
    const made = input("input", { type: "number", step: "any", required: true, value: points ? points[seat] : "", inputMode: "numeric" });
    made.setAttribute("aria-label", words("event.points-of", { name }));
    line.append(made);
    return made;
  });
  const reason = (label) => field(form, label, input("input", { className: "reason", required: true, maxLength: 120 }));
  const why = points && reason(words("event.why")), by = points && reason(words("event.by"));
  const acts = add(form, "div", "acts");
  add(acts, "button", "button", words("event.keep"));
  button(acts, "act", words("event.cancel"), () => enter(null));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const said = { round, table: table.table, points: fields.map((one) => Number(one.value)) };
    enter([points ? { corrected: { ...said, why: why.value, by: by.value } } : { result: said }]);
  });
  fields[0].focus();
}

// Shows the form for opening results that stand again, with a reason.
function showReopen(round, enter) {
  const form = add(at("round-acts"), "form", "fields");
  const why = field(form, words("event.reopen-why"), input("input", { required: true, maxLength: 120 }));
  add(form, "button", "act", words("event.reopen"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    enter([{ reopened: { round, why: why.value } }]);
  });
}

// Shows the form for swapping two players who sit in each other's place.
function showSwap(kept, round, number, enter) {
  const open = round.tables.filter((one) => resultOf(one) === null);
  if (open.length < 1) return;
  const form = add(at("round-acts"), "form", "fields");
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
    if (one.value !== other.value) enter([{ reseated: { round: number, tables } }]);
  });
}

// ---------------------------------------------------------------- the clock

let ends = null;  // when the round's time is up, by this browser's own clock; null: none runs

export function takeClock(kept) {
  ends = kept.left_s === null ? null : performance.now() / 1000 + kept.left_s;
}

// The time left of the round, as on a clock; empty: no clock runs.
export function clockWords() {
  if (ends === null) return "";
  const left = Math.max(0, Math.round(ends - performance.now() / 1000));
  if (!left) return words("event.time-up");
  return words("event.left", { minutes: Math.floor(left / 60), seconds: String(left % 60).padStart(2, "0") });
}

export function showClock(place, kept, enter) {
  if (!newest(kept)?.tables.some((one) => resultOf(one) === null)) return;
  const form = add(place, "form", "fields");
  const minutes = field(form, words("event.clock"), input("input", { type: "number", min: 1, max: 600, value: 30 }));
  add(form, "button", "act", words("event.clock-start"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    enter([{ clock: { round: kept.event.rounds.length, minutes: Number(minutes.value) } }]);
  });
}

// ---------------------------------------------------------------- people

export function showPeople(kept, may, enter) {
  const place = at("people"), waiting = at("expected");
  clear(place);
  clear(waiting);
  write("here-title", words("event.people", { number: present(kept).length }));
  const expected = expectedIn(kept);
  at("expected-title").hidden = !expected.size;
  write("expected-title", words("event.expected", { number: expected.size }));
  const inOrder = [...kept.event.players].sort((one, other) => asLookedUp(one.name, other.name));
  for (const { id, name, rating } of inOrder) {
    const late = expected.has(id), line = add(late ? waiting : place, "li", ""), gone = kept.event.out.includes(id);
    if (!may.organiser) add(line, "span", gone && !late ? "gone" : "", name);
    else if (late) sure(line, name, words("event.comes", { name }), () => enter([{ came: rating === null ? { id, name } : { id, name, rating } }]));
    else if (gone) sure(line, name, words("event.return", { name }), () => enter([{ returned: { id } }])).classList.add("gone");
    else sure(line, name, words("event.leave", { name }), () => enter([{ left: { id } }]));
  }
}

// The people who are on the list and have not come yet.
function expectedIn(kept) {
  const of = (kind) => kept.entries.filter((one) => one.counts && one.kind === kind).map((one) => one.said.id);
  const came = new Set([...of("came"), ...of("returned")]);
  return new Set(of("listed").filter((id) => !came.has(id) && kept.event.out.includes(id)));
}

// ---------------------------------------------------------------- standings

export function showStandings(kept) {
  const table = at("standings"), number = kept.played, rounds = kept.event.rounds.length;
  clear(table);
  at("stand").hidden = !rounds;
  write("stand-after", number ? words("event.after-rounds", { number, rounds }) : "");
  const head = add(add(table, "thead", ""), "tr", "");
  const heads = [words("event.points"), words("event.won"), words("event.for"), words("event.against"), words("event.opponents")];
  for (const text of ["", "", ...heads, ""]) {
    if (text) add(head, "th", "", text).scope = "col";
    else add(head, "td", "");
  }
  const body = add(table, "tbody", "");
  for (const one of kept.standings) {
    const row = add(body, "tr", "");
    add(row, "td", "", one.place ?? "–");
    add(row, "th", "", nameOf(kept, one.player)).scope = "row";
    for (const value of [one.points, one.won, one.for, one.against, one.opponents]) add(row, "td", "", Math.round(value * 100) / 100);
    add(row, "td", "parted", one.parted_by ? words(`event.parted.${one.parted_by}`) : "");
  }
  showCorrections(kept);
}

// Shows the corrections that have changed the standings.
function showCorrections(kept) {
  const list = at("corrections");
  clear(list);
  kept.event.rounds.forEach(({ tables }, round) => {
    for (const { table, points, corrected } of tables.filter((one) => one.corrected)) {
      const parts = { round: round + 1, table, was: points?.join("-") ?? "–", now: corrected.points.join("-"), by: corrected.by, why: corrected.why };
      add(list, "li", "", words("event.corrected-from", parts));
    }
  });
}

// ---------------------------------------------------------------- what was entered

export function showHistory(kept, may, enter) {
  const place = at("history");
  clear(place);
  for (const one of [...kept.entries].reverse()) {
    const line = add(place, "li", "");
    line.value = one.number;
    add(line, "span", one.counts ? "" : "gone", `${one.number}. ${said(kept, one)}`);
    if (one.counts && one.kind === "drawn") {
      const from = `${ROOT}/event/${kept.number}/text?before=${one.said.round}`;
      Object.assign(add(line, "a", "act", words("event.drawn-from")), { href: from, target: "_blank" });
    }
    const mine = may.organiser || (may.judge && ["result", "corrected"].includes(one.kind));
    if (one.counts && mine && one.number > 1) {
      const [label, question] = one.kind === "undo"
        ? [words("event.redo"), words("event.redo-sure")] : [words("event.undo"), words("event.undo-sure")];
      sure(line, label, question, () => enter([{ undo: { entry: one.number } }]));
    }
  }
}

function said(kept, { kind, said: told }) {
  const names = listed((told.ids ?? []).map((id) => nameOf(kept, id)));
  const parts = { ...told, names, points: told.points?.join("-"), name: told.name || nameOf(kept, told.id) };
  return kind === "wish" ? wishWords(kept, told) : words(`event.said.${kind}`, parts);
}

export function wishWords(kept, wish) {
  if (wish.apart) return words("event.wish-apart-of", { names: listed(wish.apart.map((id) => nameOf(kept, id))) });
  if (wish.closed) return words("event.wish-closed", { table: wish.closed });
  return words("event.wish-place", { name: nameOf(kept, wish.player), table: wish.table });
}
