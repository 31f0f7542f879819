// The page of the box alone.

import { placeBox } from "./box.js";
import { keepWord } from "./telling.js";
import { Wire } from "./wire.js";

const box = placeBox(document.querySelector(".box"), () => true, { aloud: true });
box.listenTo(new Wire(box));
keepWord();
