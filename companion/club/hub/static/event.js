// The page of a club's event, in steps: people, tables, the draw, results, standings. Each entry includes the
// number of entries that its author had seen, so that two people never undo each other's work unnoticed.

import { ROOT, add, at, button, clear, keep, listed, recall, words, write } from "./elements.js";
import {
  ask,
  promptForCode,
  choice,
  clockWords,
  confirmButton,
  field,
  hasBracket,
  input,
  nameOf,
  newest,
  present,
  resultOf,
  showLostConnections,
  setClock,
} from "./event_data.js";
import { mainKeyOfDraw, addSeatsForm, readyBoxes, showDraw, showTables, wishWords } from "./event_draw.js";
import { addHallForms, showHall } from "./event_hall.js";
import { addPeopleForms, showPeople, tablesFor } from "./event_people.js";
import { mainKeyOfResults, showResults, showStandings, isTypingResult } from "./event_results.js";
import { showSeason } from "./event_season.js";

const POLL_MS = 3000;
const FORMATS = ["tables", "partners", "swiss", "round-robin", "knockout", "double-knockout"];
const PAPERS = ["list", "door", "cards", "pairings", "slips", "bracket", "standings", "certificates"];
const DEPENDENT = ["corrected", "reseated", "proposed", "drawn"];  // entries that depend on the state of the whole event
const STEPS = ["people", "tables", "draw", "results", "standings"];
const FOR_ALL = ["people", "results", "standings"];

const number = Number(location.pathname.slice(ROOT.length).split("/")[2]) || null;
const path = number === null ? "/api/events" : `/api/events/${number}`;
const context = { number, path, kept: null, may: {}, enter, send, go };
let shown = "", step = null;

// ---------------------------------------------------------------- asking the hub

async function refresh() {
  const found = await ask(path);
  if (!found) return;
  if (found.error) write("where", found.error);
  else update(found);
}

function update(found) {
  const text = unclocked(found);
  at("event").hidden = false;
  context.may = { organiser: found.may === "organiser", judge: found.may !== "viewer" };
  if (text === shown) return;
  shown = text;
  if (number === null) showEvents(found);
  else if (!busy()) show(found);
  else shown = "";
}

// The event as text without its clocks, to check whether anything else has changed.
const unclocked = (found) => JSON.stringify({ ...found, left_s: null, break_left_s: null });

// Whether somebody is filling in a form that redrawing the page would clear.
function busy() {
  const focus = document.activeElement, writes = focus?.matches("input:not([type=search]), textarea") && focus.value !== "";
  return isTypingResult() || focus?.matches("select") || document.querySelector(".dragged") !== null || (writes && !["door", "check-in"].includes(focus.form?.id));
}

async function enter(entries) {
  if (entries === null) {
    shown = "";
    show(context.kept);
    return true;
  }
  return send({ after: context.kept.after, entries });
}

async function send(said, to = path, tries = 3) {
  write("answer", "");
  const found = await ask(to, said);
  if (!found) return false;
  if (found.changed && tries && isIndependent(said)) {
    const fresh = await ask(path);
    if (fresh?.event) return send({ ...said, after: fresh.after }, to, tries - 1);
  }
  if (found.error) {
    write("answer", found.changed ? words("event.wait") : found.error);
    at("answer").dataset.done = "false";
    at("answer").scrollIntoView({ block: "nearest" });
    if (found.doubt) askAgain(said, to);
    if (found.changed) {
      shown = "";
      document.activeElement?.blur();
      const fresh = await ask(path);
      if (fresh?.event) context.kept = fresh;  // even with an open form, so that it can be sent again
      if (fresh?.event && !busy()) show(fresh);
    }
    return false;
  }
  if (!found.event) {
    await refresh();
    return true;
  }
  shown = unclocked(found);
  show(found);
  return true;
}

// Whether this can be entered regardless of others' entries since: the hub refuses what doesn't fit, and a
// draft is reviewed before it is published.
const isIndependent = ({ entries, text, propose }) => text !== undefined || propose || Boolean(entries?.every((one) => !DEPENDENT.some((kind) => kind in one)));

// Asks whether an impossible result is really correct, and enters it only then.
function askAgain(said, to) {
  const acts = add(at("answer"), "span", "acts");
  button(acts, "act careful", words("event.as-entered"), () => send({ ...said, as_entered: true }, to));
  button(acts, "act", words("event.cancel"), () => write("answer", "")).focus();
}

// ---------------------------------------------------------------- one event

// Returns a function that focuses the control that stands, after a redraw, where the focused one stood: who uses a
// keyboard must not begin at the top each time that a table reports something.
function focusKeeper() {
  const before = document.activeElement, part = before?.closest("section[id]"), table = before?.closest("[data-table]")?.dataset.table;
  if (!part) return () => {};
  const alike = () => [...(table ? part.querySelector(`[data-table="${table}"]`) : part)?.querySelectorAll(before.localName) ?? []]
    .filter((one) => one.textContent === before.textContent);
  const were = alike(), place = were.indexOf(before);
  return () => {
    const are = alike();
    if (!before.isConnected && are.length === were.length) are[place]?.focus({ preventScroll: true });
  };
}

