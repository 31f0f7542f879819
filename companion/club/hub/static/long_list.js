// Long lists: a page shows the first entries, finds others by a search, and shows the rest after a tap on a key.

import { at, words } from "./elements.js";

const ON_PHONE = matchMedia("(max-width: 40rem)").matches;

// The text in lower case without accents, since few people type them in a search.
const plain = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();

export class LongList {
  // `find` and `more`: the ids of the search field and of the key; `phone` and `desk`: how many entries are
  // shown at first; `byPages`: a tap shows as many again, and not all the rest.
  constructor(find, more, { phone, desk, byPages = false }) {
    this.find = at(find);
    this.more = at(more);
    this.first = ON_PHONE ? phone : desk;
    this.step = byPages ? this.first : Infinity;
    this.reset();
  }

  // Shows only the first entries again.
  reset() {
    this.most = this.first;
  }

  // What is searched for, in lower case.
  get typed() {
    return this.find.value.trim().toLowerCase();
  }

  // Whether one of the texts contains the search, or has a word that begins with each of its words, or it is
  // exactly this number.
  fits(texts, number = null) {
    const typed = plain(this.typed), parts = typed.split(/\s+/);
    const has = (text) => text.includes(typed) || parts.every((part) => ` ${text}`.includes(` ${part}`));
    return texts.map(plain).some(has) || String(number) === this.typed;
  }

  // The entries of `found` to show now; updates the key, which a single entry more isn't worth. `show`: redraws
  // the list after another search or a tap on the key.
  shown(found, show) {
    const rest = found.length - this.most, all = rest <= 1;
    this.more.hidden = all;
    this.more.textContent = words("club.show-more", { number: Math.min(this.step, rest) });
    this.more.onclick = () => {
      this.most += this.step;
      show();
    };
    this.find.oninput = () => {
      this.reset();
      show();
    };
    return all ? found : found.slice(0, this.most);
  }

  // Hides the search field if so many entries need none.
  hideFor(number) {
    this.find.hidden = number <= this.first + 1 && !this.typed;
  }
}
