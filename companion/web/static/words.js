// The page's own words, by their keys in the catalogue (companion/presentation/page_words.py).

import catalog from "./catalog.js";

// The sentence under that key, with its {parts} filled in; throws if the catalogue lacks the key.
export function words(key, parts = {}) {
  if (!(key in catalog)) throw new Error(key);
  return catalog[key].replace(/\{(\w+)\}/g, (_, name) => parts[name]);
}
