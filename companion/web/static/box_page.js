// The page of the box alone.

import { placeBox } from "./box.js";
import { Connection } from "./connection.js";
import { addCodeToLinks } from "./show_moment.js";

const box = placeBox(document.querySelector(".box"), () => true, { aloud: true });
box.listenTo(new Connection(box));
addCodeToLinks();
