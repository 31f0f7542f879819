// The history: older entries, and the ways to correct an entry that was tapped.

import { add, at, button, clear, colour, listed, words, write } from "./elements.js";
import { TilePicker } from "./entry_keys.js";
import { showEntries } from "./show_moment.js";

// Names of players that a tap can change: in unfinished games, and below a new game.

const LONGEST_NAME = 24;

// The name as one word, as in tallies.
export function written(name) {
  return name.normalize("NFC").trim().replace(/\s+/g, "_");
}

// The typed name as one of `names` if it is known, even with other capitals; else as it is kept.
export function asKnown(typed, names) {
  const name = written(typed), small = (one) => one.normalize("NFC").toLocaleLowerCase();
  return names.find((one) => one.normalize("NFC") === name)
    ?? names.find((one) => small(one) === small(name)) ?? name;
}

export function readable(name) {
  return name.replace(/_/g, " ");
}

// Adds a name that opens a form in `place` when tapped; `label` is its text.
export function addName(parent, place, name, label, keying) {
  button(parent, "player", label, () => askForName(place, name, readable(name), keying)).setAttribute("aria-haspopup", "true");
}

// Shows all known players, and the names that were renamed.
export function showPlayers(place, { names, renamed }, keying) {
  clear(place);
  place.hidden = !names.length && !renamed.length;
  if (place.hidden) return;
  add(place, "h3", "", words("players.title"));
  add(place, "p", "quiet", words("players.tap"));
  const list = add(place, "p", "acts");
  const form = add(place, "div");
  for (const name of names) addName(list, form, name, readable(name), keying);
  for (const { name, to } of renamed) {
    const line = add(place, "p", "acts renamed");
    add(line, "span", "quiet", words("players.renamed", { name: readable(name), to: readable(to) }));
    const label = words("players.keep", { name: readable(name) });
    button(line, "act", label, () => rename(keying, name, name));
  }
}

// Asks for a new name for the player `name`, currently shown as `called`; `sits` is called with the name of
// another player who sits there instead.
export function askForName(place, name, called, keying, sits) {
  clear(place);
  const form = add(place, "form", "acts calls");
  form.dataset.touched = "";
  const input = add(add(form, "label", "field", words("players.name", { player: called })), "input");
  input.value = called;
  input.maxLength = LONGEST_NAME;
  input.autocomplete = "off";
  input.autocapitalize = "words";
  add(form, "button", "act main", words("players.rename")).type = "submit";
  if (sits) {
    button(form, "act", words("players.other"), () => {
      const to = written(input.value);
      if (!to || to === written(called)) return input.focus();
      form.remove();
      sits(to);
    });
  }
  button(form, "act", words("panel.back"), () => form.remove());
  form.onsubmit = (event) => {
    event.preventDefault();
    const to = written(input.value);
    if (!to || to === written(called)) return;
    form.remove();
    rename(keying, name, to);
  };
  input.focus();
  input.select();
}

function rename(keying, name, to) {
  keying.offer({ deed: "rename", text: [name, to].join(" "), label: "" });
}

// -------------------------------------------------------------------- history

const TILE = /^(\d+|W)-(\d+|W)$/i;
const OF_ANY_SEAT = new Set(["draw", "pass", "points", "holds", "pips"]);
const NUMBER = /^-?\d+$/;
const ENDS = ["@left", "@right", "@up", "@down"];  // as in tallies, in the order of keyboard.arms

export class History {
  constructor(keying) {
    this.keying = keying;
    this.opened = null;
    this.ends = false;  // whether other ends are offered
    this.older = [];  // older entries that were loaded, the newest first
    this.game = null;
    this.picks = false;  // whether the picker is open to choose another tile
    this.missing = null;  // the seat whose turn before the opened entry is missing; null if the entry itself is open
    this.holds = [];  // the tiles picked for a holding
    this.picker = new TilePicker((tile) => this.asTile(tile), "other-tiles", "other-halves");
    this.picker.changed = () => this.render();
    at("older").addEventListener("click", () => this.askOlder());
    at("change").addEventListener("submit", (event) => event.preventDefault());
    at("change").addEventListener("click", (event) => {  // Enter clicks the first one
      const key = event.target.closest("button");
      if (key?.value) this.change(key.value);
    });
    at("entries").addEventListener("click", (event) => {
      const line = event.target.closest("[data-at]");
      if (line) this.open(Number(line.dataset.at), event.target.closest(".gap") !== null);
    });
  }

