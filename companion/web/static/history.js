// The history: entries older than the latest, and an earlier one that was tapped, with what may be
// done to it.

import { at, write } from "./parts.js";
import { words } from "./words.js";
import { showEntries } from "./telling.js";

export class History {
  constructor(keying) {
    this.keying = keying;
    this.opened = null;
    this.older = [];  // those that were asked for, the newest of them first
    this.game = null;
    at("older").addEventListener("click", () => this.askOlder());
    at("change").addEventListener("submit", (event) => event.preventDefault());
    at("change").addEventListener("click", (event) => {  // Enter clicks the first one
      const key = event.target.closest("button");
      if (key) this.change(key.value);
    });
    at("entries").addEventListener("click", (event) => {
      const line = event.target.closest("[data-at]");
      if (line) this.open(Number(line.dataset.at));
    });
  }

  // An entry that is looked at stays open as long as it is the same one. Older ones stay as long as
  // they follow on the latest and nothing was changed.
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
    this.keying.wire.send({ panel: { name: "older", before: lastOf(this.entries).at } });
  }

  // The answer: entries before one of ours.
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
    if (this.opened) at("written").value = entry.entry;
    keying.render();
    if (this.opened) at("opened").scrollIntoView({ block: "nearest" });
  }

  change(deed) {
    if (!this.opened) return;
    const deletes = deed === "delete";
    const text = deletes || deed === "rewind" ? "" : at("written").value.trim();
    if (!text && !deletes && deed !== "rewind") return;
    const label = deletes ? words("history.deletes", { entry: this.opened.said.words }) : text;
    this.keying.offer({ deed: deletes ? "change" : deed, at: this.opened.at - 1, text, label });
  }

  render() {
    at("opened").hidden = this.opened === null;
    if (this.opened) write("opened-said", this.opened.said.words);
    write("opened-by", this.opened?.by?.words ?? "");
    for (const line of at("entries").querySelectorAll("[data-at]")) {
      line.classList.toggle("open", Number(line.dataset.at) === this.opened?.at);
    }
  }
}

function lastOf(entries) {
  return entries[entries.length - 1];
}
