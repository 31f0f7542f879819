// The page of a club's event: check-in, rounds, results, standings. Each entry says after how many others
// it was meant, so that two people who enter at once never undo each other's work unseen.

import { ROOT, add, at, button, clear, listed, words, write } from "./elements.js";
import {
  asLookedUp,
  ask,
  askForWord,
  clockWords,
  confirmButton,
  nameOf,
  newest,
  present,
  resultOf,
  showWhetherLost,
  takeClock,
} from "./event_data.js";

const LOOK_MS = 3000;
const FORMATS = ["tables", "partners", "swiss", "round-robin", "knockout", "double-knockout"];
const PAPERS = ["list", "door", "cards", "pairings", "slips", "standings", "certificates"];

const number = Number(location.pathname.slice(ROOT.length).split("/")[2]) || null;
const path = number === null ? "/api/events" : `/api/events/${number}`;
let kept = null, shown = "", may = {};
let older = null;  // the round that somebody chose to look at; null: the newest

// ---------------------------------------------------------------- asking the hub

async function look() {
  const found = await ask(path);
  if (!found) return;
  if (found.error) write("where", found.error);
  else update(found);
}

function update(found) {
  const text = unclocked(found);
  at("event").hidden = false;
  may = { organiser: found.may === "organiser", judge: found.may !== "viewer" };
  if (text === shown) return;
  shown = text;
  if (number === null) showEvents(found);
  else if (!busy()) show(found);
  else shown = "";
}

// The event as text without its clock, for seeing whether anything else has changed.
const unclocked = (found) => JSON.stringify({ ...found, left_s: null });

// Whether somebody is filling in something that drawing the page anew would lose.
function busy() {
  const focus = document.activeElement, writes = focus?.matches("input, textarea") && focus.value !== "";
  return at("tables").querySelector("form.result") !== null || focus?.matches("select") || (writes && focus.form?.id !== "door");
}

async function enter(entries) {
  if (entries === null) {
    shown = "";
    show(kept);
    return;
  }
  await send({ after: kept.after, entries });
}

async function send(said, to = path) {
  write("answer", "");
  const found = await ask(to, said);
  if (!found) return false;
  if (found.error) {
    write("answer", found.changed ? words("event.wait") : found.error);
    at("answer").dataset.done = "false";
    if (found.doubt) askAgain(said, to);
    if (found.changed) {
      shown = "";
      document.activeElement?.blur();
      await look();
    }
    return false;
  }
  shown = unclocked(found);
  show(found);
  return true;
}

// The rules can't give this result: it is entered only once somebody says that it was so.
function askAgain(said, to) {
  const acts = add(at("answer"), "span", "acts");
  button(acts, "act careful", words("event.as-entered"), () => send({ ...said, as_entered: true }, to));
  button(acts, "act", words("event.cancel"), () => write("answer", "")).focus();
}

// ---------------------------------------------------------------- one event

function show(found) {
  kept = found;
  document.title = found.name;
  write("title", found.name);
  const rounds = kept.event.rounds.length;
  write("where", rounds ? words("event.round", { number: rounds }) : words("event.before"));
  takeClock(found);
  at("to-judge").hidden = !may.judge;
  const looked = older === null || older > rounds ? rounds : older;
  showRound(kept, may, enter, looked);
  showRounds(kept, looked, (chosen) => {
    older = chosen === rounds ? null : chosen;
    document.activeElement?.blur();
    show(kept);
  });
  if (may.organiser && looked === rounds) {
    showDraw();
    showClock(at("round-acts"), kept, enter);
  }
  at("here").hidden = false;
  showPeople(kept, may, enter);
  at("check-in").hidden = !may.organiser;
  showRename();
  showStandings(kept);
  showWishes();
  at("told").hidden = false;
  showHistory(kept, may, enter);
  at("papers").hidden = !kept.event.players.length;
  at("paper").querySelector("[data-kind=door]").hidden = !may.organiser || !kept.phones;
  at("board").hidden = false;
  at("board").href = `${ROOT}/event/${number}/tv`;
}

function showDraw() {
  const place = at("round-acts"), rounds = kept.event.rounds.length;
  at("round").hidden = false;
  if (!rounds) write("round-title", words("event.before"));
  const missing = (newest(kept)?.tables ?? []).filter((one) => resultOf(one) === null).map((one) => one.table);
  if (missing.length) add(place, "p", "quiet", words("event.missing", { tables: missing.join(", ") }));
  else if (present(kept).length < 2) add(place, "p", "quiet", words("event.too-few"));
  else {
    const key = button(place, "button draw", words("event.draw", { number: rounds + 1 }), async () => {
      key.disabled = true;
      key.textContent = words("event.drawing");
      await send({ after: kept.after, draw: true });
      key.disabled = false;
    });
  }
}

