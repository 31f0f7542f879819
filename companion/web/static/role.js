// The page's role: a seat, the scorekeeper, or a watcher.

import { DEVICE, add, at, button, clear, colour, keep, recall, words, write } from "./elements.js";

export class Role {
  // `changed` is called when the page gets or loses the right to enter.
  constructor(changed, chose) {
    this.changed = changed;
    this.chose = chose;  // called once somebody has chosen the page's role
    this.connection = null;
    this.given = null;  // the role that the server last gave this page
    this.chosen = null;  // the role chosen on this page; null before that
    this.asks = false;  // whether “Who are you?” is shown
    this.until = null;  // the default role until somebody has chosen
    at("who").addEventListener("change", () => this.wish(at("who").value));
    at("take-over").addEventListener("click", () => this.wish(this.wanted, true));
  }

  get plays() {
    return this.given !== null && this.given.name !== "watcher";
  }

  get seat() {
    return this.given?.seat ?? null;
  }

  // Whether the seat has another phone of its own.
  keysElsewhere(seat) {
    return Boolean(seat && this.seat && seat !== this.seat && this.given.taken.includes(seat));
  }

  // Whether this page offers an act. A call is offered only to the seat that makes it.
  mayKey({ name, by }) {
    return !this.seat || name !== "bogus" || by === this.seat;
  }

  // Receives a moment and, with the first one, sets the page's role: its previous one or, on the box's own
  // machine, the scorekeeper's. Without a role the page asks “Who are you?” once there is a game; before
  // that, anybody may begin one.
  introduce(moment) {
    const comes = this.given === null;
    if (comes) this.given = { name: "watcher", seat: null, taken: [] };
    if (this.connection.access === "watch") return;
    if (comes) {
      this.chosen = recall("role") ?? (this.connection.invited ? null : "scorekeeper");
      if (this.chosen !== null) this.wish(this.chosen);
    }
    const on = moment.game !== null && !moment.finished, { name, seat } = this.given;
    const gone = name === "seat" && !moment.seats.some((one) => one.seat === seat);
    const asks = on && (this.chosen === null || gone);
    if (asks && !this.asks) scrollTo(0, 0);
    this.asks = asks;
    if (this.chosen === null) this.isUntilThen(on ? "watcher" : "scorekeeper");
  }

  isUntilThen(name) {
    if (this.until === name) return;
    this.until = name;
    this.connection.send({ role: { name, device: DEVICE } });
  }

  // Sends the server the role again after a reconnection.
  sayAgain() {
    this.until = null;
    if (this.chosen !== null && this.connection.access === "play") this.wish(this.wished, true);
  }

  wish(wanted, over = false) {
    keep("role", wanted);
    this.chosen = this.wanted = wanted;
    this.asks = false;
    const name = wanted.startsWith("seat ") ? "seat" : wanted;
    const role = name === "seat" ? { name, seat: wanted.slice(5), over, device: DEVICE } : { name, device: DEVICE };
    this.connection.send({ role });
  }

  placed(given) {
    const played = this.plays, before = this.given?.said;
    this.given = given;
    at("take-over").hidden = given.said?.key !== "answer.seat-taken";
    if (given.said) {
      write("answer", given.said.words);
      this.chosen = given.name === "watcher" ? null : this.wished;
      this.until = "watcher";
      keep("role", this.chosen);
    } else if (before && at("answer").textContent === before.words) {
      write("answer", "");
    }
    if (played !== this.plays) this.changed();
  }

  get wished() {
    return this.given.name === "seat" ? `seat ${this.given.seat}` : this.given.name;
  }

  // Shows “Who are you?” with the names as large keys, and a key for just watching.
  renderComing(seats) {
    const place = at("coming"), drawn = JSON.stringify([seats.map(({ seat, shown, colour }) => [seat, shown, colour]), this.given.taken]);
    place.hidden = !this.asks;
    if (place.hidden || place.dataset.drawn === drawn) return;
    place.dataset.drawn = drawn;
    const names = at("names");
    clear(names);
    for (const one of seats) {
      const key = button(names, "name", "", () => this.choose(`seat ${one.seat}`));
      add(key, "span", "who", one.shown);
      if (this.given.taken.includes(one.seat)) add(key, "span", "quiet", words("coming.taken"));
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
    if (this.given) select.value = this.wished;
  }
}
