// The table laid over the picture of a stream: nothing to press, and a clear background. The address says
// how it looks, `?layout=bar` (or side, corners), and by how many seconds it lags, `&delay=20`: as much as
// the picture, so that nobody at the table can profit from watching.

import { Wire, placeDoor, showDoor } from "./connection.js";
import { show, showLink } from "./show_moment.js";

const LAYOUTS = new Map([["bar", "wide"], ["side", "square"], ["corners", "wide"]]);  // each with its shape of paper
const LONGEST_S = 600;

const asked = new URLSearchParams(location.search);
const layout = LAYOUTS.has(asked.get("layout")) ? asked.get("layout") : "bar";
const delayMs = Math.min(Math.max(Number(asked.get("delay")) || 0, 0), LONGEST_S) * 1000;
document.body.dataset.layout = layout;

// Shows a message with the delay, even the first one, or else loading the page anew would show the table at
// once.
export function told(message) {
  if (delayMs) setTimeout(show, delayMs, message);
  else show(message);
}
function state(name, text) {
  showLink(name, text);
  showDoor(name);
}
const wire = new Wire({ told, state }, { wants: [LAYOUTS.get(layout)], watchful: true });
placeDoor("watch", wire);
