// On a phone that keys, the drawing takes the room that the rest of the player's turn leaves on the screen.

import { at } from "./parts.js";

const LEAST = 60, BELOW = 8;  // pixels
const narrow = matchMedia("(max-width: 39.99rem)");

export function fit() {
  const board = at("board"), drawing = board.querySelector("svg");
  const keys = document.querySelector(".at-hand").getBoundingClientRect();
  if (!narrow.matches || !drawing || !keys.height) {
    board.style.removeProperty("--room");
    return;
  }
  const { height } = drawing.getBoundingClientRect();
  const room = height + innerHeight - (keys.bottom + scrollY) - BELOW;
  board.style.setProperty("--room", `${Math.max(LEAST, Math.floor(room))}px`);
}

addEventListener("resize", fit);
