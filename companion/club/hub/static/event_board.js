// An event's board, read from far away: who sits where, by name, then the standings, in turn. It has a
// page of its own; a TV that turns between tables shows it over them while it is the event's turn.

import { Calls } from "./calls.js";
import { ROOT, add, at, clear, listed, words, write } from "./elements.js";
import {
  asLookedUp,
  ask,
  askForWord,
  clockWords,
  hasBracket,
  nameOf,
  newest,
  present,
  resultOf,
  showWhetherLost,
  takeClock,
  winnerOf,
} from "./event_data.js";

const LARGEST_VH = 7, LOOK_MS = 4000;
const SMALLEST_VH = 3.8;  // still read from the other end of a hall
const MOST_ON_A_PAGE = 45;  // names; more of them turn in pages of the same length
const MOST_MATCHES = 8;  // below each other: their names are as large
const TURN_MS = 12000, TURN_OVER_TABLE_MS = 10000;

class Board {
  // `place`: an element with the class event-board, which the board fills.
  constructor(place) {
    this.kept = null;
    this.turned = 0;
    this.free = 1;  // the part of the screen's height that calls leave
    const header = add(place, "header", "");
    this.title = add(header, "h1", "", words("event.board"));
    this.clock = add(header, "p", "clock");
    this.clock.setAttribute("role", "timer");
    this.where = add(header, "p", "where");
    const main = add(place, "main", "");
    this.list = add(main, "ol", "");
    this.drawing = add(main, "div", "bracket-page");
    this.drawing.hidden = true;
    this.brackets = [];  // the parts of a knock-out's bracket, as drawings
    setInterval(() => { this.clock.textContent = clockWords(); }, 500);
  }

  // Takes the event as the hub gives it.
  take(found) {
    takeClock(found);
    const unclocked = (kept) => JSON.stringify({ ...kept, left_s: null, break_left_s: null });
    const news = unclocked(found) !== unclocked(this.kept);
    this.kept = found;
    if (!news) return;
    this.show();
    if (hasBracket(found)) this.askForBracket();
  }

  async askForBracket() {
    const { number } = this.kept, found = await ask(`/api/events/${number}/bracket?most=${MOST_MATCHES}`);
    if (found?.parts && number === this.kept.number) {
      this.brackets = found.parts;
      this.show();
    }
  }

  turn() {
    this.turned += 1;
    if (this.kept) this.show();
  }

  // The pages that the board turns between: while a table plays, who sits where by name and by table; the
  // standings once there are results, of teams after their matches; of a knock-out its bracket instead.
  pages() {
    const round = newest(this.kept), found = [];
    if (round?.tables.some((one) => resultOf(one) === null) || !this.kept.played) {
      found.push(...inPages(this.seats(), (part, where) => this.pairings(part, where)), () => this.tables());
    }
    if (this.kept.matches?.length) found.push(...inPages(this.kept.matches[this.kept.matches.length - 1], (part, where) => this.matches(part, where)), ...inPages(this.kept.teams, (part, where) => this.teams(part, where)));
    if (hasBracket(this.kept) && this.brackets.length) found.push(...this.brackets.map((one, at) => () => this.bracket(one, at)));
    else if (this.kept.played) found.push(...inPages(this.kept.standings, (part, where) => this.standings(part, where)));
    return found;
  }

