// The calls of a club's organiser, which every TV shows above everything else, with the time until the next
// round.

import { add, clear, words } from "./elements.js";

export const inMinutes = (left) => ({ minutes: Math.floor(left / 60), seconds: String(left % 60).padStart(2, "0") });

// The text about the time until the next round.
export const breakWords = (number, left) => (left ? words("round.next-in", { number, ...inMinutes(left) }) : words("round.next-now", { number }));

// Shows each call as a line; the style property --calls is the height of all of them. `changed` is called
// whenever that height has changed.
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

// The calls on a TV with tables, with the countdown to the next round.
export class TvCalls {
  constructor() {
    this.calls = new Calls(() => document.dispatchEvent(new CustomEvent("calls")));  // event_board.js at a hub
    this.announced = {};
    this.heardAt = 0;
    setInterval(() => this.show(), 500);
  }

  update(announced) {
    this.announced = announced;
    this.heardAt = performance.now();
    this.show();
  }

  show() {
    const { texts = [], round = null, left_s = null } = this.announced;
    const left = Math.max(0, Math.round(left_s - (performance.now() - this.heardAt) / 1000));
    this.calls.show(round === null ? texts : [...texts, breakWords(round, left)]);
  }
}
