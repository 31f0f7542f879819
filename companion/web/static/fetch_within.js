// Fetches, and gives up once the answer hasn't come within so many milliseconds: that a connection is dead a
// browser notices only after minutes.

export function fetchWithin(ms, place, asked = {}) {
  const patience = new AbortController();
  setTimeout(() => patience.abort(), ms);
  return fetch(place, { ...asked, signal: patience.signal });
}