function show(found) {
  const keepFocus = focusKeeper();
  context.kept = found;
  const { kept, may } = context, rounds = kept.event.rounds.length;
  document.title = found.name;
  write("title", found.name);
  const planned = kept.event.planned ? words("event.round-of", { number: rounds, all: kept.event.planned }) : words("event.round", { number: rounds });
  write("where", rounds ? planned : words("event.before"));
  setClock(found);
  at("to-judge").hidden = !may.judge;
  at("to-organiser").hidden = !may.organiser;
  at("told").hidden = false;
  at("board").hidden = false;
  at("board").href = `${ROOT}/event/${number}/tv`;
  at("papers").hidden = !kept.event.players.length;
  at("paper").querySelector("[data-kind=door]").hidden = !may.organiser || !kept.phones;
  at("paper").querySelector("[data-kind=bracket]").hidden = !hasBracket(kept);
  if (step === null || !stepsFor().includes(step)) step = recallStep() ?? likelyStep();
  showPeople(context);
  if (may.organiser) {
    showTables(context);
    showDraw(context);
  }
  showResults(context);
  showStandings(context);
  showHall(context);
  showHistory();
  showStep();
  keepFocus();
}

const stepsFor = () => (context.may.organiser ? STEPS : FOR_ALL);

// The step that was open last, unless the event has moved on since.
function recallStep() {
  const told = recall(`step-${number}`, "sessionStorage");
  return told && told.rounds === context.kept.event.rounds.length && stepsFor().includes(told.step) ? told.step : null;
}

// The step that the event has reached.
function likelyStep() {
  const { kept, may } = context, round = newest(kept);
  if (!round) return may.organiser && kept.draft ? "draw" : "people";
  if (round.tables.some((one) => resultOf(one) === null)) return "results";
  return may.organiser && !kept.over ? "draw" : "standings";
}

function go(to) {
  step = to;
  keep(`step-${number}`, { step, rounds: context.kept.event.rounds.length }, "sessionStorage");
  showStep();
  scrollTo(0, 0);
}

function showStep() {
  const { kept } = context, list = at("steps");
  list.hidden = false;
  if (list.dataset.shown !== stepsFor().join()) {
    list.dataset.shown = stepsFor().join();
    clear(list);
    for (const [place, one] of stepsFor().entries()) {
      const key = button(list, "step", "", () => go(one));
      key.dataset.to = one;
      add(key, "span", "digit", place + 1);
      add(key, "b", "", words(`event.step-${one}`));
      add(key, "span", "more", "");
    }
  }
  for (const key of list.children) {
    const mine = key.dataset.to === step;
    if (mine) key.setAttribute("aria-current", "step");
    else key.removeAttribute("aria-current");
    key.lastChild.textContent = stepSummary(key.dataset.to);
  }
  for (const section of document.querySelectorAll("[data-step]")) section.hidden = section.dataset.step !== step;
  const next = context.may.organiser ? nextKey() : null;
  at("next").hidden = !next;
  if (!next) return;
  write("next-said", next.said);
  write("next-key", next.label);
  at("next-key").onclick = async () => {
    at("next-key").disabled = true;
    if (step === "draw" && !kept.draft) write("next-key", words("event.drawing"));
    await next.act();
    at("next-key").disabled = false;
    showStep();
  };
}

// The state of a step in a few words, such as “12 of 16”.
function stepSummary(one) {
  const { kept, may } = context, round = newest(kept), rounds = kept.event.rounds.length;
  const done = round ? round.tables.filter((table) => resultOf(table) !== null).length : 0;
  if (one === "people") return words("event.of", { number: present(kept).length, all: kept.event.players.length });
  if (one === "tables") return words("event.ready", { number: may.organiser ? readyBoxes(kept).length : 0 });
  if (one === "draw") return kept.draft ? words("event.draft") : rounds ? words("event.round", { number: rounds }) : "";
  if (one === "results") return round ? words("event.of", { number: done, all: round.tables.length }) : "";
  return kept.played ? words("event.of", { number: kept.played, all: Math.max(kept.event.planned ?? 0, rounds) }) : "";
}

function nextKey() {
  const { kept } = context, here = present(kept).length;
  if (step === "people") {
    const { said } = tablesFor(kept, here), boxes = kept.boxes.length > 0;
    return { said: words("event.here-so-far", { number: here, tables: said || "–" }), label: words(boxes ? "event.next-tables" : "event.next-draw"), act: () => go(boxes ? "tables" : "draw") };
  }
  if (step === "tables") return { said: words("event.ready", { number: readyBoxes(kept).length }), label: words("event.next-draw"), act: () => go("draw") };
  if (step === "draw") return mainKeyOfDraw(context);
  return step === "results" ? mainKeyOfResults(context) : null;
}

// ---------------------------------------------------------------- paper

function addPaperLinks() {
  for (const kind of [...PAPERS, "text"]) {
    const link = add(at("paper"), "a", "act", kind === "text" ? words("event.text") : words(`event.paper.${kind}`));
    link.href = `${ROOT}/event/${number}/${kind}`;
    link.dataset.kind = kind;
    link.target = "_blank";
  }
}

