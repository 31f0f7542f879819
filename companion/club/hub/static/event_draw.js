// The steps “tables” and “draw”: the boxes, a draft of the next round, changes of it by hand, and its
// publication.

import { ROOT, add, at, button, clear, listed, words } from "./elements.js";
import { choice, confirmButton, field, hasBracket, input, lastEntry, nameOf, newest, playsOn, present, resultOf, seatSign, tablesIn, teamsAt, winnerOf } from "./event_data.js";
import { tablesFor } from "./event_people.js";
import { LongList } from "./long_list.js";

// ---------------------------------------------------------------- the tables

export function closedIn(kept) {
  return new Set((kept.event.wishes ?? []).filter((wish) => wish.closed && !kept.reopening?.includes(wish.closed)).map((wish) => wish.closed));
}

// The boxes that are ready for a table of the next round.
export function readyBoxes(kept) {
  const closed = closedIn(kept), taken = new Set(kept.others.flatMap((one) => one.tables));
  return kept.boxes.filter((one) => one.number && one.heard && !closed.has(one.number) && !taken.has(one.number) && (!one.open || one.aside));
}

export function showTables(context) {
  const { kept } = context, rows = at("box-rows"), closed = closedIn(kept);
  const { many } = tablesFor(kept, present(kept).length), numbers = new Set(kept.boxes.map((one) => one.number));
  const without = Array.from({ length: many + closed.size }, (_, number) => number + 1).filter((number) => !closed.has(number)).slice(0, many).filter((number) => !numbers.has(number));
  at("boxes-said").textContent = [
    kept.boxes.length ? words("event.tables-needed", { number: many }) : words("event.no-boxes"),
    kept.boxes.length && without.length ? words("event.tables-without", { tables: without.join(", ") }) : "",
  ].join(" ");
  clear(rows);
  const inOrder = [...kept.boxes].sort((one, other) => (one.number ?? 1000) - (other.number ?? 1000));
  for (const box of inOrder) showBox(context, add(rows, "li", "row box"), box, closed);
  showWishes(context);
}

function showBox(context, row, box, closed) {
  const { kept } = context, said = add(row, "div", "said"), { number } = box;
  add(said, "b", "", number ? words("event.table", { number }) : box.name);
  if (number && box.name !== words("event.table", { number })) add(said, "span", "quiet", box.name);
  const other = kept.others.find((one) => one.tables.includes(number));
  const seats = listed(box.seats.map((one) => `${one.name} ${one.score}`));
  const asks = box.open && !box.aside && !closed.has(number);
  let state = words("event.box-ready");
  if (closed.has(number)) state = other ? words("event.box-other", { name: other.name }) : words("event.box-unused");
  else if (!box.heard) state = words("event.box-away");
  else if (box.open && box.aside) state = words("event.box-aside", { seats });
  else if (box.open) state = "";
  else if (box.seats.length && !box.over) state = seats;
  if (state) add(said, "p", "", state);
  if (asks) add(said, "p", "alert", words("event.box-open", { when: dayWords(box.since), seats }));
  const acts = add(row, "div", "acts");
  if (!number) showNumber(context, acts, box);
  else if (closed.has(number)) {
    const wish = lastEntry(kept, "wish", ({ said }) => said.closed === number);
    button(acts, "act", words("event.box-use"), () => context.enter([{ undo: { entry: wish.number } }]));
  } else {
    if (asks) button(acts, "button", words("event.box-end"), () => context.enter([{ aside: { box: box.box, game: box.game } }]));
    button(acts, "act", words(asks ? "event.box-keep" : "event.closed"), () => context.enter([{ wish: { closed: number } }]));
  }
}

// A time within the last week as its day and time, such as “Tuesday 21:30”; an older one as its date.
function dayWords(seconds) {
  const isOld = Date.now() / 1000 - seconds > 6 * 86400, day = isOld ? { day: "numeric", month: "long" } : { weekday: "long" };
  return new Intl.DateTimeFormat(document.documentElement.lang, { ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(new Date(seconds * 1000));
}

// Asks for the number of a box without one, which can't be given seats.
function showNumber(context, place, box) {
  const form = add(place, "form", "fields"), number = field(form, words("event.table-number"), input("input", { type: "number", min: 1, max: 999, required: true }));
  add(form, "button", "act", words("event.keep"));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await context.send({ name: box.name, number: Number(number.value) }, `/api/boxes/${box.box}`);
  });
}

