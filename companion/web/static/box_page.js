// The page of the box alone.

import { placeBox } from "./box.js";
import { Wire } from "./connection.js";
import { keepWord } from "./show_moment.js";

const box = placeBox(document.querySelector(".box"), () => true, { aloud: true });
box.listenTo(new Wire(box));
keepWord();
