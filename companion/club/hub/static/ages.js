// Times as short texts: how long ago something was, and how long a box has been silent.

import { words } from "./elements.js";

const STEPS = [[120, 1, "seconds"], [7200, 60, "minutes"], [172800, 3600, "hours"], [Infinity, 86400, "days"]];

export function agoWords(seconds) {
  if (seconds < 5) return words("club.now");
  const [, unit, kind] = STEPS.find(([below]) => seconds < below);
  return words(`club.${kind}`, { number: Math.floor(seconds / unit) });
}

export function unheardWords(seconds) {
  if (seconds === null) return words("club.unheard-ever");
  const [, unit, kind] = STEPS.find(([below, , name]) => seconds < below || name === "hours");
  return words(`club.unheard-${kind}`, { number: Math.floor(seconds / unit) });
}

// The seconds of the browser's own clock, which setting the time doesn't change.
export function now() {
  return performance.now() / 1000;
}
