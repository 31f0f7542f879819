// Whose this page is: a seat's, the scorekeeper's, or a watcher's.

import { DEVICE, add, at, button, clear, colour, keep, recall, words, write } from "./elements.js";

export class Role {
  // `changed` is called when the page begins or ceases to key.
  constructor(changed, chose) {
    this.changed = changed;
    this.chose = chose;  // called once somebody has said whose page this is
    this.wire = null;
    this.told = null;  // the role that the server last gave this page
    this.chosen = null;  // the role that somebody has chosen here; null: nobody has yet
    this.asks = false;  // whether “Who are you?” is shown
    this.until = null;  // the role until somebody has chosen
    at("who").addEventListener("change", () => this.wish(at("who").value));
    at("take-over").addEventListener("click", () => this.wish(this.wanted, true));
  }

  get plays() {
    return this.told !== null && this.told.name !== "watcher";
  }

  get seat() {
    return this.told?.seat ?? null;
  }

  // Whether the seat keys on another phone of its own.
  keysElsewhere(seat) {
    return Boolean(seat && this.seat && seat !== this.seat && this.told.taken.includes(seat));
  }

  // Whether an act is offered on this page; a call only to the seat in whose name it is made.
  mayKey({ name, by }) {
    return !this.seat || name !== "bogus" || by === this.seat;
  }

  // Takes the first moment. The page gets the role that it had before or, on the box's own machine, the
  // scorekeeper's. If there is none yet, “Who are you?” is asked once there is a game; before that, anybody
  // may begin one.
  introduce(moment) {
    const comes = this.told === null;
    if (comes) this.told = { name: "watcher", seat: null, taken: [] };
    if (this.wire.access === "watch") return;
    if (comes) {
      this.chosen = recall("role") ?? (this.wire.invited ? null : "scorekeeper");
      if (this.chosen !== null) this.wish(this.chosen);
    }
    const on = moment.game !== null && !moment.finished, { name, seat } = this.told;
    const gone = name === "seat" && !moment.seats.some((one) => one.seat === seat);
    const asks = on && (this.chosen === null || gone);
    if (asks && !this.asks) scrollTo(0, 0);
    this.asks = asks;
    if (this.chosen === null) this.isUntilThen(on ? "watcher" : "scorekeeper");
  }

  isUntilThen(name) {
    if (this.until === name) return;
    this.until = name;
    this.wire.send({ role: { name, device: DEVICE } });
  }

  // Tells the server the role again, as the connection is back.
  sayAgain() {
    this.until = null;
    if (this.chosen !== null && this.wire.access === "play") this.wish(this.wished, true);
  }

  wish(wanted, over = false) {
    keep("role", wanted);
    this.chosen = this.wanted = wanted;
    this.asks = false;
    const name = wanted.startsWith("seat ") ? "seat" : wanted;
    const role = name === "seat" ? { name, seat: wanted.slice(5), over, device: DEVICE } : { name, device: DEVICE };
    this.wire.send({ role });
  }

  placed(told) {
    const played = this.plays, before = this.told?.said;
    this.told = told;
    at("take-over").hidden = told.said?.key !== "answer.seat-taken";
    if (told.said) {
      write("answer", told.said.words);
      this.chosen = told.name === "watcher" ? null : this.wished;
      this.until = "watcher";
      keep("role", this.chosen);
    } else if (before && at("answer").textContent === before.words) {
      write("answer", "");
    }
    if (played !== this.plays) this.changed();
  }

  get wished() {
    return this.told.name === "seat" ? `seat ${this.told.seat}` : this.told.name;
  }

  // Shows “Who are you?” with the names as large keys, and a key for only watching.
  renderComing(seats) {
    const place = at("coming"), drawn = JSON.stringify([seats.map(({ seat, shown, colour }) => [seat, shown, colour]), this.told.taken]);
    place.hidden = !this.asks;
    if (place.hidden || place.dataset.drawn === drawn) return;
    place.dataset.drawn = drawn;
    const names = at("names");
    clear(names);
    for (const one of seats) {
      const key = button(names, "name", "", () => this.choose(`seat ${one.seat}`));
      add(key, "span", "who", one.shown);
      if (this.told.taken.includes(one.seat)) add(key, "span", "quiet", words("coming.taken"));
      colour(key, one.colour);
    }
    button(names, "watch", words("coming.watch"), () => this.choose("watcher"));
    button(names, "watch", words("role.scorekeeper"), () => this.choose("scorekeeper"));
  }

  choose(wanted) {
    this.wish(wanted);
    this.chose();
  }

  render(seats) {
    this.renderComing(seats);
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
