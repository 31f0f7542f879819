// Functions for all pages, above all for making elements; text is never treated as markup.

import catalog from "./catalog.js";

// The path that all addresses of this site begin with, if a proxy has added one (behind_proxy.py); else
// empty.

export const ROOT = document.documentElement.dataset.root ?? "";

// Whether to avoid motion: nothing counts up, flashes, vibrates or sounds. By default as the device's
// settings have it; a key on the page changes it.

const wished = matchMedia("(prefers-reduced-motion: reduce)");

export function lessMotion() {
  return recall("less-motion") ?? wished.matches;
}

// Sets up the key “Less motion”.
export function placeMotion() {
  const show = () => at("less-motion").setAttribute("aria-pressed", lessMotion());
  at("less-motion").addEventListener("click", () => {
    keep("less-motion", !lessMotion());
    show();
  });
  show();
}

// -------------------------------------------------------------------- parts

// Plays short notes. Browsers play nothing before somebody has touched the page.

const LASTS_S = 0.22, LOUD = 0.2;

export class Notes {
  // `isOn` returns whether sounds are turned on. A browser without AudioContext (`Sound`) plays none.
  constructor(isOn) {
    this.Sound = window.AudioContext ?? window.webkitAudioContext;
    this.sound = null;
    addEventListener("pointerdown", () => isOn() && this.wake(), { capture: true });
  }

  wake() {
    this.sound = this.sound ?? new this.Sound();
    if (this.sound.state === "suspended") this.sound.resume();
  }

  // Plays notes, each with its pitch in hertz and its seconds from now.
  play(notes) {
    this.wake();
    const { sound } = this, now = sound.currentTime;
    for (const [pitch, after] of notes) {
      const note = sound.createOscillator(), volume = sound.createGain(), when = now + after;
      note.frequency.value = pitch;
      volume.gain.setValueAtTime(LOUD, when);
      volume.gain.exponentialRampToValueAtTime(0.001, when + LASTS_S);
      note.connect(volume).connect(sound.destination);
      note.start(when);
      note.stop(when + LASTS_S);
    }
  }
}

// -------------------------------------------------------------------- parts

// Like fetch, but fails if the answer doesn't come within `ms` milliseconds; browsers notice a dead
// connection only after minutes.

export function fetchWithin(ms, place, asked = {}) {
  const patience = new AbortController();
  setTimeout(() => patience.abort(), ms);
  return fetch(ROOT + place, { ...asked, signal: patience.signal });
}

// -------------------------------------------------------------------- parts

// The page's storage. Private windows may refuse to store anything. Tables behind the same proxy share one
// storage, so the path is part of the keys.

export const SURFACE = `phone-${fresh()}`;
export const DEVICE = recall("device") ?? fresh();
keep("device", DEVICE);

export function keep(name, value, place = "localStorage") {
  try {
    if (value === null) window[place].removeItem(ROOT + name);
    else window[place].setItem(ROOT + name, JSON.stringify(value));
  } catch { /* then it is asked again */ }
}

export function recall(name, place = "localStorage") {
  try {
    return JSON.parse(window[place].getItem(ROOT + name));
  } catch {
    return null;
  }
}

// Sixteen letters and digits that nobody can guess.
export function fresh() {
  const letters = "abcdefghijklmnopqrstuvwxyz234567";
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => letters[byte & 31]).join("");
}

// -------------------------------------------------------------------- parts

// The page's own texts, by their keys in the catalogue (companion/presentation/page_words.py).

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b]/;

// The sentence with that key, with its {parts} filled in; throws if the catalogue lacks the key.
export function words(key, parts = {}) {
  if (!(key in catalog)) throw new Error(key);
  return catalog[key].replace(/\{(\w+)\}/g, (_, name) => isolated(parts[name]));
}

// The names joined with `between`, in the order of the list even if some are right-to-left.
export function listed(names, between = ", ") {
  return names.map(isolated).join(between);
}

// Isolates a part of a sentence from its writing direction; see companion/core/words.py.
function isolated(part) {
  return RIGHT_TO_LEFT.test(part) && !String(part).includes("\u2068") ? `\u2068${part}\u2069` : part;
}

// -------------------------------------------------------------------- parts

// Spoken names of tiles: “five-blank” and “double six” instead of 5-0 and 6-6. Each language has its own
// words (TILE in companion/presentation/page_words.py).

// The words for the halves of a double-six set; higher halves are spoken as numbers.
const halves = () => [
  words("tile.half-0"), words("tile.half-1"), words("tile.half-2"), words("tile.half-3"),
  words("tile.half-4"), words("tile.half-5"), words("tile.half-6"),
];
const doubles = () => [
  words("tile.double-0"), words("tile.double-1"), words("tile.double-2"), words("tile.double-3"),
  words("tile.double-4"), words("tile.double-5"), words("tile.double-6"),
];
const TILE = /\b(\d{1,2})-(\d{1,2})\b/g;

// The text with each tile replaced by its spoken name, the higher half first.
export function tilesCalled(text) {
  return text.replace(TILE, (_, one, other) => called(...[Number(one), Number(other)].sort((a, b) => b - a)));
}

function called(high, low) {
  if (high === low) return doubles()[high] ?? words("tile.double", { half: high });
  return words("tile.both", { high: halves()[high] ?? high, low: halves()[low] ?? low });
}

// -------------------------------------------------------------------- parts

export const at = (id) => document.getElementById(id);

const UNBROKEN = /((?:\d+|W)-(?:\d+|W))/;

const KNOWN = new Set(["red", "blue", "green", "yellow", "black", "white", "orange", "pink"]);

export function write(id, text) {
  if (at(id).textContent !== String(text)) put(at(id), text);
}

// Sets the text of an element, unless it has this text already. Keeps the name of a tile on one line, as
// browsers would break 6-3 after its hyphen.
export function put(element, text) {
  const parts = String(text).split(UNBROKEN);
  element.textContent = parts[0];
  parts.slice(1).forEach((part, number) => {
    if (number % 2) element.append(part);
    else add(element, "span", "unbroken").textContent = part;
  });
}

export function clear(element) {
  while (element.lastChild) element.lastChild.remove();
}

export function add(parent, name, kind, text) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  if (text !== undefined) put(element, text);
  parent.append(element);
  return element;
}

export function colour(element, name) {
  element.dataset.colour = KNOWN.has(name) ? name : "other";
}

// Adds a button with this text that calls `act` when tapped.
export function button(parent, kind, text, act) {
  const made = add(parent, "button", kind, text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}
