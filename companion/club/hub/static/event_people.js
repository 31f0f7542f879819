// The step “people”: finding and adding players, ticking who is here, and each player's details.

import { ROOT, add, at, button, clear, listed, words } from "./elements.js";
import { compareNames, confirmButton, field, input, lastEntry, nameOf, playsOn, teamOf } from "./event_data.js";
import { LongList } from "./long_list.js";

const LASTS = ["round", "evening", "ever"];
const peopleList = new LongList("find", "more-rows", { phone: 24, desk: 60 });

let filter = null;  // the listed people: expected, here or owe
let ticked = new Set();  // players ticked since the list was opened, who stay listed
let open = null, apart = null;  // the player whose keys are shown; the player for whom another one to sit apart is being chosen
let apartFor = LASTS[1];

// Returns a function that tests whether a player is expected: listed, but never here so far.
export function expectedIn(kept) {
  const of = (...kinds) => kept.entries.filter((one) => one.counts && kinds.includes(one.kind)).map((one) => one.said.id);
  const came = new Set(of("came", "returned"));
  return new Set(of("listed").filter((id) => !came.has(id) && kept.event.out.includes(id)));
}

const owing = (kept) => kept.fee ? kept.event.players.filter(({ id }) => playsOn(kept, id) && !kept.paid.includes(id)) : [];

// The number of tables for so many people, and their sizes as text: “6 × 4, 3 × 3”.
export function tablesFor(kept, people) {
  const most = kept.event.seats ?? (["tables", "partners"].includes(kept.event.format) ? 4 : 2);
  if (people < 2) return { many: 0, said: "" };
  if (kept.event.teams) return { many: Math.floor(people / most), said: `${Math.floor(people / most)} × ${most}` };
  if (most === 2) return { many: Math.floor(people / 2), said: `${Math.floor(people / 2)} × 2` };
  const short = (most - people % most) % most, full = (people - short * (most - 1)) / most;
  if (full < 0) return { many: people === 5 ? 2 : 1, said: people === 5 ? "3 + 2" : `1 × ${people}` };
  return { many: full + short, said: [[full, most], [short, most - 1]].filter(([many]) => many).map(([many, seats]) => `${many} × ${seats}`).join(", ") };
}

export function addPeopleForms(context) {
  const form = at("check-in"), find = at("find");
  let isEntered = false;  // by a tap, which places the cursor once more after the focus
  find.addEventListener("focus", () => { isEntered = true; });
  find.addEventListener("click", () => {
    if (isEntered) find.select();
    isEntered = false;
  });
  form.querySelector("button").addEventListener("click", () => checkInNew(context));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = find.value.trim(), found = context.kept.event.players.filter((one) => peopleList.fits([one.name]));
    const only = found.find((one) => isSameName(one.name, name)) ?? (found.length === 1 ? found[0] : null);
    if (name && only) checkInFound(context, only.id);
    else if (name && !found.length) checkInNew(context);
  });
  const many = field(at("many"), words("event.paste"), input("textarea", {}));
  many.parentElement.className = "all";
  const paste = async (kind) => {
    if (await context.send({ after: context.kept.after, text: many.value, kind }, `${context.path}/people`)) many.value = "";
  };
  button(at("many"), "act", words("event.add-all"), () => paste("came"));
  button(at("many"), "act", words("event.expect-all"), () => paste("listed"));
  addTeamsForm(context);
  addSettingsForm(context);
}

const isSameName = (one, other) => compareNames(one, other) === 0 || one.toLowerCase() === other.toLowerCase();

// Checks in the player whom the search has found, unless they are here already.
async function checkInFound(context, id) {
  const find = at("find");
  if (playsOn(context.kept, id)) find.select();
  else {
    find.value = "";
    await tick(context, id, expectedIn(context.kept));
    find.focus();
  }
}

// Checks in a new player under the name that was typed.
async function checkInNew(context) {
  const find = at("find"), name = find.value.trim();
  find.value = "";
  await context.send({ after: context.kept.after, text: `"${name.replace(/"/g, "'")}"`, kind: "came" }, `${context.path}/people`);
  showPeople(context);
  find.focus();
}

