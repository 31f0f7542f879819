// Acts, which take one tap: how one is told from another.

export function nameOf({ entry, deed, at: place }) {
  return [deed, place, entry].join(" ");
}

// The one of these acts that is the same as `act`; undefined if it can't be tapped any more.
export function sameOf(acts, act) {
  return acts.find((one) => nameOf(one) === nameOf(act));
}

export function has(acts, act) {
  return sameOf(acts, act) !== undefined;
}
