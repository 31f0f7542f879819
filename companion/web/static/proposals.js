// What is proposed to the box, exactly once: with an identity and the moment that was seen. Nothing is
// kept for later; after a connection was lost the page only asks what became of its last proposal.

import { keep, recall, SURFACE } from "./memory.js";

export class Proposals {
  constructor() {
    this.wire = null;
    this.number = 0;
    this.pending = recall("pending", "sessionStorage");
  }

  // False where there is no connection: then nothing is proposed.
  propose({ run, game, tip }, { deed, at: place, text, later_turns: turns, again = false, agreed = false, agrees }) {
    this.number += 1;
    const pending = { surface: SURFACE, run, number: this.number };
    if (!this.wire.send({ propose: { ...pending, game: game ?? 0, tip, deed, at: place, text, later_turns: turns ?? 0, again, agreed, agrees } })) return false;
    this.pending = pending;
    keep("pending", pending, "sessionStorage");
    return true;
  }

  askAgain() {
    if (!this.pending) return;
    const { surface, run, number } = this.pending;
    this.wire.send({ became: { surface, run, number } });
  }

  // Whether that is the answer to what was proposed last.
  answered(answer) {
    const about = this.pending;
    if (!about || about.surface !== answer.surface || about.number !== answer.number) return false;
    this.pending = null;
    keep("pending", null, "sessionStorage");
    return true;
  }
}
