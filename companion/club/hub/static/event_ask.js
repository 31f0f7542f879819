// Asks the hub, with the word that this page was let in by.

import { at, fetchWithin, words, write } from "./parts.js";
import { held, remember, takeWord, word } from "./wire.js";

const ANSWERS_WITHIN_MS = 20000;

let lost = () => {};
let looks = () => {};

export function onLost(act) {
  lost = act;
}

// Lets somebody without a word type one, and then calls `look`.
export function letIn(look) {
  looks = look;
  takeWord();
  at("door").addEventListener("submit", (event) => {
    event.preventDefault();
    remember(at("code").value.trim().toLowerCase());
    looks();
  });
}

// Asks the hub, and gives its answer as an object; null: there was none, or the word doesn't let us in.
export async function ask(path, said) {
  const shown = word();
  const headers = { Authorization: ["bearer", shown ?? ""].join(" ") };
  const asked = said === undefined ? { headers } : { headers, method: "POST", body: JSON.stringify(said) };
  let answer, found;
  try {
    answer = await fetchWithin(ANSWERS_WITHIN_MS, path, asked);
    found = await answer.json();
  } catch {
    lost(true);
    return null;
  }
  lost(false);
  at("door").hidden = answer.status !== 401;
  if (answer.status === 401) {
    document.body.dataset.state = "refused";
    write("link", words("link.no-word"));
    return null;
  }
  held(shown, false);
  return found;
}
