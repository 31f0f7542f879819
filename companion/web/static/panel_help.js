// Links to help: the chapter and the quick card of the game that is being played, and the whole manual,
// each a page of its own. A game's pages have its name. The cards, and the rules of High Five on a page,
// exist in every language; the chapters are in English only, which the links say to readers of other
// languages. Where one may key, what the keyboard does, and whether it does.

import { isOn, turn } from "./keyboard.js";
import { ROOT, add, words } from "./parts.js";

const ENGLISH = "en";

export function draw(place, _told, { keying }) {
  const played = keying.moment?.game;
  const language = document.documentElement.lang;
  const translated = language !== ENGLISH;
  add(place, "h2", "", words("view.help"));
  const list = add(place, "ul", "helps");
  const lead = (page, said, written) => {
    const link = add(add(list, "li"), "a", "", said);
    link.href = `${ROOT}/help/${page}`;
    link.hreflang = written;
    link.target = "_blank";
    link.rel = "noopener";
  };
  const english = (page, said) => lead(page, translated ? words("help.english", { page: said }) : said, ENGLISH);
  if (played && translated) lead(`${language}/quick-card-${played.name}`, words("help.card", { game: played.title }), language);
  if (translated) lead(`${language}/lesson`, words("help.lesson"), language);
  if (played) english(played.name, words("help.play", { game: played.title }));
  if (played && !translated) english(`quick-card-${played.name}`, words("help.card", { game: played.title }));
  english("manual", words("help.manual"));
  if (keying.plays) showKeys(place);
}

function showKeys(place) {
  const arms = words("keyboard.arms").split(" ");
  add(place, "h3", "", words("keyboard.title"));
  const list = add(place, "ul", "keyboard");
  add(list, "li", "", words("keyboard.lay", { right: arms[1][0], word: arms[1] }));
  add(list, "li", "", words("keyboard.do"));
  add(list, "li", "", words("keyboard.ok"));
  const chosen = add(place, "p", "keeping"), box = add(chosen, "input"), label = add(chosen, "label", "", words("keyboard.use"));
  Object.assign(box, { type: "checkbox", id: "use-keyboard", checked: isOn() });
  label.htmlFor = box.id;
  box.addEventListener("change", () => turn(box.checked));
}
