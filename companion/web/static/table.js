// The table, and beside it the box where there is room.

import { placeBox } from "./box.js";
import { keepWord, shapeOf, show, showLink } from "./telling.js";
import { Wire } from "./wire.js";

const room = matchMedia("(min-width: 84rem) and (min-height: 40rem)");
const box = placeBox(document.querySelector(".box"), () => room.matches);

// Beside the box the table has less width.
function wants() {
  return room.matches ? ["box", "landscape"] : [shapeOf(innerWidth, innerHeight)];
}

const wire = new Wire({
  told: show,
  picture: box.picture,
  state(name, text) {
    showLink(name, text);
    box.state(name, text);
  },
}, { wants: wants(), watchful: true });
box.listenTo(wire);
addEventListener("resize", () => wire.want(wants()));
keepWord();
