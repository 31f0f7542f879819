// What OK would do: the act that was begun, its preview, and the questions that are still open.

import { add, at, button, clear, words } from "./parts.js";

const FEW = 9;  // answers that are all shown
const SEEN_MS = 300;  // a tap on an answer that is quicker may have been meant for what was there before
const ASKS_OK = new Set(["tile-back"]);  // questions whose answer may be regretted, so that OK is needed

export class Doing {
  constructor(keying) {
    this.keying = keying;
    this.act = null;  // {text, label, deed, at, tap, begun, again}
    this.preview = null;
    this.begunAt = 0;
    this.previews = 0;
    this.previewedAt = 0;
    this.atOnce = null;  // the questions that were there: with the last one answered, the act counts at once
    this.under = new Map();  // by question: the word by which its answers are narrowed
    this.fields = [];  // the fields of the Highrise building that were tapped
    this.endsNow = null;  // the open ends that were typed, if a refused tile lies there anyway
    at("ok").addEventListener("click", () => keying.ok());
    at("cancel").addEventListener("click", () => keying.drop());
    at("board").addEventListener("click", (event) => this.tapBoard(event.target));
  }

  begin(act) {
    this.act = { deed: "enter", at: 0, later_turns: null, ...act };
    this.preview = null;
    this.begunAt = performance.now();
    this.under.clear();
    this.fields = [];
    this.endsNow = null;
    this.atOnce = null;
  }

  forget() {
    this.act = null;
    this.preview = null;
    this.atOnce = null;
  }

  // Asks for the preview again, as the table or the connection has changed: from now on OK is needed.
  askAnew() {
    this.atOnce = null;
    this.ask();
  }

  // Another surface has just entered the same: from now on OK means it once more.
  askOnceMore() {
    this.act = { ...this.act, tap: false, again: true };
    this.ask();
  }

  // The act is a ruling: from now on OK says that all at the table agree.
  askWhetherAllAgree() {
    this.act = { ...this.act, tap: false, agreed: true };
    this.ask();
  }

  // The act never arrived: OK proposes it again.
  askWhole() {
    this.act = { ...this.act, tap: false };
    this.ask();
  }

  // Asks for the preview of the act.
  ask() {
    const { deed, at: place, text, begun, later_turns: turns } = this.act;
    this.previews += 1;
    this.preview = null;
    this.keying.wire.send({
      preview: { id: this.previews, deed, at: place, text, begun: Boolean(begun), later_turns: turns ?? 0 },
    });
  }

  // Takes a preview; returns whether it is the one that was asked for last.
  previewed(preview) {
    if (preview.id !== this.previews) return false;
    this.preview = preview;
    this.previewedAt = performance.now();
    return true;
  }

  pick(option, atOnce = null) {
    this.keying.offer({ ...this.act, text: option.entry, begun: false }, atOnce);
  }

  // Answers a question by its key. With the last answer the act counts at once, without OK.
  answer(name, option) {
    const names = this.offers.map((group) => group.name), seen = performance.now() - this.previewedAt >= SEEN_MS;
    const isLast = seen && this.act.deed === "enter" && !ASKS_OK.has(name) && names[names.length - 1] === name;
    this.pick(option, isLast ? names : null);
  }

  // Whether the previewed act counts without OK: no question is open, no other was asked, and there is
  // nothing that the player should read first.
  get countsAtOnce() {
    const { atOnce, preview } = this;
    return atOnce !== null && this.keying.canOk && this.offers.every(({ name }) => atOnce.includes(name))
      && !preview.winners && preview.told.every(({ notices }) => !notices.length);
  }

  // The act as OK proposes it, with all answers, whether chosen or found by the record itself.
  get whole() {
    return { ...this.act, text: this.preview?.entry ?? this.act.text };
  }

  get isClear() {
    const { act, preview } = this;
    return act !== null && preview !== null && !preview.refused && preview.entry !== null && !this.asksTurns;
  }

