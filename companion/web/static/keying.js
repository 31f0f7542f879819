// Entering on the page. Keying passes messages and taps to its parts: entry_keys.js has the keys, history.js
// earlier entries, role.js the page's role; the begun act, waiting taps, proposals and the player's turn are
// below.

import { Notes, SURFACE, add, at, button, clear, keep, lessMotion, listed, put, recall, words, write } from "./elements.js";
import { Tray, has, nameOf, sameOf } from "./entry_keys.js";
import { History, askForName, readable } from "./history.js";
import { Focus, oneStop } from "./keyboard.js";
import { Role } from "./role.js";
import { offerEntries, showSides, addressSeat } from "./show_moment.js";

// A phone that enters shows the player's turn on its first screen and everything else below; one key scrolls
// down, and one back. If something needs the player, the first screen comes back by itself.

const small = matchMedia("(max-width: 63.99rem)");
const upright = matchMedia("(max-width: 34.99rem), (max-width: 63.99rem) and (orientation: portrait)");
const low = matchMedia("(max-width: 34.99rem) and (max-height: 29.99rem), (min-width: 35rem) and (max-width: 63.99rem) and (max-height: 18.99rem)");  // the page scrolls

export function placeBelow() {
  at("see-more").addEventListener("click", () => {
    at("more").scrollIntoView({ behavior: lessMotion() ? "auto" : "smooth" });
  });
  at("to-turn").addEventListener("click", () => scrollTo(0, 0));
  // The page counts as scrolled down if neither the top of the first screen nor its keys are visible.
  const seen = new Map();
  const watched = new IntersectionObserver((changed) => {
    for (const { target, isIntersecting } of changed) seen.set(target, isIntersecting);
    document.body.classList.toggle("below", ![...seen.values()].some(Boolean));
  });
  for (const what of [".top", ".at-hand"]) watched.observe(document.querySelector(what));
}

// Scrolls back to the first screen on a phone.
export function toTurn() {
  if (small.matches && scrollY > 0) scrollTo(0, 0);
}

// -------------------------------------------------------------------- turn signal

// Signals that it is the player's turn: the page flashes, a phone vibrates and, if chosen, two notes sound.
// The choice is stored only on this phone. With less motion nothing of this happens.

const FLASH_MS = 1200, BUZZ_MS = 120;
const BELL = [[660, 0], [880, 0.16]];  // hertz, and seconds from now
const KEY = "turn-sound";

export class YourTurn {
  // `begun` is called when the turn of the page's seat begins.
  constructor(begun) {
    this.begun = begun;
    this.notes = new Notes(() => this.sounds);
    this.seat = null;  // the seat of this page
    this.yours = false;
    this.owed = false;  // whether the turn began while the page was hidden
    this.ends = 0;
    at(KEY).addEventListener("click", () => this.choose(!this.sounds));
    this.show();
    document.addEventListener("visibilitychange", () => document.hidden || this.owed && this.flash());
  }

  get sounds() {
    return recall(KEY) === true;
  }

  choose(on) {
    keep(KEY, on || null);
    this.show();
    if (on) this.notes.play(BELL);
  }

  show() {
    at(KEY).setAttribute("aria-pressed", this.sounds);
  }

  // Receives the page's seat (null if none), and whether it is that seat's turn. A turn that began before the
  // seat was chosen is not announced.
  update(seat, yours) {
    const begins = seat === this.seat && yours && !this.yours;
    this.seat = seat;
    this.yours = yours;
    at(KEY).hidden = !this.notes.Sound || seat === null;
    if (!yours) this.owed = false;
    if (begins) this.begun();
    if (!begins || lessMotion()) return;
    if (document.hidden) this.owed = true;
    else this.flash();
    navigator.vibrate?.(BUZZ_MS);
    if (this.sounds) this.notes.play(BELL);
  }

  flash() {
    this.owed = false;
    const { classList } = document.body;
    clearTimeout(this.ends);
    classList.remove("turn-begins");
    classList.add("turn-begins");
    this.ends = setTimeout(() => classList.remove("turn-begins"), FLASH_MS);
  }
}

// -------------------------------------------------------------------- the begun act

// The act that OK would propose, with its preview and the open questions.

const FEW = 9;  // the most answers that are all shown
const SEEN_MS = 300;  // a quicker tap on an answer may have been meant for what was there before
const ASKS_OK = new Set(["tile-back"]);  // questions after whose answer OK is still needed

