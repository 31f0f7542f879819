// The word that lets this page in. It comes behind the # of an address and leaves the address bar at
// once; kept in the tab, so that it is there after a reload, and, if it lets play, for other tabs.

import { keep, recall } from "./memory.js";

const NAME = "word";
const HUB = document.body.dataset.live !== undefined;
const PAST = `;path=${HUB ? "/" : "/evenings"};samesite=strict`;  // where what was played is read, at a table by who plays
const PLACES = ["sessionStorage", "localStorage"];

// Takes the word out of the address, if one is there. Where nothing can be kept it stays there.
export function takeWord() {
  const word = location.hash.slice(1);
  if (word && remember(word)) history.replaceState(history.state, "", location.pathname + location.search);
}

// Whether it is kept.
export function remember(word) {
  keep(NAME, word, PLACES[0]);
  return recall(NAME, PLACES[0]) === word;
}

// The word has let us in: other tabs come in by it, too, unless they have one that lets play.
export function held(word, plays) {
  if (plays || recall(NAME, PLACES[1]) === null) keep(NAME, word, PLACES[1]);
  if (plays || HUB) document.cookie = `${NAME}=${word}${PAST}`;
}

// The word of this tab, or that of others; null: there is none.
export function word() {
  return recall(NAME, PLACES[0]) ?? recall(NAME, PLACES[1]) ?? (location.hash.slice(1) || null);
}

// That word lets nobody in any more.
export function forget(word) {
  for (const place of PLACES) if (recall(NAME, place) === word) keep(NAME, null, place);
  if (location.hash.slice(1) === word) history.replaceState(history.state, "", location.pathname + location.search);
}
