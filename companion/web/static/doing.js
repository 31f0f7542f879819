// What OK would do: the act that was begun, what it comes to, or the ends to choose from.

import { add, at, button, clear } from "./parts.js";

const ARMS = { left: "left", right: "right", up: "up", down: "down" };

export class Doing {
  constructor(keying) {
    this.keying = keying;
    this.act = null;  // {text, label, deed, at, tap, again}
    this.preview = null;
    this.previews = 0;
    at("ok").addEventListener("click", () => keying.ok());
    at("cancel").addEventListener("click", () => keying.drop());
    at("board").addEventListener("click", (event) => {
      const end = event.target.closest("[data-arm]");
      const choice = end && this.preview?.choices?.find(({ arm }) => arm === end.dataset.arm);
      if (choice) this.pick(choice);
    });
  }

  begin(act) {
    this.act = { deed: "enter", at: 0, later_turns: null, ...act };
    this.preview = null;
  }

  forget() {
    this.act = null;
    this.preview = null;
  }

  // Another surface has just entered the same: OK says that it is meant once more.
  askOnceMore() {
    this.act = { ...this.act, tap: false, again: true };
    this.ask();
  }

  // What it comes to is asked, or asked anew.
  ask() {
    const { deed, at: place, text, later_turns: turns } = this.act;
    this.previews += 1;
    this.preview = null;
    this.keying.wire.send({ preview: { id: this.previews, deed, at: place, text, later_turns: turns ?? 0 } });
  }

  // Whether that is what was asked last.
  previewed(preview) {
    if (preview.id !== this.previews) return false;
    this.preview = preview;
    return true;
  }

  pick(choice) {
    this.keying.offer({ ...this.act, text: choice.entry });
  }

  get isClear() {
    const { act, preview } = this;
    return act !== null && preview !== null && !preview.refused && !preview.choices && !this.asksTurns;
  }

  // Whether it is still open what becomes of the later turns.
  get asksTurns() {
    return Boolean(this.preview?.later) && this.act.later_turns === null;
  }

  render() {
    const { act, preview } = this;
    at("doing").hidden = !act || act.tap === true;
    const list = at("meaning");
    clear(list);
    clear(at("choices"));
    for (const end of at("board").querySelectorAll("[data-arm]")) end.classList.remove("pick");
    if (!act) return;
    const refused = preview?.refused;
    at("doing").classList.toggle("refused", Boolean(refused));
    if (refused) add(list, "li", "refusal", refused.words);
    this.renderMeaning(list);
    for (const choice of preview?.choices ?? []) {
      const where = choice.arm ? ARMS[choice.arm] : `ends ${choice.ends.join(" ")}`;
      const why = choice.why ? choice.why.words.replace(/^.*: /, "") : choice.count;
      button(at("choices"), "choice", `${where}: ${why}`, () => this.pick(choice));
      if (choice.arm) at("board").querySelector(`[data-arm="${choice.arm}"]`)?.classList.add("pick");
    }
    if (preview?.choices) add(list, "li", "", "On which end?");
    for (const way of preview?.later ?? []) {
      const key = button(at("choices"), "choice", `${way.said.words}: ${way.then.words}`, () =>
        this.keying.offer({ ...this.act, later_turns: way.later_turns }));
      key.setAttribute("aria-pressed", way.later_turns === this.act.later_turns);
    }
    at("ok").setAttribute("aria-disabled", !this.keying.canOk);
    at("ok").hidden = Boolean(refused || preview?.choices || this.asksTurns);
  }

  renderMeaning(list) {
    const { act, preview } = this, told = preview?.told ?? [];
    if (!told.length && act.label) add(list, "li", "", act.label);
    for (const line of preview?.lines ?? []) add(list, "li", "", line.words);
    for (const one of told) {
      add(list, "li", "", one.said.words);
      if (one.why) add(list, "li", "because", one.why.words);
      for (const payment of one.payments) {
        add(list, "li", "pays", payment.said.words + (payment.chips ? `: ${payment.chips.said.words}` : ""));
      }
      for (const notice of one.notices) add(list, "li", "notice", notice.words);
    }
    for (const [seat, [before, after]] of Object.entries(preview?.scores ?? {})) {
      if (before !== after) add(list, "li", "", `${seat.replace(/_/g, " ")}: ${before} → ${after}`);
    }
    if (preview?.winners) add(list, "li", "notice", preview.winners.words);
    if (preview?.lost && !this.asksTurns) add(list, "li", "notice", preview.lost.words);
    for (const moved of preview?.chips ?? []) add(list, "li", "pays", inPieces(moved));
  }
}

// “Blue gives Red back 15: 10 + 5”
export function inPieces(moved) {
  return moved.words + (moved.chips ? `: ${moved.chips.said.words}` : "");
}