  // Whether it still has to be asked what becomes of the later turns.
  get asksTurns() {
    return Boolean(this.preview?.later) && this.act.later_turns === null;
  }

  get offers() {
    return this.preview?.offers ?? [];
  }

  // ------------------------------------------------------------ answers on the drawing

  tapBoard(tapped) {
    const spot = tapped.closest(".pick");
    if (!spot || !this.keying.takes(() => this.tapBoard(tapped), false)) return;
    const { arm, tile, field } = spot.dataset;
    if (arm) this.tapOne((option) => option.arm === arm);
    else if (tile) this.tapTile(tile);
    else this.tapField(Number(field));
  }

  tapOne(holds) {
    const option = this.offers.flatMap(({ options }) => options).find(holds);
    if (option) this.pick(option);
  }

  // A tap on a tile answers an open question first, then the last one answered.
  tapTile(tile) {
    const about = this.offers.filter(({ options }) => options.some(({ tiles }) => tiles?.includes(tile)));
    const group = about.find(({ options }) => !options.some(({ on }) => on)) ?? about[about.length - 1];
    const before = this.under.get(group.name);
    const found = group.options.filter(({ tiles }) => tiles?.includes(tile) && (!before || tiles.includes(before)));
    if (found.length === 1) this.pick(found[0]);
    else {
      this.under.set(group.name, tile);
      this.keying.render();
    }
  }

  tapField(field) {
    this.fields = this.fields.length === 1 && this.fields[0] !== field ? [this.fields[0], field] : [field];
    const found = this.offers.flatMap(({ options }) => options).filter((option) => this.isThere(option));
    if (!found.length) this.fields = [field];
    if (found.length === 1) this.pick(found[0]);
    else this.keying.render();
  }

  // Whether an answer lies on the fields that were tapped.
  isThere({ places }) {
    return !this.fields.length || !places || places.some((place) => this.fields.every((field) => place.includes(field)));
  }

  // ------------------------------------------------------------ what is shown

  render() {
    const { act, preview } = this;
    at("doing").hidden = !act || act.tap === true;
    const list = at("meaning");
    clear(list);
    const types = document.activeElement?.id === "ends-now";
    clear(at("choices"));
    for (const spot of at("board").querySelectorAll(".pick")) spot.classList.remove("pick", "picked");
    if (!act) return;
    const refused = preview?.refused;
    at("doing").classList.toggle("refused", Boolean(refused));
    if (refused) add(list, "li", "refusal", refused.words);
    this.renderMeaning(list);
    for (const group of this.offers) this.renderGroup(group);
    if (refused && preview.lies) this.renderAnyway(preview.lies);
    if (types) document.getElementById("ends-now")?.focus();
    for (const way of preview?.later ?? []) {
      const key = button(at("choices"), "choice", `${way.said.words}: ${way.then.words}`, () =>
        this.keying.offer({ ...this.act, later_turns: way.later_turns }));
      key.setAttribute("aria-pressed", way.later_turns === this.act.later_turns);
    }
    at("ok").setAttribute("aria-disabled", !this.keying.canOk);
    at("ok").hidden = Boolean(refused || preview?.entry === null || this.asksTurns);
  }

