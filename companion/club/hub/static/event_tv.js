// Shows the board of the event that is being played on a TV that turns between tables.

import { Board } from "./board.js";
import { ask } from "./event_ask.js";
import { add } from "./parts.js";

const TURN_MS = 10000, LOOK_MS = 4000;
const place = add(document.body, "section", "event-board over-table");
const board = new Board(place);
let number = null;

async function look() {
  const found = number === null ? null : await ask(`/api/events/${number}`);
  if (found?.event) board.take(found);
}

document.addEventListener("board", ({ detail }) => {
  if (detail !== null && number === null) board.turn();
  number = detail;
  place.hidden = number === null;
  look();
});
place.hidden = true;
setInterval(look, LOOK_MS);
setInterval(() => number !== null && board.turn(), TURN_MS);