// Loads the names known to the club as suggestions, once somebody searches for a person.
let offersNames = false;
async function loadNames() {
  if (offersNames || !context.may.organiser) return;
  offersNames = true;
  const found = await ask("/api/events/names");
  for (const name of found?.names ?? []) add(at("names"), "option", "").value = name;
}

// ---------------------------------------------------------------- all events

function showEvents({ events }) {
  const list = at("events");
  clear(list);
  at("listed").hidden = false;
  at("to-organiser").hidden = !context.may.organiser;
  at("begin").hidden = !context.may.organiser;
  at("seasons").hidden = !context.may.organiser;
  if (!events.length) add(list, "li", "quiet", words("event.none"));
  for (const one of events) add(add(list, "li", ""), "a", "called", one.name).href = `${ROOT}/event/${one.number}`;
  showLeague(events);
  if (context.may.organiser) showSeason(events);
}

// Shows a list of events to tick, for the standings over several of them.
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

function addNewEventForm() {
  const form = at("new");
  const name = field(form, words("event.name"), input("input", { required: true, maxLength: 60 }));
  const game = field(form, words("event.game"), choice([...document.querySelectorAll("#games option")].map((one) => [one.value, one.textContent])));
  const format = field(form, words("event.format"), choice(FORMATS.map((one) => [one, words(`event.format.${one}`)])));
  const planned = field(form, words("event.set-planned"), input("input", { type: "number", min: 1, max: 999 }));
  const more = add(form, "details", "all");
  add(more, "summary", "", words("event.more-settings"));
  const rest = add(more, "div", "fields");
  const rules = field(rest, words("event.options"), input("input", { maxLength: 200, placeholder: words("event.options-like") }));
  const games = field(rest, words("event.games"), choice(["1", "3", "5"].map((one) => [one, one])));
  const seed = field(rest, words("event.seed"), input("input", { maxLength: 60, value: new Date().toISOString().slice(0, 10) }));
  add(rest, "p", "quiet all", words("event.seed-said"));
  const period = field(rest, words("event.period"), input("input", { type: "number", min: 1, max: 600 }));
  const fee = field(rest, words("event.set-fee"), input("input", { type: "number", min: 0, max: 100000, step: "any" }));
  const phones = input("input", { type: "checkbox", checked: true }), label = add(rest, "label", "tick");
  label.append(phones, words("event.phones"));
  add(form, "button", "button", words("event.begin"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const numbers = Object.fromEntries([["period", period], ["planned", planned], ["fee", fee]].filter(([, made]) => made.value !== "").map(([key, made]) => [key, Number(made.value)]));
    const found = await ask(path, { event: 2, name: name.value.trim(), game: game.value, format: format.value, seed: seed.value, phones: phones.checked, options: optionsIn(rules.value), ...(games.value === "1" ? {} : { games: Number(games.value) }), ...numbers });
    if (found?.number) location.href = `${ROOT}/event/${found.number}`;
    else if (found) {
      at("answer").dataset.done = "false";
      write("answer", found.error);
    }
  });
}

// ---------------------------------------------------------------- what was entered

function showHistory() {
  const { kept, may } = context, place = at("history");
  clear(place);
  for (const one of [...kept.entries].reverse()) {
    const line = add(place, "li", "");
    line.value = one.number;
    add(line, "span", one.counts ? "" : "gone", `${one.number}. ${entryWords(kept, one)}`);
    if (one.counts && one.kind === "drawn") {
      const from = `${ROOT}/event/${kept.number}/text?before=${one.said.round}`;
      Object.assign(add(line, "a", "act", words("event.drawn-from")), { href: from, target: "_blank" });
    }
    const mine = may.organiser || (may.judge && ["result", "corrected", "penalty"].includes(one.kind));
    if (one.counts && mine && one.number > 1) {
      const [label, question] = one.kind === "undo"
        ? [words("event.redo"), words("event.redo-sure")] : [words("event.undo"), words("event.undo-sure")];
      confirmButton(line, label, question, () => enter([{ undo: { entry: one.number } }]));
    }
  }
}

function entryWords(kept, { kind, said: told }) {
  const names = listed((told.ids ?? []).map((id) => nameOf(kept, id)));
  const parts = { ...told, names, points: told.points?.join("-"), name: kind === "category" ? nameOf(kept, told.id) : told.name || nameOf(kept, told.id) };
  if (kind === "penalty") parts.penalty = words(`event.penalty.${told.kind}`);
  return kind === "wish" ? wishWords(kept, told) : words(`event.said.${kind}`, parts);
}

// ---------------------------------------------------------------- the page begins

showLostConnections();
promptForCode(refresh);
if (number === null) addNewEventForm();
else {
  addPeopleForms(context);
  addSeatsForm(context);
  addHallForms(context);
  addPaperLinks();
  at("find").addEventListener("focus", loadNames);
}
setInterval(() => {
  if (!document.hidden) refresh();
}, POLL_MS);
setInterval(() => write("clock", clockWords()), 500);
refresh();
