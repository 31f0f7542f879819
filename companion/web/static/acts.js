// What takes one tap, and how one act is told from another.

export function nameOf({ entry, deed, at: place }) {
  return [deed, place, entry].join(" ");
}

// The act among these as it is now; undefined where it can't be tapped any more.
export function sameOf(acts, act) {
  return acts.find((one) => nameOf(one) === nameOf(act));
}

export function has(acts, act) {
  return sameOf(acts, act) !== undefined;
}
