// The table on a TV: nothing to press.

import { placeDoor, showDoor } from "./door.js";
import { shapeOf, show, showLink } from "./telling.js";
import { Wire } from "./wire.js";

const wants = () => [shapeOf(innerWidth, innerHeight)];
function state(name, text) {
  showLink(name, text);
  showDoor(name);
}

const wire = new Wire({ told: show, state }, { wants: wants(), watchful: true });
addEventListener("resize", () => wire.want(wants()));
placeDoor("watch", wire);
