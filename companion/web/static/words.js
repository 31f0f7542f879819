// The page's own words, by their keys in the catalogue (companion/presentation/page_words.py).

import catalog from "./catalog.js";

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b]/;

// The sentence under that key, with its {parts} filled in; throws if the catalogue lacks the key.
export function words(key, parts = {}) {
  if (!(key in catalog)) throw new Error(key);
  return catalog[key].replace(/\{(\w+)\}/g, (_, name) => isolated(parts[name]));
}

// The names with `between` between them, in the order of the list whatever letters they have.
export function listed(names, between = ", ") {
  return names.map(isolated).join(between);
}

// A part of a sentence; see companion/core/words.py.
function isolated(part) {
  return RIGHT_TO_LEFT.test(part) && !String(part).includes("\u2068") ? `\u2068${part}\u2069` : part;
}