// Adds the form for the teams.
function addTeamsForm(context) {
  const form = at("teams-form");
  add(form, "p", "quiet all", words("event.teams-how"));
  const text = field(form, words("event.teams-text"), input("textarea", { id: "teams-text", spellcheck: false }));
  text.parentElement.className = "all";
  const boards = field(form, words("event.teams-boards"), input("input", { id: "teams-boards", type: "number", min: 1, max: 100 }));
  add(form, "button", "act", words("event.teams-keep"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    document.activeElement?.blur();
    const said = { after: context.kept.after, teams: text.value, boards: boards.value === "" ? null : Number(boards.value) };
    if (await context.send(said)) at("more-teams").open = false;
  });
}

// Adds the form for settings that may change during the evening: rounds, fee, prizes, latecomers, penalties.
function addSettingsForm(context) {
  const form = at("settings"), most = { planned: 999, late: 100, fee: 100000, prizes: 99 };
  const fields = Object.keys(most).map((name) => [name, field(form, words(`event.set-${name}`), input("input", { type: "number", min: name === "planned" ? 1 : 0, max: most[name], step: name === "late" || name === "fee" ? "any" : 1 }))]);
  const off = field(form, words("event.set-penalty"), input("input", { type: "number", min: 0, max: 1000, step: "any" }));
  const lost = input("input", { type: "checkbox" }), label = add(form, "label", "tick");
  label.append(lost, words("event.set-penalty-game"));
  add(form, "button", "act", words("event.keep"));
  at("more-rules").addEventListener("toggle", () => {
    const { kept } = context, now = { planned: kept.event.planned, late: kept.event.late, fee: kept.fee, prizes: kept.prizes };
    for (const [name, made] of fields) made.value = now[name] ?? "";
    off.value = kept.event.penalty?.points ?? "";
    lost.checked = Boolean(kept.event.penalty?.game);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    at("more-rules").open = false;
    const set = Object.fromEntries(fields.map(([name, made]) => [name, made.value === "" ? null : Number(made.value)]));
    const rules = { ...(off.value === "" ? {} : { points: Number(off.value) }), ...(lost.checked ? { game: true } : {}) };
    context.enter([{ set: { ...set, penalty: Object.keys(rules).length ? rules : null } }]);
  });
}

export function showPeople(context) {
  const { kept, may } = context, expected = expectedIn(kept), owe = owing(kept);
  const here = kept.event.players.filter(({ id }) => playsOn(kept, id));
  if (filter === null) filter = expected.size ? "expected" : "here";
  showFilters(context, { expected: expected.size, here: here.length, ...(kept.fee ? { owe: owe.length } : {}) });
  const { typed } = peopleList, all = [...kept.event.players].sort((one, other) => compareNames(one.name, other.name));
  const inFilter = {
    expected: ({ id }) => expected.has(id) || ticked.has(id),
    here: ({ id }) => !expected.has(id),
    owe: ({ id }) => owe.some((one) => one.id === id) || ticked.has(id),
  }[filter];
  const shown = all.filter((one) => typed ? peopleList.fits([one.name]) : inFilter(one));
  const key = at("check-in").querySelector("button"), exact = all.some((one) => isSameName(one.name, typed));
  key.hidden = !may.organiser || !typed || exact;
  key.textContent = words("event.add-name", { name: at("find").value.trim() });
  at("check-in").hidden = at("more-people").hidden = at("more-rules").hidden = !may.organiser;
  at("more-teams").hidden = !may.organiser || !kept.event.players.length || kept.event.format === "tables";
  if (may.organiser && !at("more-teams").open) {
    at("teams-text").value = kept.teams_text;
    at("teams-boards").value = kept.event.boards ?? "";
  }
  const rows = at("rows");
  clear(rows);
  for (const one of peopleList.shown(shown, () => showPeople(context))) showRow(context, rows, one, expected);
  if (!shown.length) add(rows, "li", "quiet", words(typed ? "event.no-such-name" : "event.nobody-there"));
}

