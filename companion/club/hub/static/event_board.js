// An event's board, read from far away: who sits where, by name, then the standings, in turn. It has a
// page of its own; a TV that turns between tables shows it over them while it is the event's turn.

import { ROOT, add, at, clear, words, write } from "./elements.js";
import {
  asLookedUp,
  ask,
  askForWord,
  clockWords,
  nameOf,
  newest,
  present,
  resultOf,
  showWhetherLost,
  takeClock,
} from "./event_data.js";

const LARGEST_VH = 7, LOOK_MS = 4000;
const TURN_MS = 12000, TURN_OVER_TABLE_MS = 10000;

class Board {
  // `place`: an element with the class event-board, which the board fills.
  constructor(place) {
    this.kept = null;
    this.turned = 0;
    const header = add(place, "header", "");
    this.title = add(header, "h1", "", words("event.board"));
    this.clock = add(header, "p", "clock");
    this.clock.setAttribute("role", "timer");
    this.where = add(header, "p", "where");
    this.list = add(add(place, "main", ""), "ol", "");
    setInterval(() => { this.clock.textContent = clockWords(); }, 500);
  }

  // Takes the event as the hub gives it.
  take(found) {
    takeClock(found);
    const news = JSON.stringify({ ...found, left_s: null }) !== JSON.stringify({ ...this.kept, left_s: null });
    this.kept = found;
    if (news) this.show();
  }

  turn() {
    this.turned += 1;
    if (this.kept) this.show();
  }

  // The pages that the board turns between: pairings while a table plays, standings once there are results.
  pages() {
    const round = newest(this.kept), found = [];
    if (round?.tables.some((one) => resultOf(one) === null) || !this.kept.played) found.push(() => this.pairings());
    if (this.kept.played) found.push(() => this.standings());
    return found;
  }

  show() {
    const all = this.pages();
    this.title.textContent = this.kept.name;
    clear(this.list);
    if (newest(this.kept)) all[this.turned % all.length]();
    else this.people();
  }

  // Shows, before the first round, the people who have come, so that each sees that the check-in counted.
  people() {
    const here = present(this.kept).map((one) => one.name).sort(asLookedUp);
    this.where.textContent = words("event.people", { number: here.length });
    this.lay(here.length);
    for (const name of here) add(add(this.list, "li", ""), "span", "player", name);
  }

  pairings() {
    const { kept } = this, round = newest(kept);
    this.where.textContent = words("event.board-tables", { number: kept.event.rounds.length });
    const seats = round.tables.flatMap((table) => table.seats.map((id) => [nameOf(kept, id), table.table]));
    seats.push(...round.bye.map((id) => [nameOf(kept, id), "–"]));
    seats.sort(([one], [other]) => asLookedUp(one, other));
    this.lay(seats.length);
    for (const [name, table] of seats) {
      const line = add(this.list, "li", "");
      add(line, "span", "player", name);
      add(line, "b", "", table);
    }
  }

  standings() {
    const { kept } = this;
    const corrected = kept.event.rounds.some(({ tables }) => tables.some((one) => one.corrected));
    const after = words(corrected ? "event.corrected-since" : "event.after-rounds", { number: kept.played, rounds: kept.event.rounds.length });
    this.where.textContent = kept.played ? after : "";
    this.lay(kept.standings.length);
    for (const one of kept.standings) {
      const line = add(this.list, "li", "");
      add(line, "span", "place", one.place ?? "–");
      add(line, "span", "player", nameOf(kept, one.player));
      add(line, "b", "", Math.round(one.points * 100) / 100);
    }
  }

  // Lays out so many lines on the board, in as few columns as can be read well.
  lay(lines) {
    const many = lines <= 12 ? 1 : lines <= 24 ? 2 : Math.max(3, Math.ceil(lines / 16)), rows = Math.ceil(lines / many);
    this.list.style.setProperty("--rows", rows);
    this.list.style.setProperty("--wide", `${100 / many}%`);
    this.list.style.setProperty("--size", `${Math.min(LARGEST_VH, 66 / rows)}vh`);
  }
}

// Fills a page with the board of the event in its address.
function showAsPage() {
  const number = Number(location.pathname.slice(ROOT.length).split("/")[2]);
  const board = new Board(at("board"));
  async function look() {
    const found = await ask(`/api/events/${number}`);
    if (found) write("link", found.error ?? "");
    if (found?.event) board.take(found);
  }
  showWhetherLost();
  askForWord(look);
  setInterval(look, LOOK_MS);
  setInterval(() => board.turn(), TURN_MS);
  look();
}

// Shows the board over a TV's tables whenever the hub says so (tv.js), with the event's number.
function showOverTables() {
  const place = add(document.body, "section", "event-board over-table");
  const board = new Board(place);
  let number = null;
  async function look() {
    const found = number === null ? null : await ask(`/api/events/${number}`);
    if (found?.event) board.take(found);
  }
  document.addEventListener("board", ({ detail }) => {
    if (detail !== null && number === null) board.turn();
    number = detail;
    place.hidden = number === null;
    look();
  });
  place.hidden = true;
  setInterval(look, LOOK_MS);
  setInterval(() => number !== null && board.turn(), TURN_OVER_TABLE_MS);
}

if (document.body.classList.contains("tv")) showOverTables();
else showAsPage();