  // Receives a moment. An open entry stays open while it is unchanged. Older entries stay while they directly
  // precede the latest ones and nothing was changed.
  update(moment) {
    const { latest } = moment;
    const lowest = lastOf(latest)?.at ?? 0;
    const newest = this.latest?.[0];
    const grown = newest && latest.some((one) => one.at === newest.at && one.entry === newest.entry);
    if (this.older.length) {
      if (!grown || this.game !== moment.number) this.older = [];
      else this.older = [...this.latest.filter((one) => one.at < lowest), ...this.older];
    }
    this.game = moment.number;
    this.latest = latest;
    this.renderOlder();
    const same = this.entries.find((one) => one.at === this.opened?.at);
    if (this.opened && same?.entry !== this.opened.entry) this.opened = null;
  }

  get entries() {
    return [...(this.latest ?? []), ...this.older];
  }

  askOlder() {
    this.keying.connection.ask("older", { panel: { name: "older", before: lastOf(this.entries).at } });
  }

  // Receives older entries: those before the entry number `before`.
  addOlder({ before, entries = [] }) {
    if (before !== lastOf(this.entries)?.at) return;
    this.older = [...this.older, ...entries];
    this.renderOlder();
    this.render();
  }

  renderOlder() {
    if (this.older.length) showEntries(this.entries);
    at("older").hidden = !(lastOf(this.entries)?.at > 1);
  }

  close() {
    this.opened = null;
  }

  // Opens an entry or, with `gap`, the form for entries missing before it; a second tap closes it.
  open(number, gap = false) {
    const { keying } = this;
    const entry = this.entries.find((one) => one.at === number);
    if (!entry || entry.entry === null || !keying.accepts(() => this.open(number, gap), true)) return;
    keying.forget();
    write("answer", "");
    const closes = this.opened?.at === number && gap === (this.missing !== null);
    this.opened = closes ? null : entry;
    this.missing = gap && !closes ? this.parts.seat ?? keying.moment.seats[0].seat : null;
    this.picks = this.ends = false;
    if (this.opened) at("written").value = this.reworded(entry.entry, (one) => one.seat, nameWritten);
    keying.render();
    if (this.opened) at("opened").scrollIntoView({ block: "nearest" });
  }

  // The entry's seat, if it begins with one, and the words after it.
  get parts() {
    const [seat, ...rest] = this.opened.entry.split(" ");
    const known = this.keying.moment.seats.some((one) => one.seat === seat);
    return known ? { seat, rest } : { seat: null, rest: [] };
  }

  get layTile() {
    return this.parts.rest.length > 0 && TILE.test(this.parts.rest[0]);
  }

  get showsTiles() {
    return this.parts.rest[0] === "holds";
  }

  asTile(tile) {
    if (this.missing !== null) this.offer("insert", `${this.missing} ${tile}`);
    else if (!this.showsTiles) this.offer("change", `${this.parts.seat} ${tile}`);
    else {
      const [high, low] = tile.split("-"), is = (one) => one === tile || one === `${low}-${high}`;
      this.holds = this.holds.some(is) ? this.holds.filter((one) => !is(one)) : [...this.holds, tile];
      this.render();
    }
  }

  offer(deed, text) {
    this.keying.offer({ deed, at: this.opened.at - 1, text, label: "" });
  }