function placeCheckIn() {
  const form = at("check-in");
  const name = field(form, words("event.player"), input("input", { maxLength: 40, autocomplete: "off" }));
  add(form, "button", "button", words("event.add"));
  name.setAttribute("list", "names");
  const many = field(form, words("event.paste"), input("textarea", {}));
  many.parentElement.className = "all";
  const paste = async (kind) => {
    if (await send({ after: kept.after, text: many.value, kind }, `${path}/people`)) many.value = "";
  };
  button(form, "act", words("event.add-all"), () => paste("came"));
  button(form, "act", words("event.expect-all"), () => paste("listed"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const said = name.value.trim();
    if (!said) return;
    name.value = "";
    await send({ after: kept.after, text: `"${said.replace(/"/g, "'")}"`, kind: "came" }, `${path}/people`);
    name.focus();
  });
}

// Shows the form for correcting a misspelt name in the whole event.
function showRename() {
  const form = at("rename"), people = kept.event.players.map(({ id, name }) => [id, name]);
  form.hidden = !may.organiser || !people.length;
  clear(form);
  const who = field(form, words("event.rename"), choice(people));
  const name = field(form, words("event.new-name"), input("input", { maxLength: 40, autocomplete: "off" }));
  button(form, "act", words("event.rename-do"), () => name.value.trim() && enter([{ named: { id: who.value, name: name.value.trim() } }]));
}

async function hearNames() {
  const found = await ask("/api/events/names");
  for (const name of found?.names ?? []) add(at("names"), "option", "").value = name;
}

// ---------------------------------------------------------------- wishes, partners

function showWishes() {
  const list = at("wishes"), form = at("wish");
  at("wished").hidden = !may.organiser || !kept.event.players.length;
  clear(list);
  clear(form);
  const noted = kept.entries.filter((one) => one.counts && one.kind === "wish");
  for (const wish of kept.event.wishes ?? []) {
    const line = add(list, "li", "", wishWords(kept, wish)), text = JSON.stringify(wish);
    const entry = noted.find((one) => JSON.stringify(one.said) === text);
    if (entry) confirmButton(line, words("event.undo"), words("event.undo-sure"), () => enter([{ undo: { entry: entry.number } }]));
  }
  for (const pair of kept.event.pairs ?? []) add(list, "li", "", words("event.said.partners", { names: listed(pair.map((id) => kept.event.players.find((one) => one.id === id)?.name)) }));
  const people = kept.event.players.map(({ id, name }) => [id, name]);
  const one = field(form, words("event.player"), choice(people));
  const other = field(form, words("event.player"), choice(people));
  const two = () => one.value !== other.value;
  button(form, "act", words("event.wish-apart"), () => two() && enter([{ wish: { apart: [one.value, other.value] } }]));
  if (kept.event.format === "partners") button(form, "act", words("event.partners-do"), () => two() && enter([{ partners: { ids: [one.value, other.value] } }]));
  const table = field(form, words("event.table-number"), input("input", { type: "number", min: 1, max: 999, value: 1 }));
  button(form, "act", words("event.place"), () => enter([{ wish: { table: Number(table.value), player: one.value } }]));
  button(form, "act", words("event.closed"), () => enter([{ wish: { closed: Number(table.value) } }]));
}

// ---------------------------------------------------------------- paper

function placePapers() {
  for (const kind of [...PAPERS, "text"]) {
    const link = add(at("paper"), "a", "act", kind === "text" ? words("event.text") : words(`event.paper.${kind}`));
    link.href = `${ROOT}/event/${number}/${kind}`;
    link.dataset.kind = kind;
    link.target = "_blank";
  }
}

// ---------------------------------------------------------------- all events

function showEvents({ events }) {
  const list = at("events");
  clear(list);
  at("listed").hidden = false;
  at("begin").hidden = !may.organiser;
  if (!events.length) add(list, "li", "quiet", words("event.none"));
  for (const one of events) add(add(list, "li", ""), "a", "called", one.name).href = `${ROOT}/event/${one.number}`;
  showLeague(events);
}

// Shows the list in which to tick evenings, for the standings over all of these.
function showLeague(events) {
  const form = at("league");
  form.hidden = events.length < 2;
  clear(form);
  add(form, "p", "quiet all", words("event.league"));
  const boxes = events.map((one) => {
    const tick = input("input", { type: "checkbox", value: one.number }), label = add(form, "label", "tick");
    label.append(tick, one.name);
    return tick;
  });
  add(form, "button", "act", words("event.league-do"));
  form.onsubmit = (event) => {
    event.preventDefault();
    const of = boxes.filter((one) => one.checked).map((one) => one.value);
    if (of.length) location.href = `${ROOT}/event/league?of=${of.join(",")}`;
  };
}

// “target 200, match 3” as an object.
function optionsIn(text) {
  const each = text.split(/[,;]/).map((one) => one.trim().split(/\s+/)).filter(([name]) => name);
  return Object.fromEntries(each.map(([name, ...value]) => [name, /^\d+$/.test(value.join(" ")) ? Number(value.join(" ")) : value.join(" ")]));
}

