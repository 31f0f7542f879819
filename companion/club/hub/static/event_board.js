// An event on a TV of its own: nothing to press.

import { Board } from "./board.js";
import { ask, letIn, onLost } from "./event_ask.js";
import { ROOT, at, words, write } from "./parts.js";

const TURN_MS = 12000, LOOK_MS = 4000;

const number = Number(location.pathname.slice(ROOT.length).split("/")[2]);
const board = new Board(at("board"));

async function look() {
  const found = await ask(`/api/events/${number}`);
  if (found) write("link", found.error ?? "");
  if (found?.event) board.take(found);
}

onLost((lost) => {
  document.body.dataset.state = lost ? "lost" : "connected";
  write("link", lost ? words("event.lost") : "");
});
letIn(look);
setInterval(look, LOOK_MS);
setInterval(() => board.turn(), TURN_MS);
look();