function showFilters(context, numbers) {
  const place = at("filters");
  clear(place);
  for (const [name, number] of Object.entries(numbers)) {
    const key = button(place, "filter", words(`event.filter-${name}`, { number }), () => {
      filter = name;
      peopleList.reset();
      ticked = new Set();
      open = apart = null;
      showPeople(context);
    });
    key.setAttribute("aria-pressed", filter === name);
  }
}

function showRow(context, rows, one, expected) {
  const { kept, may } = context, { id, name } = one, here = playsOn(kept, id);
  const row = add(rows, "li", open === id ? "row opened" : "row");
  const key = button(row, "tick", "", () => (apart ? keepApart(context, id) : tick(context, id, expected)));
  key.setAttribute("role", "checkbox");
  key.setAttribute("aria-checked", here);
  key.disabled = !may.organiser || apart === id;
  add(key, "span", "mark").setAttribute("aria-hidden", "true");
  add(key, "span", "player", name);
  for (const [kind, text] of tagsOf(kept, one, expected)) add(key, "span", `tag ${kind}`, text);
  if (!may.organiser) return;
  const more = button(row, "dots", "⋮", () => {
    open = open === id ? null : id;
    apart = null;
    showPeople(context);
  });
  more.setAttribute("aria-label", words("event.more-of", { name }));
  more.setAttribute("aria-expanded", open === id);
  if (open === id) showKeys(context, add(rows, "li", "tray"), one, expected);
}

function tagsOf(kept, one, expected) {
  const found = [], { id } = one, here = playsOn(kept, id);
  const round = kept.event.rounds.length;
  if (kept.paid?.includes(id)) found.push(["good", words("event.is-paid")]);
  else if (kept.fee && here) found.push(["alarm", words("event.owes", { fee: kept.fee })]);
  if (one.late && kept.late_points !== undefined) found.push(["", words("event.is-late", { points: kept.late_points })]);
  if (one.until !== undefined) found.push(["", one.until < round ? words("event.has-left") : words("event.leaves-after", { round: one.until })]);
  else if (kept.event.out.includes(id) && !expected.has(id)) found.push(["", words("event.has-left")]);
  const wishes = (kept.event.wishes ?? []).filter((wish) => wish.apart?.includes(id));
  for (const wish of wishes) found.push(["", words("event.not-with", { names: listed(wish.apart.filter((each) => each !== id).map((each) => nameOf(kept, each))) })]);
  if (one.category) found.push(["", one.category]);
  const team = teamOf(kept, id);
  if (team) found.push(["", team]);
  return found;
}

// Checks a player in, or undoes that.
async function tick(context, id, expected) {
  const { kept } = context, { name, rating } = kept.event.players.find((one) => one.id === id);
  ticked.add(id);
  if (filter === "owe" && playsOn(kept, id) && !kept.paid.includes(id)) await context.enter([{ paid: { id } }]);
  else if (playsOn(kept, id)) await untick(context, id);
  else if (expected.has(id)) await context.enter([{ came: { id, name, ...(rating === null ? {} : { rating }) } }]);
  else await context.enter([{ returned: { id } }]);
}

// Undoes a check-in: before the first round as if it had never happened, later as leaving.
function untick(context, id) {
  const { kept } = context;
  const entryOf = (kind) => lastEntry(kept, kind, ({ said }) => said.id === id), came = entryOf("came");
  if (!kept.event.rounds.length && came && entryOf("listed") && !entryOf("phone")) return context.enter([{ undo: { entry: came.number } }]);
  return context.enter([{ left: { id } }]);
}

// Undoes all entries about a player alone, the newest first: the player was never on the list.
function undoAll(kept, id) {
  return kept.entries.filter((one) => one.counts && one.said.id === id).reverse().map(({ number }) => ({ undo: { entry: number } }));
}

