// Draws that are tapped one after the other: they are counted, and entered together.

import { nameOf, sameOf } from "./acts.js";
import { write } from "./parts.js";
import { words } from "./words.js";

const TOGETHER_MS = 700;  // draws that follow each other so soon are one entry

export class Draws {
  constructor(keying) {
    this.keying = keying;
    this.counted = null;  // draws being counted until no more come: {act, number, timer}
  }

  get begun() {
    return this.counted !== null;
  }

  // Counts one more draw. Draws are entered together, once no more come or something else is tapped.
  count(act) {
    const { keying } = this, before = this.stop(), seat = keying.named(act.seat);
    const number = Math.min(before + 1, act.most);
    const said = before < act.most ? words("keying.draws", { seat, number }) : words("keying.all-drawn", { seat, number });
    keying.forget();
    this.counted = { act, number, timer: setTimeout(() => this.enter(), TOGETHER_MS) };
    write("answer", said);
    keying.render();
  }

  // Ends the counting of draws; gives how many there were.
  stop() {
    const { number, timer } = this.counted ?? { number: 0 };
    clearTimeout(timer);
    this.counted = null;
    return number;
  }

  enter() {
    const { keying } = this, { act } = this.counted, number = this.stop();
    const there = sameOf(keying.keys.acts, act);
    if (!there || there.most < number) {
      write("answer", words("keying.no-longer", { what: act.label.words }));
      keying.render();
      return;
    }
    const text = number > 1 ? `${act.entry} ${number}` : act.entry;
    keying.doing.begin({ text, label: act.label.words, deed: act.deed, at: act.at, tap: true });
    keying.propose();
  }

  // How many draws have been counted on that act's key.
  of(act) {
    return this.counted && nameOf(this.counted.act) === nameOf(act) ? this.counted.number : 0;
  }
}
