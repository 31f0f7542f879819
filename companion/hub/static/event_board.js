// An event on a TV: who sits where, by name, then the standings, in turn; read from far away.

import { ask, letIn, onLost } from "./event_ask.js";
import { clockWords, nameOf, newest, resultOf, takeClock } from "./event_parts.js";
import { add, at, clear, write } from "./parts.js";
import { words } from "./words.js";

const TURN_MS = 12000, LOOK_MS = 4000;
const LARGEST_VH = 7;

const number = Number(location.pathname.split("/")[2]);
let kept = null, turn = 0;

async function look() {
  const found = await ask(`/api/events/${number}`);
  if (!found?.event) return;
  takeClock(found);
  const news = JSON.stringify({ ...found, left_s: null }) !== JSON.stringify({ ...kept, left_s: null });
  kept = found;
  if (news) show();
}

// The board's pages: pairings while a table plays, standings once there are results.
function pages() {
  const round = newest(kept), found = [];
  if (round?.tables.some((one) => resultOf(one) === null) || !kept.played) found.push(pairings);
  if (kept.played) found.push(standings);
  return found;
}

function show() {
  const all = pages();
  write("title", kept.name);
  clear(at("board"));
  if (newest(kept)) all[turn % all.length]();
  else write("where", words("event.before"));
}

function pairings() {
  const round = newest(kept);
  write("where", words("event.round", { number: kept.event.rounds.length }));
  const seats = round.tables.flatMap((table) => table.seats.map((id) => [nameOf(kept, id), table.table]));
  seats.push(...round.bye.map((id) => [nameOf(kept, id), "–"]));
  seats.sort(([one], [other]) => one.localeCompare(other));
  lay(seats.length, 3);
  for (const [name, table] of seats) {
    const line = add(at("board"), "li", "");
    add(line, "span", "player", name);
    add(line, "b", "", table);
  }
}

function standings() {
  write("where", words("event.after-rounds", { number: kept.played, rounds: kept.event.rounds.length }));
  lay(kept.standings.length, 2);
  for (const one of kept.standings) {
    const line = add(at("board"), "li", "");
    add(line, "span", "place", one.place);
    add(line, "span", "player", nameOf(kept, one.player));
    add(line, "b", "", Math.round(one.points * 100) / 100);
  }
}

// So many lines fill the board in as few columns as are read well.
function lay(lines, columns) {
  const many = lines <= 12 ? 1 : lines <= 24 ? 2 : Math.max(columns, Math.ceil(lines / 16)), rows = Math.ceil(lines / many);
  const board = at("board");
  board.style.setProperty("--rows", rows);
  board.style.setProperty("--wide", `${100 / many}%`);
  board.style.setProperty("--size", `${Math.min(LARGEST_VH, 60 / rows)}vh`);
}

onLost((lost) => {
  document.body.dataset.state = lost ? "lost" : "connected";
  write("link", lost ? words("event.lost") : "");
});
letIn(look);
setInterval(look, LOOK_MS);
setInterval(() => write("clock", clockWords()), 500);
setInterval(() => {
  turn += 1;
  if (kept) show();
}, TURN_MS);
look();
