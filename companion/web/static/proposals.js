// Proposals to the box, each of which counts once at most: it has an identity, and the moment that the
// player saw. Nothing is kept for later: after a lost connection the page only asks what became of its last
// proposal.

import { keep, recall, SURFACE } from "./memory.js";

export class Proposals {
  constructor() {
    this.wire = null;
    this.number = 0;
    this.pending = recall("pending", "sessionStorage");
  }

  // Proposes an act; false: there is no connection, so nothing was proposed.
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

  // Takes an answer; returns whether it is the one to the last proposal.
  answered(answer) {
    const about = this.pending;
    if (!about || about.surface !== answer.surface || about.number !== answer.number) return false;
    this.pending = null;
    keep("pending", null, "sessionStorage");
    return true;
  }
}
