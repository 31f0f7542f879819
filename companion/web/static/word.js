// The word that lets this page in. It comes behind the # of an address and leaves the address bar at once.
// It is kept in the tab, so that it is there after a reload, and, if it is a word to play, for other tabs.

import { keep, recall } from "./parts.js";

const NAME = "word";
const HUB = document.body.dataset.live !== undefined;
const PAST = `;path=${HUB ? "/" : "/evenings"};samesite=strict`;  // the pages of past evenings; at a table only players may read them
const PLACES = ["sessionStorage", "localStorage"];

// Takes the word out of the address, if one is there. If nothing can be kept, the word stays there.
export function takeWord() {
  const word = location.hash.slice(1);
  if (word && remember(word)) history.replaceState(history.state, "", location.pathname + location.search);
}

// Keeps the word in the tab; returns whether it could.
export function remember(word) {
  keep(NAME, word, PLACES[0]);
  return recall(NAME, PLACES[0]) === word;
}

// The word has let us in: keeps it for other tabs, too, unless they have a word to play already.
export function held(word, plays) {
  if (plays || recall(NAME, PLACES[1]) === null) keep(NAME, word, PLACES[1]);
  if (plays || HUB) document.cookie = `${NAME}=${word}${PAST}`;
}

// The word of this tab, else the one kept for all tabs; null: there is none.
export function word() {
  return recall(NAME, PLACES[0]) ?? recall(NAME, PLACES[1]) ?? (location.hash.slice(1) || null);
}

// Forgets a word that lets nobody in any more.
export function forget(word) {
  for (const place of PLACES) if (recall(NAME, place) === word) keep(NAME, null, place);
  if (location.hash.slice(1) === word) history.replaceState(history.state, "", location.pathname + location.search);
}
