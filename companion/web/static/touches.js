// Whether a tap was meant for the key under the finger.

import { has } from "./acts.js";

const SURE_MS = 450;  // a tap sooner than this after a change under the finger was meant for what was there before
const ONE_TOUCH_MS = 100;  // no finger taps the same key twice so quickly

export class Touches {
  constructor() {
    this.newAt = 0;  // when the table moved on
    this.stood = [];  // the acts that could be tapped just before the table moved on
    this.touched = { key: "", at: 0 };  // the act that was tapped last
  }

  // The table has moved on; `acts` could be tapped until now.
  moved(acts) {
    if (this.isSure) this.stood = acts;
    this.newAt = performance.now();
  }

  // Whether the tap is the same touch as the one before.
  isOne(key) {
    const before = this.touched;
    this.touched = { key, at: performance.now() };
    return before.key === key && this.touched.at - before.at < ONE_TOUCH_MS;
  }

  // Whether a tap was meant for this act, whose key may have just changed.
  meant(act) {
    return this.isSure || has(this.stood, act);
  }

  get isSure() {
    return performance.now() - this.newAt >= SURE_MS;
  }
}
