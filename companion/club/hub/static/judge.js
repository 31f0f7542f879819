// The judge's page: open calls of bogus play with their evidence, rulings, which are sent to the table, and
// penalties.

import { ROOT, add, at, button, clear, words, write } from "./elements.js";
import { showPenalties } from "./event_penalty.js";
import { ask, promptForCode, confirmButton, showLostConnections } from "./event_data.js";

const POLL_MS = 2000, NAME = "judge";
let shown = "", known = [], opened = "";  // the table whose penalties are shown, as “event, table”

async function refresh() {
  const found = await ask("/api/calls");
  if (!found) return;
  at("judge").hidden = Boolean(found.error);
  write("link", found.error ? words("judge.only") : "");
  if (found.error) return;
  const text = JSON.stringify([found.calls, found.asked, found.playing]);
  if (text === shown) return;
  shown = text;
  write("answer", "");
  known = found.calls;
  showAsked(found.asked);
  show(known);
  showTables(found.playing);
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
      refresh();
    });
  }
}

// Shows the tables of each event that is being played; a tap on one shows its players' penalties.
function showTables(playing) {
  const place = at("penalties");
  clear(place);
  for (const { event, after, name, round, tables } of playing) {
    const part = add(place, "section", "part"), keys = add(part, "div", "acts");
    part.insertBefore(add(part, "h2", "", words("judge.penalties", { name })), keys);
    for (const { table, players } of [...tables].sort((one, other) => one.table - other.table)) {
      const at = `${event}.${table}`;
      const key = button(keys, "act", words("event.table", { number: table }), () => {
        opened = opened === at ? "" : at;
        showTables(playing);
      });
      key.setAttribute("aria-expanded", opened === at);
      if (opened === at) showPenalties(part, round, players, (entry) => give(event, after, entry));
    }
  }
}

async function give(event, after, { penalty }) {
  const by = at("name").value.trim();
  const found = await ask(`/api/events/${event}`, { after, entries: [{ penalty: { ...penalty, ...(by ? { by } : {}) } }] });
  if (found) {
    opened = "";
    shown = "";
    await refresh();
    at("answer").dataset.done = String(!found.error);
    write("answer", found.error ?? words("judge.penalty-given"));
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
  show(known);  // so that both keys ask for confirmation again
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
showLostConnections();
promptForCode(refresh);
setInterval(() => document.hidden || refresh(), POLL_MS);
refresh();
