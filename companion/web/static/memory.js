// What a page remembers, and how it is called; private windows may refuse to.

export const SURFACE = `phone-${fresh()}`;

export function keep(name, value, store = localStorage) {
  try {
    if (value === null) store.removeItem(name);
    else store.setItem(name, JSON.stringify(value));
  } catch { /* then it is asked again */ }
}

export function recall(name, store = localStorage) {
  try {
    return JSON.parse(store.getItem(name));
  } catch {
    return null;
  }
}

function fresh() {
  const letters = "abcdefghijklmnopqrstuvwxyz234567";
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => letters[byte & 31]).join("");
}