  change(deed) {
    if (!this.opened) return;
    if (deed === "tile" || deed === "end") {
      [this.picks, this.ends] = [deed === "tile" && !this.picks, deed === "end" && !this.ends];
      this.holds = this.showsTiles ? this.parts.rest.slice(1) : [];
      this.render();
      return;
    }
    if (deed === "draw" || deed === "pass") {
      this.offer("insert", `${this.parts.seat} ${deed}`);
      return;
    }
    if (deed === "tiles") {
      this.offer("change", [this.parts.seat, "holds", ...this.holds].join(" "));
      return;
    }
    if (deed === "number") {
      const number = at("number-now").value.trim(), place = this.numberAt, entry = this.opened.entry.split(" ");
      if (NUMBER.test(number)) this.offer("change", entry.map((one, at) => at === place ? number : one).join(" "));
      return;
    }
    const deletes = deed === "delete";
    const typed = deletes || deed === "rewind" ? "" : at("written").value.trim();
    const text = this.reworded(typed, nameWritten, (one) => one.seat);
    if (!text && !deletes && deed !== "rewind") return;
    const label = deletes ? words("history.deletes", { entry: this.opened.said.words }) : typed;
    this.keying.offer({ deed: deletes ? "change" : deed, at: this.opened.at - 1, text, label });
  }

  // The text with each seat's name replaced: `from` and `to` return a seat's name before and after, as
  // players may have new names. A name may have several words.
  reworded(text, from, to) {
    const { seats } = this.keying.moment, found = [];
    let words = text.split(" ");
    while (words.length) {
      const [seat, number] = named(seats, from, words);
      found.push(seat ? to(seat) : words[0]);
      words = words.slice(number);
    }
    return found.join(" ");
  }

  // The position of a number in the entry that can be corrected; -1 if there is none.
  get numberAt() {
    const parts = this.opened.entry.split(" ");
    return parts.map((one) => NUMBER.test(one)).lastIndexOf(true);
  }

  renderWays() {
    const { moment, keys, taps } = this.keying, { seat, rest } = this.parts, entry = this.opened.entry.split(" ");
    const shows = this.missing === null && this.showsTiles;
    at("other-tile").hidden = !this.layTile && !shows;
    write("other-tile", words(shows ? "history.other-tiles" : "history.other-tile"));
    at("other-tile").setAttribute("aria-expanded", this.picks);
    if (this.picks) this.picker.show({ set: keys.set, tiles: {}, stands: {} }, this.missing !== null ? [] : shows ? this.holds : [rest[0]], !taps);
    else at("other-tiles").hidden = at("other-halves").hidden = true;
    at("these-tiles").hidden = !shows || !this.picks;
    this.renderEnds();
    const takesTurn = this.layTile || rest[0] === "pass" || rest[0] === "draw";
    for (const deed of ["draw", "pass"]) {
      at(`forgotten-${deed}`).hidden = !takesTurn;
      write(`forgotten-${deed}`, seat ? words(deed === "draw" ? "history.forgotten" : "history.passed", { seat: this.keying.named(seat) }) : "");
    }
    const number = entry[this.numberAt];
    at("other-number").hidden = number === undefined || this.layTile;
    if (number !== undefined && document.activeElement !== at("number-now")) at("number-now").value = number;
    this.renderSeats();
  }

  // Offers the other ends, if the tile was laid somewhere else.
  renderEnds() {
    const { moment } = this.keying, { seat, rest } = this.parts, place = at("other-ends");
    at("other-end").hidden = !this.layTile || moment.table?.kind !== "line";
    at("other-end").setAttribute("aria-expanded", this.ends);
    clear(place);
    if (!this.ends) return;
    const arms = words("keyboard.arms").split(" ");
    ENDS.forEach((end, number) => {
      if (rest.includes(end)) return;
      button(place, "act", words("history.end", { end: arms[number] }), () => this.offer("change", `${seat} ${rest[0]} ${end}`));
    });
  }