  show() {
    const all = this.pages();
    this.title.textContent = this.kept.name;
    clear(this.list);
    this.list.hidden = false;
    this.drawing.hidden = true;
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

  // The names of the round in the order in which people look for them, each with the number of the table.
  seats() {
    const { kept } = this, round = newest(kept);
    if (!round) return [];
    const seats = round.tables.flatMap((table) => table.seats.map((id) => [nameOf(kept, id), table.table]));
    seats.push(...round.bye.map((id) => [nameOf(kept, id), "–"]));
    return seats.sort(([one], [other]) => asLookedUp(one, other));
  }

  pairings(seats, where) {
    this.where.textContent = words("event.board-tables", { number: this.kept.event.rounds.length }) + where;
    this.lay(seats.length);
    for (const [name, table] of seats) {
      const line = add(this.list, "li", "");
      add(line, "span", "player", name);
      add(line, "b", "", table);
    }
  }

  // The tables of the round, each with the people who sit there.
  tables() {
    const { kept } = this, number = kept.event.rounds.length;
    const tables = [...newest(kept).tables].sort((one, other) => one.table - other.table);
    this.where.textContent = words("event.round", { number });
    this.lay(tables.length, 2);
    for (const { table, seats } of tables) {
      const line = add(this.list, "li", "table-line");
      add(line, "b", "place", table);
      add(line, "span", "player", listed(seats.map((id) => nameOf(kept, id))));
    }
  }

  bracket(drawing, at) {
    const { kept } = this, many = this.brackets.length;
    const title = kept.winner ? words("event.has-won", { name: winnerOf(kept) }) : words("event.bracket");
    this.where.textContent = title + (many > 1 ? ` ${at + 1}/${many}` : "");
    this.list.hidden = true;
    this.drawing.hidden = false;
    this.drawing.innerHTML = drawing;
  }

  // The matches of teams in the newest round, with the boards won so far.
  matches(rows, where) {
    this.where.textContent = words("event.round", { number: this.kept.event.rounds.length }) + where;
    this.lay(rows.length, 2);
    for (const { home, away, won } of rows) {
      const line = add(this.list, "li", "");
      add(line, "span", "player", `${home} – ${away}`);
      add(line, "b", "", won.join("–"));
    }
  }

  teams(rows, where) {
    this.where.textContent = words("event.teams") + where;
    this.lay(rows.length);
    for (const { place, team, points } of rows) {
      const line = add(this.list, "li", "");
      add(line, "span", "place", place ?? "–");
      add(line, "span", "player", team);
      add(line, "b", "", Math.round(points * 100) / 100);
    }
  }

  standings(rows, where) {
    const { kept } = this;
    const corrected = kept.event.rounds.some(({ tables }) => tables.some((one) => one.corrected));
    const after = words(corrected ? "event.corrected-since" : "event.after-rounds", { number: kept.played, rounds: kept.event.rounds.length });
    this.where.textContent = kept.played ? after + where : "";
    this.lay(rows.length);
    for (const one of rows) {
      const line = add(this.list, "li", "");
      add(line, "span", "place", one.place ?? "–");
      add(line, "span", "player", nameOf(kept, one.player));
      add(line, "b", "", Math.round(one.points * 100) / 100);
    }
  }

  // Lays out so many lines on the board, in as few columns as can be read well, or in at most so many.
  lay(lines, most = Infinity) {
    const many = most < Infinity ? Math.min(most, lines <= 8 ? 1 : most) : lines <= 12 ? 1 : lines <= 24 ? 2 : Math.max(3, Math.ceil(lines / 16)), rows = Math.ceil(lines / many);
    this.list.style.setProperty("--rows", rows);
    this.list.style.setProperty("--wide", `${100 / many}%`);
    this.list.style.setProperty("--size", `${this.sizeOf(rows)}vh`);
    this.fit(rows);
  }

  // Lays everything out again below the calls, whose height has changed.
  makeRoom() {
    this.free = 1 - document.querySelector(".look-here").offsetHeight / innerHeight;
    if (this.kept) this.show();
  }

  // The height of a line, in hundredths of the screen's, if there are so many rows.
  sizeOf(rows) {
    return Math.min(LARGEST_VH, 66 * this.free / rows);
  }

  // Makes the lines smaller, once they are there, until no name is cut off, but never hard to read.
  fit(rows) {
    requestAnimationFrame(() => {
      const cut = Math.max(0, ...[...this.list.querySelectorAll(".player")].filter((one) => !one.parentElement.matches(".table-line")).map((one) => one.scrollWidth / one.clientWidth));
      if (cut > 1) this.list.style.setProperty("--size", `${Math.max(SMALLEST_VH, this.sizeOf(rows) / (cut * 1.03))}vh`);
    });
  }
}

// The pages on which so many lines are shown: `show` gets the lines of each and which of them it is.
function inPages(lines, show) {
  const many = Math.max(1, Math.ceil(lines.length / MOST_ON_A_PAGE)), each = Math.ceil(lines.length / many);
  return Array.from({ length: many }, (_, page) => () => show(lines.slice(page * each, (page + 1) * each), many > 1 ? ` ${page + 1}/${many}` : ""));
}

// Fills a page with the board of the event in its address.
function showAsPage() {
  const number = Number(location.pathname.slice(ROOT.length).split("/")[2]);
  const board = new Board(at("board")), calls = new Calls(() => board.makeRoom());
  async function look() {
    const found = await ask(`/api/events/${number}`);
    if (found) write("link", found.error ?? "");
    if (!found?.event) return;
    board.take(found);
    calls.show(found.announced.map((one) => one.text));
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
  document.addEventListener("calls", () => board.makeRoom());
  place.hidden = true;
  setInterval(look, LOOK_MS);
  setInterval(() => number !== null && board.turn(), TURN_OVER_TABLE_MS);
}

if (document.body.classList.contains("tv")) showOverTables();
else showAsPage();
