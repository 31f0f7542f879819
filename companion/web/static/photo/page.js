// The page that read.mjs opens: reads the photos that it is given, one after the other, as a phone does.

import { toldOf } from "./reading.js";

readAll(Number(new URLSearchParams(location.search).get("many")));

async function readAll(many) {
  for (let number = 0; number < many; number += 1) {
    const told = await toldOf(await (await fetch(`/given/${number}`)).blob());
    await fetch(`/told/${number}`, { method: "POST", body: JSON.stringify(told) });
  }
}