export class BegunAct {
  constructor(keying) {
    this.keying = keying;
    this.act = null;  // {text, label, deed, at, tap, begun, again}
    this.preview = null;
    this.begunAt = 0;
    this.previews = 0;
    this.previewedAt = 0;
    this.atOnce = null;  // questions shown so far; when the last is answered, the act counts without OK
    this.under = new Map();  // the word that narrows the answers, by question
    this.fields = [];  // the tapped fields of the Highrise building
    this.endsNow = null;  // the open ends that were typed for a refused tile that is on the table anyway
    at("ok").addEventListener("click", () => keying.ok());
    at("cancel").addEventListener("click", () => keying.drop());
    at("board").addEventListener("click", (event) => this.tapBoard(event.target));
    at("shrink").addEventListener("click", () => enlarge(false));
    at("enlarge").addEventListener("click", () => enlarge(true));
    addEventListener("keydown", (event) => event.key === "Escape" && isEnlarged() && enlarge(false));
  }

  begin(act) {
    this.act = { deed: "enter", at: 0, later_turns: null, ...act };
    this.preview = null;
    this.begunAt = performance.now();
    this.keying.focus.begun();
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

  // Requests the preview again after a change of the table or the connection; from now on OK is needed.
  askAnew() {
    this.atOnce = null;
    this.ask();
  }

  // Another surface has just entered the same: from now on OK means entering it a second time.
  askOnceMore() {
    this.act = { ...this.act, tap: false, again: true };
    this.ask();
  }

  // The act is a ruling: from now on OK means that all at the table agree.
  askWhetherAllAgree() {
    this.act = { ...this.act, tap: false, agreed: true };
    this.ask();
  }

  // The act never arrived: OK proposes it again.
  askWhole() {
    this.act = { ...this.act, tap: false };
    this.ask();
  }

  // Requests the preview of the act.
  ask() {
    const { deed, at: place, text, begun, later_turns: turns } = this.act;
    this.previews += 1;
    this.preview = null;
    this.keying.connection.send({
      preview: { id: this.previews, deed, at: place, text, begun: Boolean(begun), later_turns: turns ?? 0 },
    });
  }

  // Receives a preview; returns whether it is the one requested last.
  previewed(preview) {
    if (preview.id !== this.previews) return false;
    this.preview = preview;
    this.previewedAt = performance.now();
    return true;
  }

  pick(option, atOnce = null) {
    this.keying.offer({ ...this.act, text: option.entry, begun: false }, atOnce);
  }

  // Answers a question with a tapped key. With the last answer the act counts at once, without OK.
  answer(name, option) {
    const names = this.offers.map((group) => group.name), seen = performance.now() - this.previewedAt >= SEEN_MS;
    const isLast = seen && this.act.deed === "enter" && !ASKS_OK.has(name) && names[names.length - 1] === name;
    this.pick(option, isLast ? names : null);
  }

  // Whether the previewed act counts without OK: all questions are answered, no new ones appeared, and there
  // is nothing that the player should read first.
  get countsAtOnce() {
    const { act, atOnce, preview } = this;
    return atOnce !== null && this.keying.canOk && this.offers.every(({ name }) => atOnce.includes(name))
      && !preview.winners && (preview.told ?? []).every(({ notices }) => !notices.length)
      && !(act.reads && preview.lines.some(({ key }) => act.reads.has(key)));
  }

  // The act that OK proposes, with all answers, whether chosen or given by the record itself.
  get whole() {
    return { ...this.act, text: this.preview?.entry ?? this.act.text };
  }

  get isClear() {
    const { act, preview } = this;
    return act !== null && preview !== null && !preview.refused && preview.entry !== null && !this.asksTurns;
  }

  // Whether the question about later turns is still open.
  get asksTurns() {
    return Boolean(this.preview?.later) && this.act.later_turns === null;
  }

  get offers() {
    return this.preview?.offers ?? [];
  }

  // ------------------------------------------------------------ answers on the drawing

  tapBoard(tapped) {
    const spot = tapped.closest(".pick");
    // A tap just after a change was probably meant for what was there before.
    if (!spot && this.keying.touches.isSure) enlarge(!isEnlarged());
    if (!spot || !this.keying.accepts(() => this.tapBoard(tapped), false)) return;
    if (isEnlarged()) enlarge(false);
    const { arm, tile, field } = spot.dataset;
    if (arm) this.tapOne((option) => option.arm === arm);
    else if (tile) this.tapTile(tile);
    else this.tapField(Number(field));
  }

  tapOne(holds) {
    const option = this.offers.flatMap(({ options }) => options).find(holds);
    if (option) this.pick(option);
  }

  // A tap on a tile answers an open question, else changes the last answer.
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

  // Whether an answer is on the tapped fields.
  isThere({ places }) {
    return !this.fields.length || !places || places.some((place) => this.fields.every((field) => place.includes(field)));
  }

  // ------------------------------------------------------------ what is shown

  render() {
    const { act, preview } = this;
    at("doing").hidden = !act || act.tap === true || !this.keying.plays;
    document.body.classList.toggle("confirms", !at("doing").hidden);
    const list = at("meaning");
    clear(list);
    const types = document.activeElement?.id === "ends-now";
    const stood = [...document.querySelectorAll("#choices button")].indexOf(document.activeElement);
    clear(at("choices"));
    for (const spot of at("board").querySelectorAll(".pick")) spot.classList.remove("pick", "picked");
    if (!act) return;
    const refused = preview?.refused;
    at("doing").classList.toggle("refused", Boolean(refused));
    if (refused) add(list, "li", "refusal", refused.words);
    this.renderMeaning(list);
    for (const group of this.offers) this.renderGroup(group);
    if (refused && preview.lies) this.renderAnyway(preview.lies);
    if (refused && act.instead) button(at("choices"), "choice", act.instead.label, () => this.keying.offer(act.instead));
    if (types) document.getElementById("ends-now")?.focus();
    for (const way of preview?.later ?? []) {
      const key = button(at("choices"), "choice", `${way.said.words}: ${way.then.words}`, () =>
        this.keying.offer({ ...this.act, later_turns: way.later_turns }));
      key.setAttribute("aria-pressed", way.later_turns === this.act.later_turns);
    }
    at("choices").querySelectorAll("button")[stood]?.focus();
    at("ok").setAttribute("aria-disabled", !this.keying.canOk);
    at("ok").hidden = Boolean(refused || preview?.entry === null || this.asksTurns);
  }

  renderMeaning(list) {
    const { act, preview } = this, told = preview?.told ?? [];
    const [first] = this.offers;
    // A correction's label has more information than the entry (“Red drew: it was forgotten”), except for
    // typed text.
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

  // Shows a question with its answers or, if there are many, first the words that narrow them.
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

  // Shows the key with which the table insists on a refused play, and asks for details that the tile alone
  // doesn't give.
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

  // Marks on the drawing what can be tapped, and what is chosen.
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

// The sentence for moved chips, such as “Blue gives Red back 15: 10 + 5”.
function inPieces(moved) {
  return moved.words + (moved.chips ? `: ${moved.chips.said.words}` : "");
}

// -------------------------------------------------------------------- photos

// The two buttons for taking a photo: of the line, to check the record, and of tiles that somebody holds.
// They open the camera on the page if that is possible, else the browser's own photo dialog. The photo reader
// is loaded only when needed.

const OF_LINE = "line", OF_HOLDING = "holding";

export function placePhotographs(keying) {
  for (const what of [OF_LINE, OF_HOLDING]) {
    at(`photo-of-${what}`).addEventListener("click", (event) => {
      if (keying.noCamera) return;
      event.preventDefault();
      withReader(({ filmed }) => filmed(what, keying));
    });
    at(`photo-of-${what}`).addEventListener("change", ({ target }) => {
      const [file] = target.files;
      target.value = "";  // so that a photo with the same name is noticed
      if (file) withReader(({ photographed }) => photographed(file, what, keying));
    });
  }
}

async function withReader(use) {
  try {
    await use(await import("./photo/photo.js"));
  } catch (fault) {
    write("answer", words("photo.not-loaded"));
    throw fault;
  }
}

// The key of the sentence that explains why this page can't show the camera's picture; null if it can.
function lackOfCamera() {
  if (!isSecureContext) return "photo.camera-insecure";
  return navigator.mediaDevices?.getUserMedia ? null : "photo.camera-none";
}

// Shows the buttons if photos can be read: for a double-six set, on a page that may enter.
export function offerPhotographs({ keys, moment, plays, photo, noCamera }, asks) {
  const six = plays && keys.set === "double-six" && moment.table?.kind === "line";
  at("photo-line").hidden = !(six && moment.table.tiles.length);
  for (const id of ["photo-holding", "photo-holding-hint"]) at(id).hidden = !(six && asks === "show");
  for (const why of document.getElementsByClassName("no-camera")) put(why, noCamera ? words(noCamera) : "");
  photo?.renew();
}

// -------------------------------------------------------------------- drawing

// Fits the drawing into the space that the rest of the first screen leaves. If half a tile would be smaller
// than LEGIBLE, the line keeps that size and scrolls; a tap on it enlarges it to the whole window.

const LEAST = 60, BELOW = 8;  // pixels
const LEGIBLE = 14.2, LARGE = 30;  // half a tile in pixels: at least, and enlarged
const HALF = 20, EDGE = 4;  // half a tile, and the margin around a line, in the units of the drawing

let centred = null;  // the drawing and size for which the newest tile was last centred

export function fit() {
  const board = at("board"), drawing = board.querySelector("svg");
  placeAtHand(document.querySelector(".at-hand"));
  at("enlarge").hidden = !drawing || !drawing.querySelector(".face");
  if (!drawing) return;
  if (low.matches) board.style.removeProperty("--room");
  else board.style.setProperty("--room", `${Math.max(LEAST, Math.floor(roomFor(board)))}px`);
  if (board.offsetHeight) zoom(board, drawing);
}

// The keys below the tiles are in one row if they fit, if need be in smaller letters; else in two.
function placeAtHand(hand) {
  const ends = () => Math.max(...Array.from(hand.children, (one) => one.getBoundingClientRect().right));
  hand.classList.remove("tight", "wraps");
  for (const way of ["tight", "wraps"]) {
    if (ends() > document.documentElement.clientWidth) hand.classList.add(way);
  }
}

function roomFor(board) {
  const below = [board, ...document.querySelectorAll(upright.matches ? ".at-hand, .doing" : ".doing")];
  const floats = document.body.matches(".below.confirms");
  const ends = below.filter((one) => !(floats && one.id === "doing")).map((one) => one.getBoundingClientRect())
    .filter(({ height }) => height).map(({ bottom }) => bottom);
  return board.offsetHeight + innerHeight - (Math.max(0, ...ends) + scrollY) - BELOW;
}

function zoom(board, drawing) {
  board.classList.remove("moves");
  if (!drawing.querySelector(".halo")) return;
  if (!drawing.dataset.cropped) crop(drawing);
  const least = isEnlarged() ? LARGE : LEGIBLE;
  if (drawing.getScreenCTM().a * HALF >= least) return;
  board.style.setProperty("--wide", `${Math.ceil(drawing.viewBox.baseVal.width * least / HALF)}px`);
  board.classList.add("moves");
  const size = [least, board.offsetWidth, board.offsetHeight].join();
  if (centred && centred[0] === drawing && centred[1] === size) return;
  centred = [drawing, size];
  const newest = drawing.querySelector(".halo").getBoundingClientRect(), all = board.getBoundingClientRect();
  board.scrollLeft += (newest.left + newest.right - all.left - all.right) / 2;
  board.scrollTop += (newest.top + newest.bottom - all.top - all.bottom) / 2;
}

// Removes the empty area around the line.
function crop(drawing) {
  const { a, d, e, f } = drawing.getScreenCTM(), parts = Array.from(drawing.children).filter((one) => !["title", "desc"].includes(one.tagName) && !one.classList.contains("table"));
  const boxes = parts.map((part) => part.getBoundingClientRect());
  const left = (Math.min(...boxes.map((box) => box.left)) - e) / a - EDGE, top = (Math.min(...boxes.map((box) => box.top)) - f) / d - EDGE;
  const right = (Math.max(...boxes.map((box) => box.right)) - e) / a + EDGE, bottom = (Math.max(...boxes.map((box) => box.bottom)) - f) / d + EDGE;
  drawing.setAttribute("viewBox", [left, top, right - left, bottom - top].join(" "));
  drawing.dataset.cropped = "yes";
}

function isEnlarged() {
  return at("board").classList.contains("enlarged");
}

function enlarge(on) {
  if (on && !at("board").querySelector(".face")) return;
  at("board").classList.toggle("enlarged", on);
  fit();
  if (on) at("shrink").focus();
}

addEventListener("resize", fit);

// -------------------------------------------------------------------- proposals

// Proposals to the box. Each counts at most once: it has an identity, and names the moment that the player
// saw. Nothing is stored for later: after a lost connection the page only asks what became of its last
// proposal.

export class Proposals {
  constructor() {
    this.connection = null;
    this.number = 0;
    this.pending = recall("pending", "sessionStorage");
  }

  // Proposes an act; returns false without a connection, and then proposes nothing.
  propose({ run, game, tip }, { deed, at: place, text, later_turns: turns, again = false, agreed = false, agrees }) {
    this.number += 1;
    const pending = { surface: SURFACE, run, number: this.number };
    if (!this.connection.send({ propose: { ...pending, game: game ?? 0, tip, deed, at: place, text, later_turns: turns ?? 0, again, agreed, agrees } })) return false;
    this.pending = pending;
    keep("pending", pending, "sessionStorage");
    return true;
  }

  askAgain() {
    if (!this.pending) return;
    const { surface, run, number } = this.pending;
    this.connection.send({ became: { surface, run, number } });
  }

  // Receives an answer; returns whether it belongs to the last proposal.
  answered(answer) {
    const about = this.pending;
    if (!about || about.surface !== answer.surface || about.number !== answer.number) return false;
    this.pending = null;
    keep("pending", null, "sessionStorage");
    return true;
  }
}

// -------------------------------------------------------------------- waiting taps

// Taps that wait until the last proposal is answered, and an act that is held while there is no connection.

const MOST_WAITING = 8;

export class TapQueue {
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

  // Replaces everything that waits with this.
  hold(run) {
    this.queue = [{ run, act: null, hold: true }];
  }

  // Keeps only the last one that can be held without a connection; returns whether others were dropped.
  keepHeld() {
    const held = this.queue.filter(({ hold }) => hold).slice(-1), lost = this.queue.length > held.length;
    this.queue = held;
    return lost;
  }

  // Drops taps that waited for a proposal that did not count; returns the text about them.
  dropTaps() {
    const taps = this.queue.filter(({ act }) => act);
    this.queue = this.queue.filter(({ act }) => !act);
    return taps.map(({ act }) => words("keying.no-longer", { what: act.label.words }));
  }

  // The number of waiting taps on that act's key.
  countOn(act) {
    return this.queue.filter((one) => one.act && nameOf(one.act) === nameOf(act)).length;
  }
}

// -------------------------------------------------------------------- taps

// Decides whether a tap was meant for the key under the finger.

const SURE_MS = 450;  // a tap sooner after a change under the finger was meant for the earlier key
const ONE_TOUCH_MS = 100;  // no finger taps the same key twice so quickly

export class Touches {
  constructor() {
    this.newAt = 0;  // when the table moved on
    this.stood = [];  // the possible acts just before the table moved on
    this.touched = { key: "", at: 0 };  // the last tapped act
  }

  // Registers that the table has moved on; `acts` were possible until now.
  noteChange(acts) {
    if (this.isSure) this.stood = acts;
    this.newAt = performance.now();
  }

  // Whether the tap belongs to the same touch as the previous one.
  isSameTouch(key) {
    const before = this.touched;
    this.touched = { key, at: performance.now() };
    return before.key === key && this.touched.at - before.at < ONE_TOUCH_MS;
  }

  // Whether a tap was meant for this act, whose key may have just changed.
  wasMeantFor(act) {
    return this.isSure || has(this.stood, act);
  }

  get isSure() {
    return performance.now() - this.newAt >= SURE_MS;
  }
}

// -------------------------------------------------------------------- draws

// Counts draws that are tapped in quick succession, and enters them together.

const TOGETHER_MS = 700;  // draws within this time are one entry

export class Draws {
  constructor(keying) {
    this.keying = keying;
    this.counted = null;  // draws being counted until no more come: {act, number, timer}
  }

  get begun() {
    return this.counted !== null;
  }

  // Counts one more draw. Draws are entered once no more follow or something else is tapped.
  count(act) {
    const { keying } = this, before = this.stop(), seat = keying.named(act.seat);
    const number = Math.min(before + 1, act.most);
    const said = before < act.most ? words("keying.draws", { seat, number }) : words("keying.all-drawn", { seat, number });
    keying.forget();
    this.counted = { act, number, timer: setTimeout(() => this.enter(), TOGETHER_MS) };
    write("answer", said);
    keying.render();
  }

  // Ends the counting of draws, and returns their number.
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
    keying.begunAct.begin({ text, label: act.label.words, deed: act.deed, at: act.at, tap: true });
    keying.propose();
  }

  // The number of draws counted so far on that act's key.
  countOn(act) {
    return this.counted && nameOf(this.counted.act) === nameOf(act) ? this.counted.number : 0;
  }
}

// -------------------------------------------------------------------- consent

// The question from another phone whether this phone's seat agrees to a ruling.

export class Consent {
  constructor(keying) {
    this.keying = keying;
    this.asked = null;  // {number, said}; if number is null, `said` is the answer to our own question
    at("agree").addEventListener("click", () => this.agree());
    at("disagree").addEventListener("click", () => this.decline());
  }

  update(asked) {
    this.asked = asked;
    if (asked && asked.number === null) write("answer", asked.said.words);
  }

  agree() {
    const { number } = this.asked;
    if (!this.keying.accepts(() => this.agree(), false)) return;
    this.keying.proposeAtOnce({ agrees: number });
  }

  decline() {
    if (!this.keying.connection.send({ decline: this.asked.number })) write("answer", words("keying.no-link"));
  }

  render() {
    const number = this.asked?.number ?? null;
    at("agreeing").hidden = number === null;
    write("agree-asked", number === null ? "" : this.asked.said.words);
    at("agree").setAttribute("aria-disabled", !this.keying.taps);
  }
}

// -------------------------------------------------------------------- keying

const OF_THE_GAME = new Set(["open", "rematch", "reseat"]);
const GROUPS = ["whose", "tiles", "halves", "rows", "quick", "cards", "suits", "choices", "other-tiles", "other-halves"];

export class Keying {
  // `changed` is called when the page gets or loses the right to enter.
  constructor(changed) {
    this.connection = null;
    this.online = false;
    this.keys = null;
    this.moment = null;
    this.counted = 0;  // the row of the last accepted proposal; taps wait for a moment with that row
    this.lost = false;  // whether the connection was lost before the answer came
    this.quiet = false;  // whether the answer to the last proposal is shown only if it was refused
    this.tapQueue = new TapQueue();
    this.touches = new Touches();
    this.proposals = new Proposals();
    this.noCamera = lackOfCamera();
    this.role = new Role(changed, () => this.render());
    this.begunAct = new BegunAct(this);
    this.tray = new Tray(this);
    this.history = new History(this);
    this.consent = new Consent(this);
    this.draws = new Draws(this);
    this.yourTurn = new YourTurn(() => this.comeBack());
    this.focus = new Focus();
    for (const id of GROUPS) oneStop(at(id));
    placePhotographs(this);
    at("take-back").addEventListener("click", () => this.offer({ deed: "undo", text: "", label: at("take-back").textContent }));
    at("seats").addEventListener("click", ({ target }) => this.askName(target.closest("[data-seat]")?.dataset.seat));
    at("rename").addEventListener("click", () => this.askName(this.role.seat));
    at("due-done").addEventListener("click", () => this.reportChipsMoved());
    at("do-again").addEventListener("click", () => this.offer({ deed: "redo", text: "", label: at("do-again").textContent }));
  }

  listenTo(connection) {
    this.connection = this.proposals.connection = this.role.connection = connection;
  }

  get plays() {
    return this.role.plays;
  }

  // ------------------------------------------------------------ what the server says

  update({ moment, keys }) {
    if (!moment || !keys) return;
    const before = this.keys;
    const moved = before !== null && (before.tip !== keys.tip || before.run !== keys.run);
    const other = before !== null && (before.game !== keys.game || before.asks !== keys.asks);
    this.moment = moment;
    this.keys = keys;
    if (moved) this.touches.noteChange(before.acts);
    if (moved) this.tray.reset();
    if (other) this.tray.chosen = [];
    this.history.update(moment);
    const { act } = this.begunAct;
    if (moved && !this.proposals.pending && act) {
      // The begun act stays if it still means the same; its preview is requested again.
      if (this.means(act, other)) this.begunAct.askAnew();
      else this.forget();
    }
    if (this.connection && this.online) this.role.introduce(moment);
    this.render();
    this.next();
  }

  // Whether an act still means the same after the table has moved on.
  means(act, other) {
    if (OF_THE_GAME.has(act.deed)) return true;
    if (act.deed === "enter") return !other && !act.tap;
    return this.history.opened !== null;
  }

  handleMessage(message) {
    if (message.role) {
      this.role.placed(message.role);
      if (this.moment) this.role.introduce(this.moment);
      this.render();
    }
    if (message.asked !== undefined) {
      this.consent.update(message.asked);
      if (message.asked) this.comeBack();
      this.render();
    }
    if (message.preview && this.begunAct.previewed(message.preview)) {
      if (this.begunAct.countsAtOnce) this.propose();
      else {
        this.render();
        if (low.matches) at("doing").scrollIntoView({ block: "nearest" });
        this.focus.shown(this.begunAct.isClear);
      }
    }
    if (message.answer && this.proposals.answered(message.answer)) this.settle(message.answer);
  }

  setConnected(online) {
    const lost = this.tapQueue.keepHeld() || this.draws.begun;
    if (online !== this.online) write("answer", lost ? words("keying.not-sent") : "");
    this.online = online;
    this.draws.stop();
    this.counted = 0;
    if (online) {
      this.lost = Boolean(this.proposals.pending);
      this.role.sayAgain();
      this.proposals.askAgain();
      if (this.begunAct.act && !this.lost) this.begunAct.askAnew();
    }
    this.render();
  }

  settle(answer) {
    const { lost } = this;
    this.lost = false;
    if (lost && !answer.counted) this.tapQueue.clear();
    if (this.quiet) {
      this.quiet = false;
      if (!answer.counted) write("answer", answer.said.words);
      this.render();
      this.next();
      return;
    }
    const unsent = answer.counted ? [] : this.tapQueue.dropTaps();
    write("answer", [answer.said.words, ...unsent].join(". "));
    at("answer").dataset.counted = answer.asked || answer.agree || answer.counted;
    if (answer.counted) this.counted = answer.row;
    if (answer.counted) this.focus.owed = true;
    if (answer.counted) {
      this.history.close();
      if (at("panel").hidden || OF_THE_GAME.has(this.begunAct.act?.deed)) toTurn();
    }
    if (answer.again && this.begunAct.act) this.begunAct.askOnceMore();
    else if (answer.agree && this.begunAct.act) this.begunAct.askWhetherAllAgree();
    else if (lost && !answer.counted && this.begunAct.act) this.begunAct.askWhole();
    else if (answer.counted || answer.asked || this.begunAct.act?.tap) this.forget();
    else if (this.begunAct.act) this.begunAct.ask();
    this.render();
    this.next();
  }

  // ------------------------------------------------------------ what is tapped

  // Begins an act that OK will propose, and requests its preview.
  offer(act, atOnce = null) {
    if (!this.accepts(() => this.offer(act), (act.deed ?? "enter") === "enter")) return;
    this.begunAct.begin(act);
    this.begunAct.atOnce = atOnce;
    write("answer", "");
    this.begunAct.ask();
    this.render();
  }

  // Handles a tap on an act, which counts at once unless it should be confirmed. A tap on a key that has just
  // changed under the finger was meant for the earlier act, and is ignored.
  tap(act) {
    if (this.touches.isSameTouch(nameOf(act))) return;
    if (!this.accepts(() => this.enterIfPossible(act), true, act)) return;
    if (this.touches.wasMeantFor(act)) this.enterAct(act);
    else write("answer", words("keying.just-changed"));
  }

  // Enters an act that has waited, if it is still possible.
  enterIfPossible(act) {
    if (has(this.keys.acts, act)) this.enterAct(act);
    else write("answer", words("keying.no-longer", { what: act.label.words }));
  }

  enterAct(tapped) {
    const act = sameOf(this.keys.acts, tapped) ?? tapped;
    const { entry, label, careful, deed, at: place, most } = act;
    this.tray.chosen = [];
    if (most > 1) {
      this.draws.count(act);
      return;
    }
    if (careful) {
      this.offer({ text: entry, label: label.words, deed, at: place });
      if (most === 0) write("answer", words("keying.none-left"));
      return;
    }
    this.begunAct.begin({ text: entry, label: label.words, deed, at: place, tap: true });
    this.propose();
  }

  // The name shown for a seat.
  named(seat) {
    return this.moment.seats.find((one) => one.seat === seat)?.shown ?? seat.replace(/_/g, " ");
  }

  // The seat as the moment has it, if its player can be renamed; one that is named after its colour has none.
  player(name) {
    return this.moment?.seats.find(({ seat, colour }) => seat === name && colour !== seat.toLowerCase());
  }

  // Prompts for another name for the player at a seat.
  askName(seat) {
    const one = this.player(seat);
    if (!one || !this.plays) return;
    const others = (to) => this.moment.seats.map(({ seat }) => seat === one.seat ? to : seat);
    askForName(at("renaming"), one.seat, one.shown, this, (to) => {
      const seats = others(to);
      this.offer({ deed: "people", text: seats.join(" "), label: words("players.sit", { names: listed(seats.map(readable)) }) });
    });
  }

  // Proposes an act at once, without OK, as it is easily changed back, such as a setting.
  proposeAtOnce(act) {
    if (!this.accepts(() => this.proposeAtOnce(act), true)) return;
    this.begunAct.begin({ text: "", label: "", tap: true, ...act });
    this.propose();
  }

  ok() {
    if (this.proposals.pending) return;  // the previous proposal is still on its way
    if (!this.online) write("answer", words("keying.no-link"));
    else if (!this.canOk) write("answer", words("keying.one-moment"));
    else if (this.touches.isSure || this.begunAct.begunAt > this.touches.newAt) this.propose();
    else write("answer", words("keying.just-changed"));
  }

  // Reports to all that the chips due were moved.
  reportChipsMoved() {
    const { row } = this.moment.chips_to_move ?? {};
    if (!this.online) write("answer", words("keying.no-link"));
    else if (row) this.connection.send({ moved: { surface: SURFACE, row } });
  }

  // Marks an entry with a star, or removes the star; a begun act stays.
  mark(name, on) {
    if (!this.accepts(() => this.mark(name, on), true)) return;
    this.keepQuietly({ deed: "remember", text: `${on ? "on" : "off"} ${name}` });
  }

  // Stores a setting; a begun act stays.
  keepSetting(text) {
    this.keepQuietly({ deed: "set", text });
  }

  keepQuietly(act) {
    this.quiet = this.proposals.propose(this.keys, { at: 0, ...act });
    this.render();
  }

  // Whether a tap counts now. While an answer is awaited, the tap waits if `waits`, else the page explains
  // why it doesn't count. Without a connection, `hold` is called instead.
  accepts(run, waits, act = null, hold = null) {
    if (this.draws.begun && !(act && this.draws.countOn(act))) this.draws.enter();
    if (this.ready || !this.keysHere) return this.ready;
    if (!this.online && hold) hold();
    else if (!this.online) write("answer", words("keying.no-link"));
    else if (!waits || this.tapQueue.full) write("answer", words("keying.one-moment"));
    else this.runInTurn(run, act, hold);
    return false;
  }

  // Begins an act without a connection. Its preview is requested after reconnecting, once the result of the
  // previous act is known.
  hold(act, what, run) {
    if (this.proposals.pending) this.tapQueue.hold(run);
    else this.begunAct.begin(act);
    write("answer", words("keying.held", { what }));
    this.render();
  }

  // Calls `run` once no proposal waits for an answer. Without a connection only an act with `hold` can wait.
  // `act`: the act whose key was tapped.
  runInTurn(run, act = null, hold = null) {
    this.tapQueue.add({ run, act, hold });
    this.next();
    this.render();
  }

  next() {
    while (this.ready && this.tapQueue.any) this.tapQueue.take().run();
  }

  propose() {
    if (!this.proposals.propose(this.keys, this.begunAct.whole)) return;
    write("answer", "");
    this.render();
  }

  // Scrolls to the first screen because something needs the player, unless they are in the middle of
  // something.
  comeBack() {
    if (!this.begunAct.act && !this.history.opened && at("panel").hidden) toTurn();
  }

  drop() {
    this.forget();
    write("answer", "");
    this.render();
    this.focus.back();
  }

  forget() {
    this.begunAct.forget();
    this.tray.chosen = [];
  }

  get ready() {
    return this.taps && !this.proposals.pending && this.counted <= this.moment.row;
  }

  get keysHere() {
    return this.plays && this.keys !== null;
  }

  // Whether taps count, now or after waiting.
  get taps() {
    return this.online && this.keysHere;
  }

  get canOk() {
    return this.ready && this.begunAct.isClear;
  }

  // ------------------------------------------------------------ what is shown

  render() {
    const { keys, moment } = this, plays = this.plays && !this.role.asks;
    document.body.classList.toggle("asks-who", this.role.asks);
    at("keying").hidden = at("more").hidden = keys === null || this.connection?.access === "watch";
    document.body.classList.toggle("keys-here", keys !== null && plays);
    offerEntries(keys !== null && plays);
    if (keys === null) return;
    this.role.render(moment.seats);
    const seat = plays ? this.role.seat : null;
    showSides(moment, seat);
    this.yourTurn.update(seat, addressSeat(seat, moment, keys));
    at("keyed").hidden = at("due-done").hidden = !plays;
    at("rename").hidden = !this.player(seat);
    if (!plays) {
      at("doing").hidden = at("more-ways").hidden = true;
      document.body.classList.remove("waits", "confirms");
      fit();
      return;
    }
    this.tray.render();
    offerPhotographs(this, this.tray.asks);
    this.consent.render();
    this.history.render();
    this.begunAct.render();
    at("collecting").hidden = Array.from(at("collecting").children).every((one) => one.hidden);
    fit();
    if (this.focus.owed && this.ready) this.focus.begin();
  }
}
