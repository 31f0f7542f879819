// The table on a TV: nothing to press.

import { placeDoor, showDoor } from "./door.js";
import { Rewind } from "./rewind.js";
import { shapeOf, show, showLink } from "./telling.js";
import { Wire } from "./wire.js";

const rewind = new Rewind();
const wants = () => [innerHeight > innerWidth ? "square" : shapeOf(innerWidth, innerHeight), "proof"];
export function told(message) {
  show(message);
  rewind.told(message);
}
function state(name, text) {
  showLink(name, text);
  showDoor(name);
}

const wire = new Wire({ told, state }, { wants: wants(), watchful: true });
addEventListener("resize", () => wire.want(wants()));
placeDoor("watch", wire);
