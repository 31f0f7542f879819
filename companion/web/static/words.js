// The page's own words, by their keys in the catalogue (companion/presentation/page_words.py).

import catalog from "./catalog.js";

// The sentence under that key, with its {parts}; a key that the catalogue lacks is a fault.
export function words(key, parts = {}) {
  if (!(key in catalog)) throw new Error(key);
  return catalog[key].replace(/\{(\w+)\}/g, (_, name) => parts[name]);
}
