// The organiser's form for a season: its evenings or its fixtures, a division at a time.

import { add, at, clear, words, write } from "./elements.js";
import { ask, choice, field, input } from "./event_data.js";

const PATH = "/api/season";

// Shows the form for these events; the season and the division that are named in it are replaced or added.
export async function showSeason(events) {
  const { seasons = [] } = (await ask(PATH)) ?? {}, form = at("season");
  clear(form);
  const which = field(form, words("event.season-which"), choice([["", words("event.season-new")], ...seasons.map(({ name }) => [name, name])]));
  const name = field(form, words("event.season-name"), input("input", { required: true, maxLength: 60 }));
  const best = field(form, words("event.season-best"), input("input", { type: "number", min: 1, max: 999 }));
  const points = field(form, words("event.season-points"), input("input", { maxLength: 200, pattern: "[0-9., ]*" }));
  const division = field(form, words("event.season-division"), input("input", { required: true, maxLength: 60 }));
  const list = add(form, "datalist");
  list.id = "divisions";
  division.setAttribute("list", list.id);
  const ticks = events.map((one) => {
    const tick = input("input", { type: "checkbox", value: one.number }), label = add(form, "label", "tick");
    label.append(tick, one.name);
    return tick;
  });
  const matches = input("input", { type: "checkbox" }), counts = add(form, "label", "tick all");
  counts.append(matches, words("event.season-matches"));
  const fixtures = field(form, words("event.season-fixtures"), input("textarea", { rows: 3 }));
  fixtures.parentElement.classList.add("all");
  add(form, "button", "button", words("event.season-keep"));
  const present = () => seasons.find((one) => one.name === which.value);

  function fillDivision() {
    const kept = present()?.divisions.find((one) => one.name === division.value.trim());
    if (!kept) return;
    for (const tick of ticks) tick.checked = (kept.matches ?? kept.events ?? []).includes(Number(tick.value));
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
    for (const tick of ticks) tick.checked = false;
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
    const ticked = ticks.filter((one) => one.checked).map((one) => Number(one.value));
    if (matches.checked) edited.matches = ticked;
    const own = fixturesIn(fixtures.value);
    if (own.length || matches.checked) Object.assign(edited, own.length ? { fixtures: own } : {}, win === undefined ? {} : { win }, draw === undefined ? {} : { draw });
    else edited.events = ticked;
    divisions.splice(known < 0 ? divisions.length : known, 1, edited);
    const text = { season: divisions.some((one) => one.matches) ? 2 : 1, name: name.value.trim(), divisions };
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

// A fixture as a line, “Ship Inn; Crown; 2026-11-02; 3:1 2:2”, and lines as fixtures.
const lineOf = ({ home, away, date = "", boards = [] }) => [home, away, date, boards.map((one) => one.join(":")).join(" ")].join("; ");

function fixturesIn(text) {
  return text.split("\n").filter((line) => line.trim()).map((line) => {
    const [home, away = "", date = "", boards = ""] = line.split(";").map((one) => one.trim());
    const played = boards.split(/\s+/).filter(Boolean).map((one) => one.split(/[:–-]/).map(Number));
    return { home, away, ...(date ? { date } : {}), ...(played.length ? { boards: played } : {}) };
  });
}
