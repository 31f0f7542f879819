// The table on a TV: nothing to press.

import { shapeOf, show, showLink } from "./telling.js";
import { Wire } from "./wire.js";

const wants = () => [shapeOf(innerWidth, innerHeight)];
const wire = new Wire({ told: show, state: showLink }, { wants: wants(), watchful: true });
addEventListener("resize", () => wire.want(wants()));
