// The question of another phone whether this phone's seat agrees to a ruling of the table.

import { at, write } from "./parts.js";
import { words } from "./words.js";

export class Agreeing {
  constructor(keying) {
    this.keying = keying;
    this.asked = null;  // {number, said}; number null: `said` is how our own question was answered
    at("agree").addEventListener("click", () => this.agree());
    at("disagree").addEventListener("click", () => this.decline());
  }

  told(asked) {
    this.asked = asked;
    if (asked && asked.number === null) write("answer", asked.said.words);
  }

  agree() {
    const { number } = this.asked;
    if (!this.keying.takes(() => this.agree(), false)) return;
    this.keying.does({ agrees: number });
  }

  decline() {
    if (!this.keying.wire.send({ decline: this.asked.number })) write("answer", words("keying.no-link"));
  }

  render() {
    const number = this.asked?.number ?? null;
    at("agreeing").hidden = number === null;
    write("agree-asked", number === null ? "" : this.asked.said.words);
    at("agree").setAttribute("aria-disabled", !this.keying.taps);
  }
}
