// The keyboard on a page that keys: what is typed becomes the tap that it stands for, a group of keys is one
// tab stop, and the focus is where the player goes on.

import { at, keep, recall, words, write } from "./elements.js";
import { COLLECTS, same } from "./entry_keys.js";

// ------------------------------------------------------------------ groups of keys

const STEPS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

// Makes one tab stop of all keys in `place`, also of those that come later: arrows lead from one to the next.
// Tab leads to the first tile that fits, else to the first key.
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

// The key that an arrow leads to: along a row to the next one, else to the nearest one above or below. Beyond
// the last one begins the first.
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

// Where the focus goes while somebody uses the keyboard: to what is asked, to OK, and after it to where the
// next play begins; with “Back” to where it was. A tap moves it nowhere.
export class Focus {
  constructor() {
    this.byKeys = false;  // whether the keyboard was used last
    this.before = null;  // what had the focus when the act began
    this.owed = false;  // whether it goes to the next play, once that is shown
    addEventListener("keydown", () => { this.byKeys = true; }, { capture: true });
    addEventListener("pointerdown", () => { this.byKeys = false; }, { capture: true });
  }

  begun() {
    const { activeElement } = document;
    if (!at("doing").contains(activeElement)) this.before = activeElement;
  }

  // An act is shown: goes to OK if it is `clear`, else to the first question without an answer.
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

  // Goes to where the next play begins.
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

// The tile of these that is typed as its two halves, “65” or “6-5”, with the arm, if one is typed behind it;
// undefined if there is none, or two: “112” of the large set.
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
  // `isFree` says whether the keyboard isn't the box's now.
  constructor(keying, isFree) {
    this.keying = keying;
    this.isFree = isFree;
    this.text = "";
    this.from = null;  // what had the focus when help was opened
    addEventListener("keydown", (event) => this.take(event) && event.preventDefault());
  }

  // Takes a key; returns whether it was meant for this.
  take(event) {
    const { key, target } = event, { keying, text } = this, inField = target.closest?.("input, select, textarea");
    if (event.repeat && key === "Enter") return Boolean(target.closest?.(".keying button"));  // else it would be OK at once
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

  // Shows what has been typed so far.
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

  // Enters what was typed, for the seat whose key is pressed, if it has to be asked for.
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
    else if (keying.doing.act) keying.drop();
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