// Shows the wishes: players who need a certain table, and players who should not sit together.
function showWishes(context) {
  const { kept, enter } = context, list = at("wishes"), form = at("wish");
  clear(list);
  clear(form);
  const noted = kept.entries.filter((one) => one.counts && one.kind === "wish");
  for (const wish of (kept.event.wishes ?? []).filter((one) => !one.closed)) {
    const line = add(list, "li", "", `${wishWords(kept, wish)} `), text = JSON.stringify(wish);
    const entry = noted.find((one) => JSON.stringify(one.said) === text);
    if (entry) confirmButton(line, words("event.undo"), words("event.undo-sure"), () => enter([{ undo: { entry: entry.number } }]));
  }
  for (const pair of kept.event.pairs ?? []) add(list, "li", "", words("event.said.partners", { names: listed(pair.map((id) => nameOf(kept, id))) }));
  const people = kept.event.players.map(({ id, name }) => [id, name]);
  if (!people.length) return;
  const one = field(form, words("event.player"), choice(people));
  const table = field(form, words("event.table-number"), input("input", { type: "number", min: 1, max: 999, value: 1 }));
  button(form, "act", words("event.place"), () => enter([{ wish: { table: Number(table.value), player: one.value } }]));
  if (kept.event.format === "partners") {
    const other = field(form, words("event.player"), choice(people));
    button(form, "act", words("event.partners-do"), () => one.value !== other.value && enter([{ partners: { ids: [one.value, other.value] } }]));
  }
}

export function wishWords(kept, wish) {
  if (wish.apart) return words("event.wish-apart-of", { names: listed(wish.apart.map((id) => nameOf(kept, id))) });
  if (wish.closed) return words("event.wish-closed", { table: wish.closed });
  return words("event.wish-place", { name: nameOf(kept, wish.player), table: wish.table });
}

// ---------------------------------------------------------------- the draw

const draftList = new LongList("find-drawn", "more-drawn", { phone: 4, desk: 24 });
const GIVEN = 0;  // the draw's method if the seats were given instead
let chosen = null;  // the first player tapped, who swaps places with the next one tapped
let distance = null;  // of the previous draft, for comparison

export function showDraw(context) {
  const { kept } = context, place = at("draft"), tables = at("drawn-tables");
  clear(place);
  clear(tables);
  at("find-drawn").hidden = at("more-drawn").hidden = true;
  at("own-seats").hidden = !mayDraw(kept);
  const rounds = kept.event.rounds.length, missing = (newest(kept)?.tables ?? []).filter((one) => resultOf(one) === null).map((one) => one.table);
  if (missing.length) add(place, "p", "quiet", words("event.missing", { tables: missing.join(", ") }));
  else if (kept.over) {
    add(place, "p", "", kept.winner ? words("event.has-won", { name: winnerOf(kept) }) : words("event.all-played", { number: rounds }));
    if (!hasBracket(kept)) button(place, "act", words("event.one-more"), () => context.enter([{ set: { planned: rounds + 1 } }]));
  } else if (present(kept).length < 2) add(place, "p", "quiet", words("event.too-few"));
  else if (kept.draft) showDraft(context, place, tables);
  else {
    const { said } = tablesFor(kept, present(kept).length);
    add(place, "p", "", words("event.here-so-far", { number: present(kept).length, tables: said }));
  }
}

function showDraft(context, place, tables) {
  const { kept } = context, { draft } = kept;
  const note = add(place, "p", "note");
  add(note, "b", "", words("event.draft"));
  add(note, "span", "", words(draft.method === GIVEN ? "event.draft-given" : "event.draft-said"));
  if (draft.lacks.length) add(place, "p", "alert", words("event.draft-lacks", { names: listed(draft.lacks.map((id) => nameOf(kept, id))) }));
  if (draft.has.length) add(place, "p", "alert", words("event.draft-has", { names: listed(draft.has.map((id) => nameOf(kept, id))) }));
  showMeasure(kept, add(place, "section", "measure"));
  const acts = add(place, "div", "acts");
  const given = draft.method === GIVEN;
  button(acts, "act", words(given ? "event.draw-lot" : "event.draw-again"), () => {
    chosen = null;
    distance = draft.measure.distance;
    return context.send({ after: kept.after, propose: true, ...(given ? { lot: true } : { seed: newSeed() }) });
  });
  Object.assign(add(acts, "a", "act", words("event.paper.slips")), { href: `${ROOT}/event/${context.number}/slips`, target: "_blank" });
  add(place, "p", "quiet", chosen ? words("event.swap-with", { name: nameOf(kept, chosen) }) : words("event.swap-how"));
  const repeats = ({ seats }) => draft.repeats.filter(({ players }) => players.every((id) => seats.includes(id)));
  const shown = tablesIn(draftList, kept, draft.tables, (table) => -repeats(table).length, () => showDraw(context));
  for (const table of shown) showDraftTable(context, tables, table, repeats(table));
  if (draft.bye.length) {
    const box = add(tables, "section", "seat-table dashed");
    add(box, "h3", "", words("event.no-table"));
    const list = add(box, "ul", "");
    for (const id of draft.bye) showSeat(context, list, id, null);
  }
}

