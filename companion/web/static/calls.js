// The key BOGUS: who calls whom.

import { at, write } from "./parts.js";
import { words } from "./words.js";

export class Calls {
  constructor(tray) {
    this.tray = tray;
    this.asks = false;  // whether BOGUS was tapped, so that the page asks who calls whom
    at("call").addEventListener("click", () => this.call());
  }

  rest() {
    this.asks = false;
  }

  get possible() {
    const { keys, role } = this.tray.keying;
    return keys.acts.filter((act) => act.name === "bogus" && role.mayKey(act));
  }

  // BOGUS was tapped: makes the only possible call, or asks who calls whom.
  call() {
    const { possible } = this, { keying } = this.tray;
    if (!possible.length) write("answer", words("keying.no-call"));
    else if (possible.length === 1) keying.tap(possible[0]);
    else this.asks = !this.asks;
    keying.render();
  }

  render() {
    const { possible, tray } = this, { keying } = tray, open = this.asks && possible.length > 1;
    at("call").hidden = !possible.length && !keying.keys.calls;
    at("call").setAttribute("aria-disabled", !keying.taps || !possible.length);
    at("call").setAttribute("aria-expanded", open);
    at("calls").hidden = !open;
    tray.renderActs(at("calls"), open ? possible : []);
  }
}
