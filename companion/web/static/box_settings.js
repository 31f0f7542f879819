// The page of a flashed card: the box's Wi-Fi, and a new version (companion/web/card.py).

import { accessCode, takeCode } from "./connection.js";
import { ROOT, add, at, button, clear, fetchWithin, words, write } from "./elements.js";

const AGAIN_MS = 3000;
const ANSWERS_WITHIN_MS = 10000;
let chosen = null; // the network chosen from the list; null if its name is typed

takeCode();

// `within`: the timeout in milliseconds, long for uploading a new version.
async function post(where, body, within = ANSWERS_WITHIN_MS) {
  const asked = { method: "POST", body, headers: { "X-Word": accessCode() ?? "" } };
  const answer = await (within === null ? fetch(ROOT + where, asked) : fetchWithin(within, where, asked));
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

const ask = (said) => post("/card/wifi", JSON.stringify(said));

async function refresh() {
  try {
    show(await ask({ ask: "state" }));
  } catch {
    write("joined", words("flashed.gone"));
  }
  setTimeout(refresh, AGAIN_MS);
}

function show(told) {
  at("wifi").hidden = Boolean(told.none);
  if (told.none) return;
  const open = told.open ? words("flashed.own") : words("flashed.none");
  write("joined", told.why || (told.joined ? words("flashed.joined", { name: told.joined }) : open));
  const list = at("networks"), now = JSON.stringify(told.networks);
  if (list.dataset.shown === now) return;
  list.dataset.shown = now;
  clear(list);
  for (const [name, bars, locked] of told.networks) {
    const made = button(list, "act", name, () => choose(name, locked));
    made.dataset.bars = bars;
  }
  if (!told.networks.length) add(list, "span", "said", words("flashed.no-networks"));
  // For a hidden network, or one that appeared after the box's search, such as a phone's.
  button(list, "act", words("flashed.another"), () => choose(null, true));
}

function choose(name, locked) {
  chosen = name;
  at("join").hidden = false;
  at("names").hidden = at("name").hidden = name !== null;
  at("password").hidden = !locked;
  at("password").value = "";
  const known = locked ? words("flashed.password", { name }) : words("flashed.no-password", { name });
  write("asks", name === null ? words("flashed.maybe-password") : known);
  if (name === null) at("name").focus();
  else if (locked) at("password").focus();
}

at("join").onsubmit = async (event) => {
  event.preventDefault();
  const name = chosen ?? at("name").value.trim();
  const told = await ask({ ask: "join", name, password: at("password").value, hidden: chosen === null })
    .catch(() => ({ fault: words("flashed.gone") }));
  write("asks", told.fault ?? words("flashed.joining", { name }));
  if (!told.fault) at("password").hidden = true;
};

at("file").onchange = async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  write("updating", words("flashed.sending"));
  try {
    const told = await post("/card/update", file, null);
    write("updating", told.fault ? words("flashed.no-room") : words("flashed.sent"));
  } catch {
    write("updating", words("flashed.not-sent"));
  }
};

at("load").onsubmit = async (event) => {
  event.preventDefault();
  try {
    const told = await post("/card/update-address", JSON.stringify({ address: at("address").value }));
    write("updating", told.fault ? words("flashed.no-address") : words("flashed.loading"));
  } catch {
    write("updating", words("flashed.gone"));
  }
};

refresh();