function showKeys(context, tray, one, expected) {
  const { kept } = context, { id, name } = one, here = playsOn(kept, id), rounds = kept.event.rounds.length;
  if (apart === id) return showApart(context, tray, one);
  const entryOf = (kind) => lastEntry(kept, kind, ({ said }) => said.id === id);
  const undo = (kind) => context.enter([{ undo: { entry: entryOf(kind).number } }]);
  if (kept.fee) {
    if (kept.paid.includes(id)) button(tray, "act", words("event.do-owes"), () => undo("paid"));
    else button(tray, "act", words("event.do-paid"), () => context.enter([{ paid: { id } }]));
  }
  if (one.late) button(tray, "act", words("event.do-not-late"), () => undo("late"));
  else button(tray, "act", words("event.do-late"), () => context.enter([{ late: { id } }]));
  button(tray, "act", words("event.do-apart"), () => {
    apart = id;
    showPeople(context);
  });
  if (expected.has(id)) confirmButton(tray, words("event.do-not-come"), words("event.do-not-come-sure", { name }), () => undo("listed"));
  else if (!rounds && !entryOf("listed") && !entryOf("phone")) confirmButton(tray, words("event.do-not-come"), words("event.do-not-come-sure", { name }), () => context.enter(undoAll(kept, id)));
  if (here && rounds) button(tray, "act", words("event.do-leaves", { round: rounds }), () => context.enter([{ left: { id, after: rounds } }]));
  if (here) {
    const after = add(tray, "form", "fields"), number = field(after, words("event.leaves-after-which"), input("input", { type: "number", min: rounds + 1, max: 999, required: true }));
    add(after, "button", "act", words("event.keep"));
    after.addEventListener("submit", (event) => {
      event.preventDefault();
      context.enter([{ left: { id, after: Number(number.value) } }]);
    });
  }
  if (one.until !== undefined || (!here && !expected.has(id))) button(tray, "act", words("event.do-returns"), () => context.enter([{ returned: { id } }]));
  if (kept.phones) button(tray, "act", words(kept.with_phone.includes(id) ? "event.show-code" : "event.do-code"), () => showCode(context, id));
  if (kept.with_phone.includes(id)) confirmButton(tray, words("event.end-code"), words("event.end-code-sure"), () => undo("phone"));
  const form = add(tray, "form", "fields"), called = field(form, words("event.new-name"), input("input", { maxLength: 40, value: name, autocomplete: "off" }));
  const group = field(form, words("event.category"), input("input", { maxLength: 40, value: one.category ?? "", autocomplete: "off" }));
  add(form, "button", "act", words("event.keep"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const said = [];
    if (called.value.trim() && called.value.trim() !== name) said.push({ named: { id, name: called.value.trim() } });
    if (group.value.trim() !== (one.category ?? "")) said.push({ category: { id, name: group.value.trim() } });
    if (said.length) context.enter(said);
  });
}

// Asks who should sit apart from this player, and for how long; the other player is tapped in the list.
function showApart(context, tray, { name }) {
  add(tray, "p", "", words("event.apart-who", { name }));
  const group = add(tray, "div", "filters");
  group.setAttribute("role", "group");
  for (const lasts of LASTS) {
    const key = button(group, "filter", words(`event.lasts-${lasts}`), () => {
      apartFor = lasts;
      showPeople(context);
    });
    key.setAttribute("aria-pressed", apartFor === lasts);
  }
  button(tray, "act", words("event.cancel"), () => {
    apart = null;
    showPeople(context);
  });
}

async function keepApart(context, other) {
  const one = apart;
  apart = null;
  await context.enter([{ wish: { apart: [one, other], ...(apartFor === "round" ? {} : { for: apartFor }) } }]);
}

// Opens a window with the code with which a phone follows a player.
async function showCode(context, id) {
  const page = window.open("", "_blank");
  if (!context.kept.with_phone.includes(id) && !await context.enter([{ phone: { id } }])) {
    page?.close();
    return;
  }
  const address = `${ROOT}/event/${context.number}/phone?of=${encodeURIComponent(id)}`;
  if (page) page.location.href = address;
  else location.href = address;
}
