// The keyboard on a page that enters: typed text becomes the corresponding tap, each group of keys is one tab
// stop, and the focus moves to where the player continues.

import { at, keep, recall, words, write } from "./elements.js";
import { COLLECTS, same } from "./entry_keys.js";

// ------------------------------------------------------------------ groups of keys

const STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

// Makes all keys in `place`, even later ones, a single tab stop, with arrows moving between them. Tab goes to
// the first tile that fits, else to the first key.
export function oneStop(place) {
  const keys = () => [...place.querySelectorAll("button")];
  const settle = () => {
    if (!place.contains(document.activeElement)) stopAt(first(keys()));
  };
  const stopAt = (stop) => {
    for (const key of keys()) key.tabIndex = key === stop ? 0 : -1;
  };
  const seen = { childList: true, subtree: true, attributeFilter: ["data-stands", "aria-pressed"] };
  new MutationObserver(settle).observe(place, seen);
  place.addEventListener("focusin", ({ target }) => stopAt(target));
  place.addEventListener("focusout", () => setTimeout(settle));
  place.addEventListener("keydown", (event) => {
    const step = STEPS[event.key], there = keys();
    if (!step || withOthers(event) || !there.includes(event.target)) return;
    event.preventDefault();
    next(there, event.target, step).focus();
  });
}

function first(keys) {
  return keys.find((key) => key.dataset.stands === "fits" || key.getAttribute("aria-pressed") === "true") ?? keys[0];
}

// The key to which an arrow moves: the next one in the row, or the nearest one above or below. After the last
// comes the first.
function next(keys, from, [along, down]) {
  const place = keys.indexOf(from), { left, top, height } = from.getBoundingClientRect();
  const beside = keys[(place + (along || down) + keys.length) % keys.length];
  if (along) return beside;
  const far = (key) => {
    const there = key.getBoundingClientRect(), rows = (there.top - top) * down;
    return rows > height / 2 ? 100 * rows + Math.abs(there.left - left) : Infinity;
  };
  const nearest = keys.reduce((one, other) => far(other) < far(one) ? other : one);
  return far(nearest) < Infinity ? nearest : beside;
}

function withOthers({ ctrlKey, metaKey, altKey }) {
  return ctrlKey || metaKey || altKey;
}

// ------------------------------------------------------------------ the focus

const FITTING = '#picker [data-stands="fits"]', ENTERING = "#quick button, #rows button, #holds, #acts button, #take-back";

// Moves the focus while somebody uses the keyboard: to open questions, to OK, and then to where the next play
// begins; with “Back” to where it was. Taps don't move it.
export class Focus {
  constructor() {
    this.byKeys = false;  // whether the keyboard was used more recently than touch or mouse
    this.before = null;  // the element with the focus when the act began
    this.owed = false;  // whether to move the focus to the next play once it is shown
    addEventListener("keydown", () => { this.byKeys = true; }, { capture: true });
    addEventListener("pointerdown", () => { this.byKeys = false; }, { capture: true });
  }

  begun() {
    const { activeElement } = document;
    if (!at("doing").contains(activeElement)) this.before = activeElement;
  }

  // Called when an act is shown: moves to OK if the act is `clear`, else to the first unanswered question.
  shown(clear) {
    if (!this.byKeys) return;
    const open = [...document.querySelectorAll("#choices .question")].find((one) => !one.querySelector('[aria-pressed="true"]'));
    if (clear) at("ok").focus();
    else open?.querySelector("button")?.focus();
  }

  back() {
    if (this.byKeys && isShown(this.before)) this.before.focus();
    else this.begin();
  }

  // Moves the focus to where the next play begins.
  begin() {
    this.owed = false;
    if (!this.byKeys) return;
    const there = [FITTING, ENTERING].flatMap((keys) => [...document.querySelectorAll(keys)]);
    (there.find(isShown) ?? at("keying")).focus();
  }
}

function isShown(element) {
  return Boolean(element?.isConnected && element.getClientRects().length);
}

// ------------------------------------------------------------------ what is typed

const OFF = "keyboard-off";
const ARMS = ["left", "right", "up", "down"];  // in the order of “keyboard.arms”
const KEYS = { d: "#acts .draw, #acts .draw-of", p: "#acts .pass, #acts .pass-of", u: "#take-back", b: "#call" };

export function isOn() {
  return recall(OFF) !== true;
}

export function turn(on) {
  keep(OFF, on ? null : true);
}

