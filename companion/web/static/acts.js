// What takes one tap, and how one act is told from another.

export function nameOf({ entry, deed, at: place }) {
  return [deed, place, entry].join(" ");
}

export function has(acts, act) {
  return acts.some((one) => nameOf(one) === nameOf(act));
}
