// What waits for its turn until the last proposal is answered: taps, and an act that is held while there is
// no connection.

import { nameOf } from "./acts.js";
import { words } from "./words.js";

const MOST_WAITING = 8;

export class Waiting {
  constructor() {
    this.queue = [];  // {run, act, hold}
  }

  get any() {
    return this.queue.length > 0;
  }

  get full() {
    return this.queue.length >= MOST_WAITING;
  }

  add(one) {
    this.queue.push(one);
  }

  take() {
    return this.queue.shift();
  }

  clear() {
    this.queue = [];
  }

  // From now on only this waits.
  hold(run) {
    this.queue = [{ run, act: null, hold: true }];
  }

  // Keeps only the last of those that can be held; returns whether others were lost.
  keepHeld() {
    const held = this.queue.filter(({ hold }) => hold).slice(-1), lost = this.queue.length > held.length;
    this.queue = held;
    return lost;
  }

  // Drops taps that wait for a proposal that did not count, and says so.
  dropTaps() {
    const taps = this.queue.filter(({ act }) => act);
    this.queue = this.queue.filter(({ act }) => !act);
    return taps.map(({ act }) => words("keying.no-longer", { what: act.label.words }));
  }

  // How many taps on that act's key wait.
  of(act) {
    return this.queue.filter((one) => one.act && nameOf(one.act) === nameOf(act)).length;
  }
}