function placeNew() {
  const form = at("new");
  const name = field(form, words("event.name"), input("input", { required: true, maxLength: 60 }));
  const game = field(form, words("event.game"), choice([...document.querySelectorAll("#games option")].map((one) => [one.value, one.textContent])));
  const rules = field(form, words("event.options"), input("input", { maxLength: 200, placeholder: words("event.options-like") }));
  const format = field(form, words("event.format"), choice(FORMATS.map((one) => [one, words(`event.format.${one}`)])));
  const games = field(form, words("event.games"), choice(["1", "3", "5"].map((one) => [one, one])));
  const seed = field(form, words("event.seed"), input("input", { maxLength: 60, value: new Date().toISOString().slice(0, 10) }));
  add(form, "p", "quiet all", words("event.seed-said"));
  const period = field(form, words("event.period"), input("input", { type: "number", min: 1, max: 600 }));
  const phones = input("input", { type: "checkbox", checked: true }), label = add(form, "label", "tick");
  label.append(phones, words("event.phones"));
  add(form, "button", "button", words("event.begin"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const found = await ask(path, { name: name.value.trim(), game: game.value, format: format.value, seed: seed.value, phones: phones.checked, options: optionsIn(rules.value), ...(games.value === "1" ? {} : { games: Number(games.value) }), ...(period.value ? { period: Number(period.value) } : {}) });
    if (found?.number) location.href = `${ROOT}/event/${found.number}`;
    else if (found) {
      at("answer").dataset.done = "false";
      write("answer", found.error);
    }
  });
}

// ---------------------------------------------------------------- forms

function field(place, label, input) {
  const box = add(place, "label", "", label);
  box.append(input);
  return input;
}

function input(kind, more = {}) {
  return Object.assign(document.createElement(kind), more);
}

function choice(options) {
  const made = document.createElement("select");
  for (const [value, text] of options) Object.assign(add(made, "option", "", text), { value });
  return made;
}

// ---------------------------------------------------------------- the round

// Shows the round of that `number`; in any but the newest, results can only be corrected.
function showRound(kept, may, enter, number) {
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
function showRounds(kept, number, choose) {
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
  if (playing?.stands && kept.left_s === 0) confirmButton(acts, words("event.as-it-stands"), words("event.as-it-stands-sure"), () => enter([{ result: playing.stands }]));
  if (points && kept.stands[round - 1]) return;
  button(acts, "act", words(points ? "event.correct" : "event.enter"), () => showResultForm(box, kept, table, round, points, enter));
}

// Asks for the points of each seat and, for a correction, for its reason.
function showResultForm(box, kept, table, round, points, enter) {
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

function showClock(place, kept, enter) {
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

function showPeople(kept, may, enter) {
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
    else if (late) confirmButton(line, name, words("event.comes", { name }), () => enter([{ came: rating === null ? { id, name } : { id, name, rating } }]));
    else if (gone) confirmButton(line, name, words("event.return", { name }), () => enter([{ returned: { id } }])).classList.add("gone");
    else confirmButton(line, name, words("event.leave", { name }), () => enter([{ left: { id } }]));
  }
}

// The people who are on the list and have not come yet.
function expectedIn(kept) {
  const of = (kind) => kept.entries.filter((one) => one.counts && one.kind === kind).map((one) => one.said.id);
  const came = new Set([...of("came"), ...of("returned")]);
  return new Set(of("listed").filter((id) => !came.has(id) && kept.event.out.includes(id)));
}

// ---------------------------------------------------------------- standings

function showStandings(kept) {
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

function showHistory(kept, may, enter) {
  const place = at("history");
  clear(place);
  for (const one of [...kept.entries].reverse()) {
    const line = add(place, "li", "");
    line.value = one.number;
    add(line, "span", one.counts ? "" : "gone", `${one.number}. ${entryWords(kept, one)}`);
    if (one.counts && one.kind === "drawn") {
      const from = `${ROOT}/event/${kept.number}/text?before=${one.said.round}`;
      Object.assign(add(line, "a", "act", words("event.drawn-from")), { href: from, target: "_blank" });
    }
    const mine = may.organiser || (may.judge && ["result", "corrected"].includes(one.kind));
    if (one.counts && mine && one.number > 1) {
      const [label, question] = one.kind === "undo"
        ? [words("event.redo"), words("event.redo-sure")] : [words("event.undo"), words("event.undo-sure")];
      confirmButton(line, label, question, () => enter([{ undo: { entry: one.number } }]));
    }
  }
}

function entryWords(kept, { kind, said: told }) {
  const names = listed((told.ids ?? []).map((id) => nameOf(kept, id)));
  const parts = { ...told, names, points: told.points?.join("-"), name: told.name || nameOf(kept, told.id) };
  return kind === "wish" ? wishWords(kept, told) : words(`event.said.${kind}`, parts);
}

function wishWords(kept, wish) {
  if (wish.apart) return words("event.wish-apart-of", { names: listed(wish.apart.map((id) => nameOf(kept, id))) });
  if (wish.closed) return words("event.wish-closed", { table: wish.closed });
  return words("event.wish-place", { name: nameOf(kept, wish.player), table: wish.table });
}

// ---------------------------------------------------------------- the page begins

showWhetherLost();
askForWord(look);
if (number === null) placeNew();
else {
  placeCheckIn();
  placePapers();
  hearNames();
}
setInterval(() => {
  if (!document.hidden) look();
}, LOOK_MS);
setInterval(() => write("clock", clockWords()), 500);
look();
