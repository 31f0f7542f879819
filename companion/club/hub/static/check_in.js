// The page for checking in by phone: people tap and confirm their own name, and get to “My evening”.

import { ROOT, add, at, clear, keep, recall, words, write } from "./elements.js";
import { compareNames, ask, promptForCode, confirmButton, showLostConnections } from "./event_data.js";

const POLL_MS = 4000;
const number = Number(location.pathname.slice(ROOT.length).split("/")[2]);
let shown = "", busy = 0;

async function refresh() {
  if (performance.now() < busy) return;
  const found = await ask(`/api/events/${number}`);
  if (found?.error) write("link", found.error);
  if (!found?.event) return;
  const waiting = found.event.players.filter(({ id }) => found.event.out.includes(id));
  const others = found.event.players.filter(({ id }) => !found.event.out.includes(id));
  const text = JSON.stringify([found.name, found.phones, waiting, others]);
  if (text === shown) return;
  shown = text;
  write("title", found.name);
  at("event").href = `${ROOT}/event/${number}`;
  at("expected").hidden = !found.phones;
  if (!found.phones) write("answer", words("event.no-phones"));
  show(at("people"), waiting);
  if (!waiting.length) add(at("people"), "li", "quiet", words("event.all-here"));
  at("here-already").hidden = !found.phones || !others.length;
  show(at("others"), others);
}

function show(place, people) {
  clear(place);
  for (const { id, name } of people.sort((one, other) => compareNames(one.name, other.name))) {
    const key = confirmButton(add(place, "li", ""), name, words("event.am-here", { name }), () => checkIn(id));
    key.addEventListener("click", () => { busy = performance.now() + 10000; });
  }
}

async function checkIn(id) {
  busy = 0;
  const found = await ask(`/api/events/${number}/here`, { id });
  if (!found) return;
  at("answer").dataset.done = String(!found.error);
  write("answer", found.error ?? words("event.welcome", { name: found.here }));
  shown = "";
  if (found.mine) {
    keep(`evening-${number}`, found.mine);
    location.href = `${ROOT}/event/${number}/mine#${found.mine}`;
  } else refresh();
}

at("mine").hidden = !recall(`evening-${number}`);
at("mine").href = `${ROOT}/event/${number}/mine`;

showLostConnections();
promptForCode(refresh);
setInterval(() => document.hidden || refresh(), POLL_MS);
refresh();