  // Offers other seats for an entry: in place of its own or of one that it names. If the rules refuse a later
  // seat, the seats before it may have passed.
  renderSeats() {
    const { moment } = this.keying, { seat, rest } = this.parts, place = at("other-seats");
    const order = moment.seats.map((one) => one.seat), entry = this.opened.entry.split(" ");
    const named = entry.findIndex((one) => order.includes(one)), leads = entry[0] === "hand";
    const others = OF_ANY_SEAT.has(rest[0]) || this.layTile || leads;
    clear(place);
    for (const other of others && named >= 0 ? moment.seats : []) {
      if (other.seat === entry[named]) continue;
      const text = entry.map((one, at) => (at === named ? other.seat : one)).join(" ");
      button(place, "act", words("history.other-seat", { seat: other.shown }), () =>
        this.keying.offer({ deed: "change", at: this.opened.at - 1, text, label: "", instead: leads ? null : this.passed(seat, other.seat) }));
    }
  }

  // The change that inserts passes before the opened entry, by all seats from `first` until before `last`.
  passed(first, last) {
    const { seats } = this.keying.moment, order = seats.map((one) => one.seat);
    const number = (order.indexOf(last) - order.indexOf(first) + order.length) % order.length;
    const whose = order.map((_, at) => order[(order.indexOf(first) + at) % order.length]).slice(0, number);
    const label = words("history.passed", { seat: listed(whose.map((one) => this.keying.named(one))) });
    return { deed: "insert", at: this.opened.at - 1, text: whose.map((one) => `${one} pass`).join("\n"), label };
  }

  // Shows the entries that may be missing before the opened one: whose turn it was, and what happened.
  renderMissing() {
    const { moment, keys } = this.keying, place = at("missing");
    const stood = [...place.querySelectorAll("button")].indexOf(document.activeElement);
    clear(place);
    add(place, "h3", "", words("history.missing"));
    add(place, "p", "quiet", words("history.before", { entry: this.opened.said.words }));
    const whose = add(place, "p", "acts"), what = add(place, "p", "acts");
    for (const { seat, shown, colour: hue } of moment.seats) {
      const key = button(whose, "act whose-turn", shown, () => {
        this.missing = seat;
        this.render();
      });
      colour(key, hue);
      key.setAttribute("aria-pressed", seat === this.missing);
    }
    const name = this.keying.named(this.missing);
    for (const deed of ["pass", "draw"]) {
      const label = words(deed === "draw" ? "history.drew-here" : "history.passed-here", { seat: name });
      button(what, "act", label, () => this.offer("insert", `${this.missing} ${deed}`)).dataset.deed = deed;
    }
    const plays = button(what, "act", words("history.played-here", { seat: name }), () => {
      this.picks = !this.picks;
      this.render();
    });
    plays.hidden = !keys.set;
    plays.dataset.deed = "tile";
    plays.setAttribute("aria-expanded", this.picks);
    place.querySelectorAll("button")[stood]?.focus();
  }

  render() {
    at("opened").hidden = this.opened === null;
    at("opened").classList.toggle("in-gap", this.missing !== null);
    if (this.opened) this.renderWays();
    if (this.opened && this.missing !== null) this.renderMissing();
    if (this.opened) write("opened-said", this.opened.said.words);
    write("opened-by", this.opened?.by?.words ?? "");
    for (const line of at("entries").querySelectorAll("[data-at]")) {
      const open = Number(line.dataset.at) === this.opened?.at;
      line.classList.toggle("open", open && this.missing === null);
      line.classList.toggle("gap-open", open && this.missing !== null);
    }
  }
}

// The seat named by the first words, and the number of these words. Differences in capitals are ignored only
// if no name matches exactly.
function named(seats, from, words) {
  for (const inForm of [(name) => name, (name) => name.toLowerCase()]) {
    for (const seat of seats) {
      const name = written(from(seat)), number = words.length >= name.split("_").length ? name.split("_").length : 1;
      for (const many of [1, number]) {
        if (inForm(written(words.slice(0, many).join(" "))) === inForm(name)) return [seat, many];
      }
    }
  }
  return [null, 1];
}

// The name shown for a seat, as one word.
function nameWritten({ shown }) {
  return written(shown);
}

function lastOf(entries) {
  return entries[entries.length - 1];
}
