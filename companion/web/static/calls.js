// What the club's organiser shows on every TV above everything else: calls, and the time until the next round.

import { add, clear, words } from "./elements.js";

export const inMinutes = (left) => ({ minutes: Math.floor(left / 60), seconds: String(left % 60).padStart(2, "0") });

// How long it is until the next round.
export const breakWords = (number, left) => (left ? words("round.next-in", { number, ...inMinutes(left) }) : words("round.next-now", { number }));

// Each call is a line of its own; the style's --calls is the height that all of them take. `changed` is
// called whenever that height has changed.
export class Calls {
  constructor(changed = () => {}) {
    this.changed = changed;
    this.place = add(document.body, "div", "look-here");
    this.show([]);
  }

  show(texts) {
    const told = JSON.stringify(texts), { place } = this, before = place.offsetHeight;
    if (place.dataset.shown === told) return;
    place.dataset.shown = told;
    clear(place);
    for (const text of texts) add(place, "p", "", text);
    place.hidden = !texts.length;
    document.body.classList.toggle("called", texts.length > 0);
    if (place.offsetHeight === before) return;
    document.body.style.setProperty("--calls", `${place.offsetHeight}px`);
    this.changed(place.offsetHeight);
  }
}

// The calls of a TV with tables, which also counts down to the next round.
export class TvCalls {
  constructor() {
    this.calls = new Calls(() => document.dispatchEvent(new CustomEvent("calls")));  // event_board.js at a hub
    this.told = {};
    this.heardAt = 0;
    setInterval(() => this.show(), 500);
  }

  take(told) {
    this.told = told;
    this.heardAt = performance.now();
    this.show();
  }

  show() {
    const { texts = [], round = null, left_s = null } = this.told;
    const left = Math.max(0, Math.round(left_s - (performance.now() - this.heardAt) / 1000));
    this.calls.show(round === null ? texts : [...texts, breakWords(round, left)]);
  }
}
