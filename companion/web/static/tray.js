// What can be keyed now: tiles, digits, and what takes one tap.

import { Picker } from "./picker.js";
import { add, at, button, clear, colour, write } from "./parts.js";

const MAIN = new Set(["out", "draw", "pass", "return", "deal", "deal-lead", "rule-bogus", "rule-clear"]);

export class Tray {
  constructor(keying) {
    this.keying = keying;
    this.chosen = [];  // tiles
    this.seat = null;  // for whom, where any seat may be keyed for
    this.picker = new Picker(at("tiles"), (tile) => this.tap(tile));
    at("holds").addEventListener("click", () => this.showHolding());
    at("numbers").addEventListener("submit", (event) => {
      event.preventDefault();
      this.enterNumber(at("digits").value.trim());
    });
  }

  tap(tile) {
    const { keying } = this;
    if (!keying.ready) return;
    if (keying.keys.asks === "show") {
      const chosen = this.chosen.includes(tile) ? this.chosen.filter((one) => one !== tile) : [...this.chosen, tile];
      keying.forget();
      this.chosen = chosen;
      keying.render();
      return;
    }
    const seat = keying.keys.seat ?? this.seat;
    if (!seat) {
      write("answer", "Who lays it?");
      return;
    }
    this.chosen = [tile];
    keying.offer({ text: `${seat} ${tile}`, label: "" });
  }

  showHolding() {
    const { keying } = this;
    if (keying.ready) keying.offer({ text: [`${keying.keys.seat} holds`, ...this.chosen].join(" "), label: "" });
  }

  enterNumber(digits) {
    const { keying } = this;
    if (!keying.ready || !/^[0-9][0-9 ]*$/.test(digits)) return;
    const seat = keying.keys.seat ?? this.seat;
    if (!seat) return;
    const kind = at("kind").value;
    const text = kind === "ends" ? [...digits.replace(/ /g, "")].join(" ") : digits;
    this.chosen = [];
    keying.offer({ text: `${seat} ${kind} ${text}`, label: "" });
  }

  render() {
    const { keys, moment, role, ready } = this.keying;
    const lays = keys.asks === "lay", shows = keys.asks === "show";
    const other = role.keysElsewhere(keys.seat);
    at("tiles").hidden = !(lays || shows) || other;
    at("tiles").setAttribute("aria-label", lays ? "Which tile?" : "Which tiles are shown?");
    this.picker.show(keys.tiles, this.chosen, !ready);
    this.renderSeats(lays && keys.seat === null);
    at("holds").hidden = !shows;
    at("holds").textContent = this.chosen.length ? `Shows ${this.chosen.join(" ")}` : "Shows no tile";
    at("numbers").hidden = !(lays || shows) || other;
    const kinds = lays ? "ends" : "pips";
    if (at("kind").dataset.kinds !== kinds) this.renderKinds(kinds);
    this.renderActs(at("acts"), keys.acts.filter(({ name }) => MAIN.has(name)));
    const rest = keys.acts.filter(({ name, by }) => !MAIN.has(name) && !(name === "bogus" && role.seat && by !== role.seat));
    this.renderActs(at("more-acts"), rest);
    this.renderChange("take-back", moment.undo, "Take back: ");
    this.renderChange("do-again", moment.redo, "Do again: ");
  }

  renderSeats(any) {
    const { keying } = this, place = at("whose");
    place.hidden = !any;
    clear(place);
    if (!any) return;
    for (const seat of keying.moment.seats) {
      const key = button(place, "choice", seat.shown, () => {
        this.seat = seat.seat;
        write("answer", "");
        keying.render();
      });
      colour(key, seat.colour);
      key.setAttribute("aria-pressed", this.seat === seat.seat);
    }
  }

  renderKinds(kinds) {
    const select = at("kind");
    select.dataset.kinds = kinds;
    clear(select);
    const texts = kinds === "ends" ? [["ends", "the open ends"], ["count", "the count"]] : [["pips", "the pips held"]];
    for (const [value, text] of texts) add(select, "option", "", text).value = value;
    at("digits").value = "";
  }

  renderActs(place, acts) {
    const { keying } = this;
    const drawn = JSON.stringify([acts.map(({ entry }) => entry), keying.ready]);
    if (place.dataset.drawn === drawn) return;
    place.dataset.drawn = drawn;
    clear(place);
    for (const act of acts) {
      const key = button(place, `act ${act.name}`, act.label.words, () => keying.once(act));
      key.setAttribute("aria-disabled", !keying.ready);
    }
  }

  renderChange(id, change, before) {
    at(id).hidden = !change;
    at(id).textContent = change ? `${before}${change.words}` : "";
    at(id).setAttribute("aria-disabled", !this.keying.ready);
  }
}
