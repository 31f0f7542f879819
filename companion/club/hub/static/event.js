// The page of a club's event: check-in, rounds, results, standings. Each entry says after how many others
// it was meant, so that two people who enter at once never undo each other's work unseen.

import { ask, letIn, onLost } from "./event_ask.js";
import {
  choice,
  clockWords,
  field,
  input,
  newest,
  present,
  resultOf,
  showClock,
  showHistory,
  showPeople,
  showRound,
  showRounds,
  showStandings,
  sure,
  takeClock,
  wishWords,
} from "./event_parts.js";
import { ROOT, add, at, button, clear, listed, words, write } from "./parts.js";

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
  else told(found);
}

function told(found) {
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
    if (entry) sure(line, words("event.undo"), words("event.undo-sure"), () => enter([{ undo: { entry: entry.number } }]));
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

onLost((lost) => {
  document.body.dataset.state = lost ? "lost" : "connected";
  write("link", lost ? words("event.lost") : "");
});
letIn(look);
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
