// The page of a check: the parts plugged into the box, and a picture of the result
// (companion/web/server.py).

import { accessCode, takeCode } from "./connection.js";
import { ROOT, add, at, clear, fetchWithin, words, write } from "./elements.js";

const CHECKED_WITHIN_MS = 150000;  // longer than a check may take

takeCode();

async function post(where) {
  const answer = await fetchWithin(CHECKED_WITHIN_MS, where, { method: "POST", headers: { "X-Word": accessCode() ?? "" } });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer;
}

const NAMES = {
  pads: words("check.part-pads"), keypads: words("check.part-keypads"), tv: words("check.part-tv"),
  voice: words("check.part-voice"), stick: words("check.part-stick"),
  network: words("check.part-network"), disk: words("check.part-disk"), clock: words("check.part-clock"),
};
const RESULTS = {
  ok: words("check.is-ok"), "not-tried": words("check.is-not-tried"),
  warning: words("check.is-warning"), fault: words("check.is-fault"),
};

async function check() {
  write("said", words("check.wait"));
  for (const name of ["again", "draw", "renew", "hold", "picture"]) at(name).hidden = true;
  clear(at("parts"));
  try {
    show((await (await post("/check")).json()).parts);
  } catch {
    write("said", words("check.gone"));
  }
  at("again").hidden = false;
}

function show(parts) {
  const found = Object.entries(parts);
  write("said", found.length ? "" : words("check.failed"));
  for (const [part, { findings }] of found) {
    add(at("parts"), "dt", "", NAMES[part] ?? part);
    for (const one of findings) {
      const place = add(at("parts"), "dd", "", "");
      place.dataset.is = one.result;
      add(place, "b", "", RESULTS[one.result.replace(" ", "-")]);
      add(place, "span", "", one.remedy ? `${one.found} → ${one.remedy}` : one.found);
      if (one.renews_keypads) at("renew").hidden = false;
    }
  }
  at("draw").hidden = !found.length;
}

at("again").onclick = check;

at("draw").onclick = async () => {
  try {
    at("picture").src = ROOT + (await (await post("/check/picture")).json()).at;
    at("picture").hidden = at("hold").hidden = false;
    at("picture").scrollIntoView();
  } catch {
    write("said", words("check.gone"));
  }
};

at("renew").onclick = async () => {
  try {
    await post("/check/keypads");
    write("said", words("check.renewing"));
    at("renew").hidden = true;
  } catch {
    write("said", words("check.gone"));
  }
};

check();