// A new seed for a draw: the present time as text.
const newSeed = () => new Date().toISOString().slice(0, 19).replace("T", " ");

function showMeasure(kept, place) {
  const { draft } = kept, { measure } = draft;
  add(place, "h2", "", words("event.how-good"));
  const list = add(place, "dl", "");
  const line = (label, value, good) => {
    add(list, "dt", "", label);
    add(list, "dd", good ? "good" : "", good ? `${value} ✓` : String(value));
  };
  line(words("event.measure-repeats"), measure.repeats, measure.repeats === 0);
  if (kept.event.game === undefined || kept.event.game === "high-five") line(words("event.measure-payers"), measure.payers_again, measure.payers_again === 0);
  if (draft.threes.length) line(words("event.measure-threes"), measure.second_threes, measure.second_threes === 0);
  const wishes = (kept.event.wishes ?? []).filter((one) => !one.closed).length;
  if (wishes) line(words("event.measure-wishes"), words("event.of", { number: wishes - draft.broken.length, all: wishes }), !draft.broken.length);
  if (kept.event.rounds.length) line(words("event.measure-distance"), distance === null ? measure.distance : `${measure.distance} (${distance})`, false);
}

function showDraftTable(context, place, table, repeats) {
  const { kept } = context, box = add(place, "section", "seat-table dashed");
  add(box, "h3", "", words("event.table", { number: table.table }));
  if (kept.event.teams) add(box, "p", "quiet", teamsAt(kept, table));
  const list = add(box, "ul", "");
  table.seats.forEach((id, seat) => showSeat(context, list, id, seat));
  for (const { players, met } of repeats) add(box, "p", "alert", `${listed(players.map((id) => nameOf(kept, id)))}: ${met}×`);
}

function showSeat(context, list, id, seat) {
  const { kept } = context, line = add(list, "li", "");
  const key = button(line, "seat-key", "", () => {
    if (dragged) return;
    if (chosen === null) chosen = id;
    else if (chosen === id) chosen = null;
    else {
      change(context, chosen, id);
      return;
    }
    showDraw(context);
  });
  if (seat !== null) seatSign(key, seat);
  add(key, "span", "player", nameOf(kept, id));
  key.dataset.player = id;
  key.setAttribute("aria-pressed", chosen === id);
  if (chosen !== null && chosen !== id) {
    const again = meetingsAfter(kept, chosen, id);
    add(key, "span", again ? "tag alarm" : "tag good", again ? words("event.meet-again", { number: again }) : "✓");
  }
  drag(context, key, id);
}

// How many pairs at the two tables would be repeats after these two players have swapped places.
function meetingsAfter(kept, one, other) {
  const tables = swapped(kept, one, other).filter(({ seats }) => seats.includes(one) || seats.includes(other));
  const met = (a, b) => kept.event.rounds.some((round) => round.tables.some(({ seats }) => seats.includes(a) && seats.includes(b)));
  return tables.reduce((sum, { seats }) => sum + seats.filter((a, at) => seats.slice(at + 1).some((b) => met(a, b))).length, 0);
}

function swapped(kept, one, other) {
  const changed = { [one]: other, [other]: one };
  return kept.draft.tables.map(({ table, seats }) => ({ table, seats: seats.map((id) => changed[id] ?? id) }));
}

function change(context, one, other) {
  const { kept } = context, { draft } = kept, changed = { [one]: other, [other]: one };
  chosen = null;
  distance = draft.measure.distance;
  const mine = lastEntry(kept, "proposed");
  return context.enter([{ proposed: { ...mine.said, tables: swapped(kept, one, other), bye: draft.bye.map((id) => changed[id] ?? id), moved: true } }]);
}

let dragged = false;  // whether the pointer has moved too far for a tap

