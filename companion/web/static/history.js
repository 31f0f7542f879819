// The history: entries older than the latest, and the entry that was tapped, with what may be done to it.

import { add, at, button, clear, words, write } from "./elements.js";
import { Picker } from "./entry_keys.js";
import { showEntries } from "./show_moment.js";

// Names of players that can be changed by a tap: in the unfinished games, and below a new game.

const LONGEST_NAME = 24;

// The name as one word, as a tally has it.
export function written(name) {
  return name.normalize("NFC").trim().replace(/\s+/g, "_");
}

export function readable(name) {
  return name.replace(/_/g, " ");
}

// Adds a name that opens a form in `place` when it is tapped; `label` is the text shown.
export function addName(parent, place, name, label, keying) {
  button(parent, "player", label, () => askForName(place, name, readable(name), keying)).setAttribute("aria-haspopup", "true");
}

// Shows all known players, and the names that count as another's.
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

// Asks for a new name for the player `name`, now shown as `called`; `sits` is called if somebody else sits
// there.
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
const OF_ANY_SEAT = new Set(["draw", "pass", "points"]);

export class History {
  constructor(keying) {
    this.keying = keying;
    this.opened = null;
    this.older = [];  // the older entries that were asked for, the newest first
    this.game = null;
    this.picks = false;  // whether the picker is open for another tile
    this.picker = new Picker((tile) => this.asTile(tile), "other-tiles", "other-halves");
    this.picker.changed = () => this.render();
    at("older").addEventListener("click", () => this.askOlder());
    at("change").addEventListener("submit", (event) => event.preventDefault());
    at("change").addEventListener("click", (event) => {  // Enter clicks the first one
      const key = event.target.closest("button");
      if (key?.value) this.change(key.value);
    });
    at("entries").addEventListener("click", (event) => {
      const line = event.target.closest("[data-at]");
      if (line) this.open(Number(line.dataset.at));
    });
  }

  // Takes a moment. The entry that is open stays open as long as it is the same one. Older entries stay as
  // long as they follow on the latest and nothing was changed.
  told(moment) {
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
    this.keying.wire.ask("older", { panel: { name: "older", before: lastOf(this.entries).at } });
  }

  // Takes the answer: entries before one of ours.
  heard({ before, entries = [] }) {
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

  open(number) {
    const { keying } = this;
    const entry = this.entries.find((one) => one.at === number);
    if (!entry || entry.entry === null || !keying.takes(() => this.open(number), true)) return;
    keying.forget();
    write("answer", "");
    this.opened = this.opened?.at === number ? null : entry;
    this.picks = false;
    if (this.opened) at("written").value = this.reworded(entry.entry, (one) => one.seat, nameWritten);
    keying.render();
    if (this.opened) at("opened").scrollIntoView({ block: "nearest" });
  }

  // The seat with which the entry begins, and the words that follow; no seat if it begins with none.
  get parts() {
    const [seat, ...rest] = this.opened.entry.split(" ");
    const known = this.keying.moment.seats.some((one) => one.seat === seat);
    return known ? { seat, rest } : { seat: null, rest: [] };
  }

  get layTile() {
    return this.parts.rest.length > 0 && TILE.test(this.parts.rest[0]);
  }

  asTile(tile) {
    this.offer("change", `${this.parts.seat} ${tile}`);
  }

  offer(deed, text) {
    this.keying.offer({ deed, at: this.opened.at - 1, text, label: "" });
  }

  change(deed) {
    if (!this.opened) return;
    if (deed === "tile") {
      this.picks = !this.picks;
      this.render();
      return;
    }
    if (deed === "draw") {
      this.offer("insert", `${this.parts.seat} draw`);
      return;
    }
    const deletes = deed === "delete";
    const typed = deletes || deed === "rewind" ? "" : at("written").value.trim();
    const text = this.reworded(typed, nameWritten, (one) => one.seat);
    if (!text && !deletes && deed !== "rewind") return;
    const label = deletes ? words("history.deletes", { entry: this.opened.said.words }) : typed;
    this.keying.offer({ deed: deletes ? "change" : deed, at: this.opened.at - 1, text, label });
  }

  // The text with each seat's name by `from` replaced by its name by `to`, as players may have other names
  // now. A name may be in several words.
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

  renderWays() {
    const { moment, keys, taps } = this.keying, { seat, rest } = this.parts;
    at("other-tile").hidden = !this.layTile;
    at("other-tile").setAttribute("aria-expanded", this.picks);
    if (this.picks) this.picker.show({ set: keys.set, tiles: {}, stands: {} }, [rest[0]], !taps);
    else at("other-tiles").hidden = at("other-halves").hidden = true;
    at("forgotten-draw").hidden = !this.layTile && rest[0] !== "pass";
    write("forgotten-draw", seat ? words("history.forgotten", { seat: this.keying.named(seat) }) : "");
    const place = at("other-seats"), others = OF_ANY_SEAT.has(rest[0]) || this.layTile;
    clear(place);
    for (const other of others ? moment.seats : []) {
      if (other.seat === seat) continue;
      button(place, "act", words("history.other-seat", { seat: other.shown }), () => this.offer("change", [other.seat, ...rest].join(" ")));
    }
  }

  render() {
    at("opened").hidden = this.opened === null;
    if (this.opened) this.renderWays();
    if (this.opened) write("opened-said", this.opened.said.words);
    write("opened-by", this.opened?.by?.words ?? "");
    for (const line of at("entries").querySelectorAll("[data-at]")) {
      line.classList.toggle("open", Number(line.dataset.at) === this.opened?.at);
    }
  }
}

// The seat that the first words name, and how many words that is; one in other capitals only if no seat
// is called exactly so.
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

// The name by which people read a seat, in one word.
function nameWritten({ shown }) {
  return written(shown);
}

function lastOf(entries) {
  return entries[entries.length - 1];
}
