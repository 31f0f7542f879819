// The table on a TV: nothing to press but the key of its voice, while the table has one.

import { Aloud } from "./aloud.js";
import { placeDoor, placeTvCode, showDoor } from "./door.js";
import { at, write } from "./parts.js";
import { Rewind } from "./rewind.js";
import { showClock } from "./round.js";
import { shapeOf, show, showLink } from "./telling.js";
import { placeWayIn } from "./way_in.js";
import { showWin, watchForWin } from "./win.js";
import { Wire } from "./wire.js";
import { words } from "./words.js";

let showCode = null, lookForWayIn = null;
const rewind = new Rewind();
const wants = () => [innerHeight > innerWidth ? "square" : shapeOf(innerWidth, innerHeight), "proof", ...aloud.wants];
const aloud = new Aloud({ changed: () => wire.want(wants()), word: () => wire.token, table: true });
export function told(message) {
  show(message);
  aloud.told(message);
  rewind.told(message);
  watchForWin(message, wire);
  lookForWayIn?.();
}
function state(name, text) {
  showLink(name, name === "refused" && showCode ? "" : text);  // the code says what to do
  showDoor(name);
  showCode?.(name);
  if (name === "connected") aloud.linked();
}

// Takes messages other than moments, at a hub also which of the club's tables is shown now.
function heard({ panel, turn, silent, club, left_s, board, voice }) {
  if (voice) aloud.heard(voice);
  if (board !== undefined) document.dispatchEvent(new CustomEvent("board", { detail: board }));  // event_tv.js at a hub
  if (panel?.name === "win") showWin(panel);
  if (left_s !== undefined || club) showClock(left_s ?? club?.left_s);
  if (silent !== undefined) write("silent", silent);
  if (turn) at("turn").hidden = turn.all < 2;
  if (turn) write("turn", words("page.turn", turn));
}
const wire = new Wire({ told, heard, state }, { wants: wants(), watchful: true });
addEventListener("resize", () => wire.want(wants()));
placeDoor("watch", wire);
if (!document.body.dataset.live) {
  showCode = placeTvCode(wire);
  showCode(document.body.dataset.state);
  lookForWayIn = placeWayIn(wire);
}
