// The organiser's form for a season: its evenings or its fixtures, a division at a time.

import { add, at, clear, words, write } from "./elements.js";
import { ask, choice, field, input } from "./event_data.js";

const PATH = "/api/season";

// Shows the form for these events and, at a federation, those of its clubs; the season and the division that are named
// in it are replaced or added.
export async function showSeason(events) {
  const { seasons = [], clubs = [] } = (await ask(PATH)) ?? {}, form = at("season");
  clear(form);
  const which = field(form, words("event.season-which"), choice([["", words("event.season-new")], ...seasons.map(({ name }) => [name, name])]));
  const name = field(form, words("event.season-name"), input("input", { required: true, maxLength: 60 }));
  const best = field(form, words("event.season-best"), input("input", { type: "number", min: 1, max: 999 }));
  const points = field(form, words("event.season-points"), input("input", { maxLength: 200, pattern: "[0-9., ]*" }));
  const division = field(form, words("event.season-division"), input("input", { required: true, maxLength: 60 }));
  const list = add(form, "datalist");
  list.id = "divisions";
  division.setAttribute("list", list.id);
  const ticks = [];  // of each event: its tick, and how the season's text names it
  function placeTick(ref, name) {
    const tick = input("input", { type: "checkbox", value: keyOf(ref, clubs) }), label = add(form, "label", "tick");
    label.append(tick, name);
    ticks.push({ tick, ref });
  }
  for (const one of events) placeTick(one.number, one.name);
  for (const { club, name: called, events: others } of clubs) {
    if (others.length) add(form, "p", "quiet all", called);
    for (const { event, name: title } of others) placeTick({ club, event }, title);
  }
  const matches = input("input", { type: "checkbox" }), counts = add(form, "label", "tick all");
  counts.append(matches, words("event.season-matches"));
  const fixtures = field(form, words("event.season-fixtures"), input("textarea", { rows: 3 }));
  fixtures.parentElement.classList.add("all");
  add(form, "button", "button", words("event.season-keep"));
  const present = () => seasons.find((one) => one.name === which.value);

  function fillDivision() {
    const kept = present()?.divisions.find((one) => one.name === division.value.trim());
    if (!kept) return;
    const chosen = refsOf(kept).map((ref) => keyOf(ref, clubs));
    for (const { tick } of ticks) tick.checked = chosen.includes(tick.value);
    matches.checked = kept.matches !== undefined;
    fixtures.value = (kept.fixtures ?? []).map(lineOf).join("\n");
  }

  which.onchange = () => {
    const kept = present();
    name.value = kept?.name ?? "";
    best.value = kept?.best ?? "";
    points.value = (kept?.points ?? []).join(" ");
    clear(list);
    for (const one of kept?.divisions ?? []) add(list, "option", "").value = one.name;
    division.value = kept?.divisions[0].name ?? "";
    for (const { tick } of ticks) tick.checked = false;
    fixtures.value = "";
    matches.checked = false;
    fillDivision();
  };
  division.onchange = fillDivision;
  form.onsubmit = async (event) => {
    event.preventDefault();
    const divisions = [...(present()?.divisions ?? [])], edited = { name: division.value.trim() };
    const known = divisions.findIndex((one) => one.name === edited.name);
    const { win, draw } = divisions[known] ?? {};
    const offered = ticks.map(({ tick }) => tick.value);
    const others = known < 0 ? [] : refsOf(divisions[known]).filter((ref) => !offered.includes(keyOf(ref, clubs)));
    const ticked = [...ticks.filter(({ tick }) => tick.checked).map(({ ref }) => ref), ...others];
    if (matches.checked) edited.matches = ticked;
    const own = fixturesIn(fixtures.value);
    if (own.length || matches.checked) Object.assign(edited, own.length ? { fixtures: own } : {}, win === undefined ? {} : { win }, draw === undefined ? {} : { draw });
    else edited.events = ticked;
    divisions.splice(known < 0 ? divisions.length : known, 1, edited);
    const text = { season: versionOf(divisions), name: name.value.trim(), divisions };
    if (best.value) text.best = Number(best.value);
    if (points.value.trim()) text.points = points.value.split(/[ ,]+/).filter(Boolean).map(Number);
    const found = await ask(PATH, text);
    if (!found) return;
    at("answer").dataset.done = String(!found.error);
    write("answer", found.error ?? words("event.season-kept"));
    at("answer").scrollIntoView({ block: "nearest" });
    if (!found.error) showSeason(events);
  };
}

// How a division names its events: by their numbers, or with their club's identity or name.
const refsOf = ({ events, matches }) => matches ?? events ?? [];

// An event's key for comparing, with its club's identity.
function keyOf(ref, clubs) {
  if (!ref.club) return String(ref);
  const { club } = clubs.find(({ name }) => name === ref.club) ?? ref;
  return `${ref.event} ${club}`;
}

// The first version of the text that has all that these divisions need.
function versionOf(divisions) {
  if (divisions.some((one) => refsOf(one).some((ref) => ref.club))) return 3;
  return divisions.some((one) => one.matches) ? 2 : 1;
}

// A fixture as a line, “Ship Inn; Crown; 2026-11-02; 3:1 2:2”, and lines as fixtures.
const lineOf = ({ home, away, date = "", boards = [] }) => [home, away, date, boards.map((one) => one.join(":")).join(" ")].join("; ");

function fixturesIn(text) {
  return text.split("\n").filter((line) => line.trim()).map((line) => {
    const [home, away = "", date = "", boards = ""] = line.split(";").map((one) => one.trim());
    const played = boards.split(/\s+/).filter(Boolean).map((one) => one.split(/[:–-]/).map(Number));
    return { home, away, ...(date ? { date } : {}), ...(played.length ? { boards: played } : {}) };
  });
}
