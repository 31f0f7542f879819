// An event's board, to be read from far away: it alternates between who sits where, by name, and the
// standings. It is a page of its own; a TV that rotates between tables shows it when it is the event's turn.

import { Calls } from "./calls.js";
import { ROOT, add, at, clear, listed, words, write } from "./elements.js";
import {
  boardsWords,
  compareNames,
  ask,
  promptForCode,
  clockWords,
  hasBracket,
  nameOf,
  newest,
  present,
  resultOf,
  showLostConnections,
  setClock,
  winnerOf,
} from "./event_data.js";

const LARGEST_VH = 7, POLL_MS = 4000;
const SMALLEST_VH = 3.8;  // can still be read from the other end of a hall
const MOST_ON_A_PAGE = 45;  // names; longer lists are shown in pages of equal length
const MOST_MATCHES = 8;  // below each other, so that their names are as large as others
const TURN_MS = 12000, TURN_OVER_TABLE_MS = 10000;

class Board {
  // `place`: an element with the class event-board, which the board fills.
  constructor(place) {
    this.kept = null;
    this.turned = 0;
    this.free = 1;  // the fraction of the screen's height that calls leave free
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

  // Shows the event that the hub has sent.
  update(found) {
    setClock(found);
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

  // The pages that the board shows in turn: while a table plays, the seats by name and by table; once there
  // are results the standings, with teams after their matches; for a knock-out the bracket instead.
  pages() {
    const round = newest(this.kept), found = [];
    if (round?.tables.some((one) => resultOf(one) === null) || !this.kept.played) {
      found.push(...inPages(this.sortedSeats(), (part, where) => this.showPairings(part, where)), () => this.showTables());
    }
    if (this.kept.matches?.length) found.push(...inPages(this.kept.matches[this.kept.matches.length - 1], (part, where) => this.showMatches(part, where)), ...inPages(this.kept.teams, (part, where) => this.showTeams(part, where)));
    if (hasBracket(this.kept) && this.brackets.length) found.push(...this.brackets.map((one, at) => () => this.showBracket(one, at)));
    else if (this.kept.played) found.push(...inPages(this.kept.standings, (part, where) => this.showStandings(part, where)));
    return found;
  }

  show() {
    const all = this.pages();
    this.title.textContent = this.kept.name;
    clear(this.list);
    this.list.hidden = false;
    this.drawing.hidden = true;
    if (newest(this.kept)) all[this.turned % all.length]();
    else this.showPeople();
  }

  // Shows before the first round who is here, so that people see that they are checked in.
  showPeople() {
    const here = present(this.kept).map((one) => one.name).sort(compareNames);
    this.where.textContent = words("event.people", { number: here.length });
    this.layOut(here.length);
    for (const name of here) add(add(this.list, "li", ""), "span", "player", name);
  }

  // Shows the names of the round's players in alphabetical order, each with the table's number.
  sortedSeats() {
    const { kept } = this, round = newest(kept);
    if (!round) return [];
    const seats = round.tables.flatMap((table) => table.seats.map((id) => [nameOf(kept, id), table.table]));
    seats.push(...round.bye.map((id) => [nameOf(kept, id), "–"]));
    return seats.sort(([one], [other]) => compareNames(one, other));
  }

  showPairings(seats, where) {
    this.where.textContent = words("event.board-tables", { number: this.kept.event.rounds.length }) + where;
    this.layOut(seats.length);
    for (const [name, table] of seats) {
      const line = add(this.list, "li", "");
      add(line, "span", "player", name);
      add(line, "b", "", table);
    }
  }

  // Shows the tables of the round, each with its players.
  showTables() {
    const { kept } = this, number = kept.event.rounds.length;
    const tables = [...newest(kept).tables].sort((one, other) => one.table - other.table);
    this.where.textContent = words("event.round", { number });
    this.layOut(tables.length, 2);
    for (const { table, seats } of tables) {
      const line = add(this.list, "li", "table-line");
      add(line, "b", "place", table);
      add(line, "span", "player", listed(seats.map((id) => nameOf(kept, id))));
    }
  }

  showBracket(drawing, at) {
    const { kept } = this, many = this.brackets.length;
    const title = kept.winner ? words("event.has-won", { name: winnerOf(kept) }) : words("event.bracket");
    this.where.textContent = title + (many > 1 ? ` ${at + 1}/${many}` : "");
    this.list.hidden = true;
    this.drawing.hidden = false;
    this.drawing.innerHTML = drawing;
  }

  // Shows the matches of teams in the newest round, with the boards won so far.
  showMatches(rows, where) {
    this.where.textContent = words("event.round", { number: this.kept.event.rounds.length }) + where;
    this.layOut(rows.length, 2);
    for (const match of rows) {
      const line = add(this.list, "li", "");
      add(line, "span", "player", `${match.home} – ${match.away}`);
      add(line, "b", "", boardsWords(match));
    }
  }

  showTeams(rows, where) {
    this.where.textContent = words("event.teams") + where;
    this.layOut(rows.length);
    for (const { place, team, points } of rows) {
      const line = add(this.list, "li", "");
      add(line, "span", "place", place ?? "–");
      add(line, "span", "player", team);
      add(line, "b", "", Math.round(points * 100) / 100);
    }
  }

  showStandings(rows, where) {
    const { kept } = this;
    const corrected = kept.event.rounds.some(({ tables }) => tables.some((one) => one.corrected));
    const after = words(corrected ? "event.corrected-since" : "event.after-rounds", { number: kept.played, rounds: kept.event.rounds.length });
    this.where.textContent = kept.played ? after + where : "";
    this.layOut(rows.length);
    for (const one of rows) {
      const line = add(this.list, "li", "");
      add(line, "span", "place", one.place ?? "–");
      add(line, "span", "player", nameOf(kept, one.player));
      add(line, "b", "", Math.round(one.points * 100) / 100);
    }
  }

  // Arranges `lines` lines in as few columns as can be read well, at most `most`.
  layOut(lines, most = Infinity) {
    this.inColumns(lines, most < Infinity ? Math.min(most, lines <= 8 ? 1 : most) : lines <= 12 ? 1 : lines <= 24 ? 2 : Math.max(3, Math.ceil(lines / 16)));
  }

  inColumns(lines, many) {
    const rows = Math.ceil(lines / many);
    this.list.style.setProperty("--rows", rows);
    this.list.style.setProperty("--wide", `${100 / many}%`);
    this.list.style.setProperty("--size", `${this.lineHeight(rows)}vh`);
    this.shrinkToFit(lines, many);
  }

  // Arranges everything again below the calls, whose height has changed.
  makeRoom() {
    this.free = 1 - document.querySelector(".look-here").offsetHeight / innerHeight;
    if (this.kept) this.show();
  }

  // The height of a line, as a percentage of the screen's, for this number of rows.
  lineHeight(rows) {
    return Math.min(LARGEST_VH, 66 * this.free / rows);
  }

  // Makes the lines smaller until no name is cut off, but never too small to read: fewer columns are better then.
  shrinkToFit(lines, many) {
    requestAnimationFrame(() => {
      const cut = Math.max(0, ...[...this.list.querySelectorAll(".player")].filter((one) => !one.parentElement.matches(".table-line")).map((one) => one.scrollWidth / one.clientWidth));
      const size = this.lineHeight(Math.ceil(lines / many)) / (cut * 1.03);
      if (cut > 1 && size < SMALLEST_VH && many > 1 && this.lineHeight(Math.ceil(lines / (many - 1))) >= SMALLEST_VH) this.inColumns(lines, many - 1);
      else if (cut > 1) this.list.style.setProperty("--size", `${Math.max(SMALLEST_VH, size)}vh`);
    });
  }
}

// Splits the lines into pages of equal length; `show` is called with the lines of each and the page's number.
function inPages(lines, show) {
  const many = Math.max(1, Math.ceil(lines.length / MOST_ON_A_PAGE)), each = Math.ceil(lines.length / many);
  return Array.from({ length: many }, (_, page) => () => show(lines.slice(page * each, (page + 1) * each), many > 1 ? ` ${page + 1}/${many}` : ""));
}

// Shows the board as a page of its own, for the event in its address.
function showAsPage() {
  const number = Number(location.pathname.slice(ROOT.length).split("/")[2]);
  const board = new Board(at("board")), calls = new Calls(() => board.makeRoom());
  async function refresh() {
    const found = await ask(`/api/events/${number}`);
    if (found) write("link", found.error ?? "");
    if (!found?.event) return;
    board.update(found);
    calls.show(found.announced.map((one) => one.text));
  }
  showLostConnections();
  promptForCode(refresh);
  setInterval(refresh, POLL_MS);
  setInterval(() => board.turn(), TURN_MS);
  refresh();
}

// Returns a function that shows the board of an event over a TV's tables (tv.js); null hides it.
function showOverTables() {
  const place = add(document.body, "section", "event-board over-table");
  const board = new Board(place);
  let number = null;
  async function refresh() {
    const found = number === null ? null : await ask(`/api/events/${number}`);
    if (found?.event) board.update(found);
  }
  document.addEventListener("board", ({ detail }) => {
    if (detail !== null && number === null) board.turn();
    number = detail;
    place.hidden = number === null;
    refresh();
  });
  document.addEventListener("calls", () => board.makeRoom());
  place.hidden = true;
  setInterval(refresh, POLL_MS);
  setInterval(() => number !== null && board.turn(), TURN_OVER_TABLE_MS);
}

if (document.body.classList.contains("tv")) showOverTables();
else showAsPage();
