// The table on a TV: nothing to press.

import { placeDoor, placeTvCode, showDoor } from "./door.js";
import { Rewind } from "./rewind.js";
import { shapeOf, show, showLink } from "./telling.js";
import { showWin, watchForWin } from "./win.js";
import { Wire } from "./wire.js";

let showCode = null;
const rewind = new Rewind();
const wants = () => [innerHeight > innerWidth ? "square" : shapeOf(innerWidth, innerHeight), "proof"];
export function told(message) {
  show(message);
  rewind.told(message);
  watchForWin(message, wire);
}
function state(name, text) {
  showLink(name, name === "refused" ? "" : text);  // the code says what to do
  showDoor(name);
  showCode?.(name);
}

const heard = ({ panel }) => panel?.name === "win" && showWin(panel);
const wire = new Wire({ told, heard, state }, { wants: wants(), watchful: true });
addEventListener("resize", () => wire.want(wants()));
placeDoor("watch", wire);
showCode = placeTvCode(wire);
showCode(document.body.dataset.state);
