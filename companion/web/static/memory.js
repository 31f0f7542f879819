// What a page remembers, and under which keys; private windows may refuse to keep anything.

export const SURFACE = `phone-${fresh()}`;
export const DEVICE = recall("device") ?? fresh();
keep("device", DEVICE);

export function keep(name, value, place = "localStorage") {
  try {
    if (value === null) window[place].removeItem(name);
    else window[place].setItem(name, JSON.stringify(value));
  } catch { /* then it is asked again */ }
}

export function recall(name, place = "localStorage") {
  try {
    return JSON.parse(window[place].getItem(name));
  } catch {
    return null;
  }
}

// Sixteen letters and digits that nobody can guess.
export function fresh() {
  const letters = "abcdefghijklmnopqrstuvwxyz234567";
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => letters[byte & 31]).join("");
}
