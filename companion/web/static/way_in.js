// On the box's own screen, while no game is played: the code by which phones come in.

import { fetchWithin } from "./fetch_within.js";
import { at, write } from "./parts.js";

const LOOKS_MS = 10000;  // the network may come late, or give another address

// Looks for the code again and again; returns the function that looks for it at once.
export function placeWayIn(wire) {
  const { dataset } = document.body;

  async function look() {
    if (wire.invited || dataset.state !== "connected" || dataset.asked !== "asks.game") return;
    const told = await fetchWithin(LOOKS_MS, "/way-in").catch(() => null);
    if (!told?.ok) return;
    const { address, code } = await told.json();
    const changed = at("way-address").textContent !== address;
    write("way-address", address);
    if (changed) at("way-code").innerHTML = code;
    at("way-in").hidden = !code;
  }

  setInterval(look, LOOKS_MS);
  return look;
}