// The tile that was typed as its two halves, “65” or “6-5”, and the arm if one was typed after it. Undefined
// if none or two of `tiles` match, as for “112” in the large set.
export function tileTyped(text, tiles) {
  const [, halves, typed] = /^([0-9w]+|[0-9w]+-[0-9w]+)@?(\p{L}*)$/u.exec(text) ?? [];
  if (!halves) return undefined;
  const names = halves.includes("-") ? [halves] : [...halves].slice(1).map((_, part) => `${halves.slice(0, part + 1)}-${halves.slice(part + 1)}`);
  const found = names.map((name) => name.toUpperCase()).filter((name) => tiles.some((tile) => same(tile, name)));
  const arm = typed ? armTyped(typed) : null;
  return found.length === 1 && arm !== undefined ? { tile: found[0], arm } : undefined;
}

function armTyped(typed) {
  const begins = (word) => word.startsWith(typed);
  const own = words("keyboard.arms").split(" ");
  return ARMS[own.findIndex(begins)] ?? ARMS.find(begins);
}

export class Typing {
  // `isFree` returns whether the page may take keys: nothing else on it, such as the box, uses the keyboard.
  constructor(keying, isFree) {
    this.keying = keying;
    this.isFree = isFree;
    this.text = "";
    this.from = null;  // the element with the focus when help was opened
    addEventListener("keydown", (event) => this.take(event) && event.preventDefault());
  }

  // Handles a key; returns whether it was used.
  take(event) {
    const { key, target } = event, { keying, text } = this, inField = target.closest?.("input, select, textarea");
    if (event.repeat && key === "Enter") return Boolean(target.closest?.(".keying button"));  // or the same key press would mean OK
    if (key === "?" && !inField && isOn()) return this.help();
    if (!this.isFree() || !keying.keysHere) return false;
    if (key === "Escape") return this.escape();
    if (inField || !isOn() && !text) return false;
    if (key === "Enter" && text) return this.enter(target.closest?.("#whose button"));
    if (key === "Enter") return !target.closest?.("button, a, summary") && this.ok();
    if (key === "Backspace" && text) return this.write([...text].slice(0, -1).join(""));
    if (withOthers(event) && key !== "@" || event.repeat) return false;
    const letter = key.toLowerCase();
    if (/^[0-9w]$/.test(letter) || text && /^[-@\p{L}]$/u.test(letter)) return this.write(text + letter);
    return letter in KEYS && this.press(letter);
  }

  // Shows the typed text.
  write(text) {
    this.text = text;
    at("answer").dataset.counted = "";
    write("answer", text);
    return true;
  }

  press(letter) {
    const key = [...document.querySelectorAll(KEYS[letter])].find(isShown);
    if (!key || key.getAttribute("aria-disabled") === "true") write("answer", words("keyboard.not-now", { key: letter.toUpperCase() }));
    else key.click();
    if (letter === "b") at("calls").querySelector("button")?.focus();
    return true;
  }

  // Enters the typed text. If the page asks for the seat, `seat` is the one whose key was pressed.
  enter(seat) {
    const { text, keying } = this, { tray } = keying;
    seat?.click();
    if (!COLLECTS.has(tray.asks) && !tray.keyedForSomebody()) {
      at("whose").querySelector("button").focus();
      return true;
    }
    const found = tileTyped(text, Object.keys(keying.keys.tiles));
    this.write("");
    if (tray.asks === "number") tray.numbers.enter(text);
    else if (found && isShown(at("picker"))) tray.tap(found.tile, found.arm, []);
    else write("answer", words("keyboard.no-tile", { typed: text }));
    if (isShown(at("holds"))) at("holds").focus();
    return true;
  }

  ok() {
    if (isShown(at("ok"))) at("ok").click();
    else if (isShown(at("holds"))) at("holds").click();
    else return false;
    return true;
  }

  escape() {
    const { keying } = this, helps = at("panel").contains(document.activeElement) && this.from;
    if (this.text) this.write("");
    else if (helps) this.closeHelp();
    else if (keying.begunAct.act) keying.drop();
    else if (keying.tray.calls.asks) keying.tray.calls.call();
    else return false;
    return true;
  }

  help() {
    const key = document.querySelector('[data-panel="help"]');
    if (key.getAttribute("aria-expanded") === "true") return this.closeHelp();
    this.from = document.activeElement;
    key.click();
    at("panel").focus();
    return true;
  }

  closeHelp() {
    document.querySelector('[data-panel="help"]').click();
    this.from?.focus();
    this.from = null;
    return true;
  }
}
