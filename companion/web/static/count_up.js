// Makes a score that has grown count up to its new value.

import { lessMotion } from "./motion.js";

const LASTS_MS = 700;

let counting = [];  // {place, from, to}
let begun = 0;
let frame = 0;

// Ends all counting: each score shows its value.
export function stopCountingUp() {
  cancelAnimationFrame(frame);
  for (const { place, to } of counting) stand(place, to);
  counting = [];
}

export function countUp(place, from, to) {
  if (lessMotion() || document.hidden) return;
  if (!counting.length) {
    begun = performance.now();
    frame = requestAnimationFrame(step);
  }
  counting.push({ place, from, to });
  place.textContent = from;
  place.classList.add("counting");
}

function step() {
  const part = (performance.now() - begun) / LASTS_MS;
  if (part >= 1) {
    stopCountingUp();
    return;
  }
  for (const { place, from, to } of counting) place.textContent = Math.round(from + (to - from) * part);
  frame = requestAnimationFrame(step);
}

function stand(place, score) {
  place.textContent = score;
  place.classList.remove("counting");
}
