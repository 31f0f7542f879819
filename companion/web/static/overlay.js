// The table as an overlay for a video stream: without keys, and with a transparent background. The address
// sets its layout, `?layout=bar` (or side, corners), and its delay in seconds, `&delay=20`, which should
// equal the stream's, so that nobody at the table can profit from watching.

import { Connection, placeCodeForm, showCodeForm } from "./connection.js";
import { show, showConnectionState } from "./show_moment.js";

const LAYOUTS = new Map([["bar", "wide"], ["side", "square"], ["corners", "wide"]]);  // each with its shape of drawing
const LONGEST_S = 600;

const asked = new URLSearchParams(location.search);
const layout = LAYOUTS.has(asked.get("layout")) ? asked.get("layout") : "bar";
const delayMs = Math.min(Math.max(Number(asked.get("delay")) || 0, 0), LONGEST_S) * 1000;
document.body.dataset.layout = layout;

// Shows a message with the delay. Even the first one is delayed, or reloading the page would show the table
// at once.
export function showDelayed(message) {
  if (delayMs) setTimeout(show, delayMs, message);
  else show(message);
}
function showState(name, text) {
  showConnectionState(name, text);
  showCodeForm(name);
}
const connection = new Connection({ onMoment: showDelayed, onState: showState }, { wants: [LAYOUTS.get(layout)], watchful: true });
placeCodeForm("watch", connection);