// Lets a name be dragged onto another with a mouse or a pen; a finger scrolls, and taps two names.
function drag(context, key, id) {
  key.addEventListener("pointerdown", (down) => {
    dragged = false;
    if (down.pointerType === "touch" || down.button) return;
    const move = (event) => {
      dragged = dragged || Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > 8;
      key.style.left = dragged ? `${event.clientX - down.clientX}px` : "";
      key.style.top = dragged ? `${event.clientY - down.clientY}px` : "";
      key.classList.toggle("dragged", dragged);
      for (const one of at("drawn-tables").querySelectorAll(".over")) one.classList.remove("over");
      under(event, id)?.classList.add("over");
    };
    const up = (event) => {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", up);
      const onto = dragged ? under(event, id) : null;
      key.style.left = key.style.top = "";
      key.classList.remove("dragged");
      if (onto) change(context, id, onto.dataset.player);
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", up);
  });
}

// The id of another player whose name is under the pointer.
function under(event, id) {
  return document.elementsFromPoint(event.clientX, event.clientY).map((one) => one.closest(".seat-key")).find((one) => one && one.dataset.player !== id);
}

// ---------------------------------------------------------------- seats given in place of a draw

// Adds the form for giving the seats as text, or by tapping the names one after the other.
export function addSeatsForm(context) {
  const form = at("seats");
  add(form, "p", "quiet all", words("event.seats-how"));
  const text = field(form, words("event.seats"), input("textarea", { id: "seats-text", spellcheck: false }));
  text.parentElement.className = "all";
  const names = add(form, "div", "filters all");
  names.id = "seats-names";
  add(form, "button", "act", words("event.seats-take"));
  const show = () => showUnseated(context, text, names);
  text.addEventListener("input", show);
  at("own-seats").addEventListener("toggle", () => {
    if (!at("own-seats").open) return;
    text.value = context.kept.seating;
    show();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    text.blur();
    distance = chosen = null;
    if (await context.send({ after: context.kept.after, propose: true, seating: text.value })) at("own-seats").open = false;
  });
}

// Shows the players who have no seat yet in the last round that was typed; a tap adds the name to it.
function showUnseated(context, text, names) {
  const { kept } = context, most = kept.event.seats ?? (["tables", "partners"].includes(kept.event.format) ? 4 : 2);
  const rounds = text.value.replace(/\r/g, "").split(/\n[ \t]*\n\s*/).filter((one, place) => one.trim() || place), lines = (rounds.pop() ?? "").split("\n");
  const seated = new Set(lines.flatMap(namesOn));
  const left = present(kept).filter(({ name }) => !seated.has(name.toLowerCase()));
  clear(names);
  for (const { name } of left) {
    button(names, "act", name, () => {
      const last = namesOn(lines[lines.length - 1]).length, quoted = /[\x22,;\t]/.test(name) ? `"${name.replace(/\x22/g, '""')}"` : name;
      text.value += last === 0 || text.value.endsWith("\n") ? quoted : `${last < most ? ", " : "\n"}${quoted}`;
      showUnseated(context, text, names);
    });
  }
  if (left.length) return;
  button(names, "act", `+ ${words("event.round", { number: kept.event.rounds.length + rounds.length + 2 })}`, () => {
    text.value = `${text.value.trimEnd()}\n\n`;
    showUnseated(context, text, names);
  });
}

// The names on a line of the text, in lower case.
function namesOn(line) {
  const told = line.replace(/^\s*(\p{L}+\s+)?(\d{1,4}|-)\s*:/u, "");
  const parts = told.match(/"(?:[^"]|"")*"|[^,;\t]+/g) ?? [];
  return parts.map((one) => one.trim().replace(/^"(.*)"$/, "$1").replace(/""/g, '"').trim().toLowerCase()).filter((one) => one);
}

// Whether the next round can be drawn now.
function mayDraw(kept) {
  const open = (newest(kept)?.tables ?? []).some((one) => resultOf(one) === null);
  return !open && !kept.over && present(kept).length >= 2;
}

// The label and action of the step's main key: draw or publish; null if there is none.
export function mainKeyOfDraw(context) {
  const { kept } = context, rounds = kept.event.rounds.length;
  if (!mayDraw(kept)) return null;
  const fits = kept.draft && !kept.draft.lacks.length && !kept.draft.has.length;
  if (kept.draft && fits) {
    const phones = kept.with_phone.filter((id) => playsOn(kept, id)).length;
    return { said: words("event.publish-said", { phones, boxes: readyBoxes(kept).length }), label: words("event.publish", { number: rounds + 1 }), act: publish };
  }
  return { said: "", label: words("event.draw", { number: rounds + 1 }), act: () => context.send({ after: kept.after, propose: true }) };

  async function publish() {
    distance = chosen = null;
    if (await context.send({ after: kept.after, publish: true })) context.go("results");
  }
}