  renderMeaning(list) {
    const { act, preview } = this, told = preview?.told ?? [];
    const [first] = this.offers;
    // A correction's label says more than the entry (“Red drew: that was forgotten”), except for typed
    // text.
    const corrects = (act.deed === "change" || act.deed === "insert") && act.label !== act.text;
    const lines = act.label && corrects ? [] : preview?.lines ?? [], said = told.length || lines.length;
    if (!said && act.label) add(list, "li", "", act.label);
    else if (!said && first) add(list, "li", "", first.label.words);
    for (const line of lines) add(list, "li", "", line.words);
    for (const one of told) {
      add(list, "li", "", one.said.words);
      if (one.why) add(list, "li", "because", one.why.words);
      for (const payment of one.payments) {
        add(list, "li", "pays", payment.said.words + (payment.chips ? `: ${payment.chips.said.words}` : ""));
      }
      for (const notice of one.notices) add(list, "li", "notice", notice.words);
    }
    for (const [seat, [before, after]] of Object.entries(preview?.scores ?? {})) {
      if (before !== after) add(list, "li", "", `${this.keying.named(seat)}: ${before} → ${after}`);
    }
    if (preview?.winners) add(list, "li", "notice", preview.winners.words);
    if (preview?.lost && !this.asksTurns) add(list, "li", "notice", preview.lost.words);
    if (!this.asksTurns) for (const call of preview?.calls ?? []) add(list, "li", "notice", call.words);
    for (const moved of preview?.chips ?? []) add(list, "li", "pays", inPieces(moved));
  }

  // Shows a question with its answers; if there are many, first words that narrow them.
  renderGroup({ name, label, options }) {
    const place = add(at("choices"), "div", "question");
    place.dataset.question = name;
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", label.words);
    if (at("meaning").textContent !== label.words) add(place, "p", "", label.words);
    const answers = add(place, "div", "answers");
    const there = options.filter((option) => this.isThere(option)), many = there.length > FEW;
    const under = this.under.get(name);
    const found = there.filter((option) => !many || option.on || !option.under?.length || option.under.includes(under));
    if (many && under) {
      button(answers, "choice back", words("keying.others"), () => this.narrow(name, null));
    } else if (many) {
      for (const word of new Set(there.flatMap((option) => option.under ?? []))) {
        button(answers, "choice word", word, () => this.narrow(name, word));
      }
    }
    for (const option of found) {
      const key = button(answers, "choice", option.label.words, () => this.answer(name, option));
      key.setAttribute("aria-pressed", option.on);
    }
    this.markBoard(there);
  }

  // Shows the key by which the table insists on a lay that was refused, and asks for what the tile alone
  // doesn't say.
  renderAnyway({ label, entry, asks }) {
    const place = at("choices");
    if (this.endsNow !== null && asks) {
      this.renderEnds(place, asks);
      return;
    }
    button(place, "choice", label.words, () => {
      if (entry) this.keying.offer({ text: entry, label: "" });
      else this.endsNow = "";
      this.keying.render();
      document.getElementById("ends-now")?.focus();
    });
  }

  renderEnds(place, { label, before, after }) {
    const form = add(place, "form", "numbers ends-now");
    add(form, "label", "", label.words).htmlFor = "ends-now";
    const input = add(form, "input");
    Object.assign(input, { id: "ends-now", inputMode: "numeric", autocomplete: "off", maxLength: 30, value: this.endsNow });
    input.addEventListener("input", () => { this.endsNow = input.value; });
    add(form, "button", "", words("keying.enter")).type = "submit";
    form.onsubmit = (event) => {
      event.preventDefault();
      const digits = [...input.value.replace(/[^0-9]/g, "")];
      if (digits.length) this.keying.offer({ text: [before, ...digits].join(" ") + after, label: "" });
    };
  }

  narrow(name, word) {
    this.under.set(name, word);
    this.keying.render();
  }

  // Marks what can be tapped on the drawing, and what is chosen.
  markBoard(options) {
    const mark = (name, value, on) => {
      const spot = at("board").querySelector(`[data-${name}="${value}"]`);
      spot?.classList.add("pick");
      spot?.classList.toggle("picked", on || spot.classList.contains("picked"));
    };
    for (const { arm, tiles, places, on } of options) {
      if (arm) mark("arm", arm, on);
      for (const tile of tiles ?? []) mark("tile", tile, on);
      for (const field of places?.flat() ?? []) mark("field", field, on || this.fields.includes(field));
    }
  }
}

// The sentence for moved chips, as “Blue gives Red back 15: 10 + 5”.
function inPieces(moved) {
  return moved.words + (moved.chips ? `: ${moved.chips.said.words}` : "");
}
