// Whose this page is: a seat's, the scorekeeper's, or a watcher's.

import { DEVICE, keep, recall } from "./memory.js";
import { add, at, clear, write } from "./parts.js";
import { words } from "./words.js";

export class Role {
  // `changed` is called when the page begins or ceases to key.
  constructor(changed) {
    this.changed = changed;
    this.wire = null;
    this.told = null;  // what the server says this page is
    at("who").addEventListener("change", () => this.wish(at("who").value));
    at("take-over").addEventListener("click", () => this.wish(this.wanted, true));
  }

  get plays() {
    return this.told !== null && this.told.name !== "watcher";
  }

  get seat() {
    return this.told?.seat ?? null;
  }

  // Whether that seat keys on a phone of its own.
  keysElsewhere(seat) {
    return Boolean(seat && this.seat && seat !== this.seat && this.told.taken.includes(seat));
  }

  // Whether that act is offered here: a call in one's own name only.
  mayKey({ name, by }) {
    return !this.seat || name !== "bogus" || by === this.seat;
  }

  // The first moment: who this page was, or on the box's own machine the scorekeeper.
  introduce() {
    if (this.told) return;
    this.told = { name: "watcher", seat: null, taken: [] };
    if (this.wire.access === "watch") return;
    const before = recall("role") ?? (here() ? "scorekeeper" : "watcher");
    if (before !== "watcher") this.wish(before);
  }

  // The connection is there again.
  sayAgain() {
    if (this.told && this.wire.access === "play") this.wish(this.wished, true);
  }

  wish(wanted, over = false) {
    keep("role", wanted);
    const name = wanted.startsWith("seat ") ? "seat" : wanted;
    const role = name === "seat" ? { name, seat: wanted.slice(5), over, device: DEVICE } : { name, device: DEVICE };
    this.wire.send({ role });
  }

  placed(told) {
    const played = this.plays;
    this.told = told;
    const wanted = recall("role") ?? "";
    const taken = told.said?.key === "answer.seat-taken";
    at("take-over").hidden = !taken;
    if (taken) this.wanted = wanted;
    if (told.said) write("answer", told.said.words);
    if (told.said) keep("role", "watcher");
    if (played !== this.plays) this.changed();
  }

  get wished() {
    return this.told.name === "seat" ? `seat ${this.told.seat}` : this.told.name;
  }

  render(seats) {
    const select = at("who"), wanted = [["watcher", words("role.watcher")], ["scorekeeper", words("role.scorekeeper")]];
    for (const seat of seats) wanted.push([`seat ${seat.seat}`, words("role.seat", { seat: seat.shown })]);
    const drawn = JSON.stringify(wanted);
    if (select.dataset.drawn !== drawn) {
      select.dataset.drawn = drawn;
      clear(select);
      for (const [value, text] of wanted) add(select, "option", "", text).value = value;
    }
    if (this.told) select.value = this.wished;
  }
}

function here() {
  return ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
}
