// Calls of bogus play that wait for a judge, with what proves them; a ruling goes to the table.

import { ROOT, add, at, button, clear, words, write } from "./elements.js";
import { ask, askForWord, confirmButton, showWhetherLost } from "./event_data.js";

const LOOK_MS = 2000, NAME = "judge";
let shown = "", known = [];

async function look() {
  const found = await ask("/api/calls");
  if (!found) return;
  at("judge").hidden = Boolean(found.error);
  write("link", found.error ? words("judge.only") : "");
  if (found.error) return;
  const text = JSON.stringify([found.calls, found.asked]);
  if (text === shown) return;
  shown = text;
  write("answer", "");
  known = found.calls;
  showAsked(found.asked);
  show(known);
  at("none").hidden = known.length + found.asked.length > 0;
}

// Shows the tables of an event to which players have called a judge from their phones.
function showAsked(asked) {
  const list = at("asked");
  clear(list);
  for (const { event, after, name, who, round, table } of asked) {
    const line = add(list, "li", "");
    add(line, "p", "alert", words("event.is-called", { name: who, table }));
    add(line, "p", "quiet", `${name}, ${words("event.round", { number: round })}`);
    button(line, "act", words("event.helped"), async () => {
      const found = await ask(`/api/events/${event}`, { after, entries: [{ helped: { round, table } }] });
      if (found?.error) write("answer", found.error);
      look();
    });
  }
}

function show(calls) {
  const place = at("calls");
  clear(place);
  for (const call of calls) showCall(add(place, "section", "part call"), call);
}

function showCall(place, call) {
  add(place, "h2", "", call.name);
  add(place, "p", "charge", call.charge);
  add(place, "p", "", call.evidence);
  add(place, "p", "verdict", call.verdict);
  if (call.holding) {
    const { tiles, pips } = call.holding;
    add(place, "p", "holding", words("judge.holds", { name: call.accused, tiles: tiles ? tiles.join("  ") : words("judge.pips", { pips }) }));
    add(place, "p", "quiet", words("judge.alone"));
  } else if (call.shown) add(place, "p", "quiet", words("judge.not-here"));
  else add(place, "p", "quiet", words("judge.not-shown", { name: call.accused }));
  if (call.proof) {
    const proof = add(place, "div", "proof");
    proof.innerHTML = call.proof;
  }
  const acts = add(place, "div", "acts"), name = call.accused;
  const clearKey = { pass: words("judge.pass-right", { name }), draw: words("judge.draw-right", { name }) }[call.turn] ?? words("judge.right", { name });
  for (const [bogus, label] of [[false, clearKey], [true, words("judge.could-play", { name })]]) {
    if (call.may.includes(bogus)) confirmButton(acts, label, words("judge.sure"), () => rule(call, bogus));
  }
  if (!call.may.length) add(place, "p", "quiet", words("judge.no-ruling"));
  add(add(place, "p", ""), "a", "", words("judge.to-table")).href = `${ROOT}/table/${call.box}`;
}

async function rule({ box, game, tip, seat }, bogus) {
  const judge = at("name").value.trim();
  show(known);  // both keys have to ask again
  if (!judge) {
    write("answer", words("judge.who"));
    at("answer").dataset.done = "false";
    at("name").focus();
    return;
  }
  const found = await ask(`/api/calls/${box}`, { judge, game, tip, seat, bogus });
  if (!found) return;
  at("answer").dataset.done = String(!found.error);
  write("answer", found.error ?? words("judge.sent"));
}

at("name").value = localStorage.getItem(ROOT + NAME) ?? "";
at("name").addEventListener("change", () => localStorage.setItem(ROOT + NAME, at("name").value.trim()));
at("who").addEventListener("submit", (event) => event.preventDefault());
showWhetherLost();
askForWord(look);
setInterval(() => document.hidden || look(), LOOK_MS);
look();
