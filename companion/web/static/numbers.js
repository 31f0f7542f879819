// A number that is asked for: a key each if there are few numbers, else digits to be typed.

import { add, at, button, clear } from "./parts.js";

const QUICK = 10;  // up to so many numbers have a key each

export class Numbers {
  constructor(tray) {
    this.tray = tray;
    at("numbers").addEventListener("submit", (event) => {
      event.preventDefault();
      this.enter(at("digits").value.trim());
    });
  }

  get asked() {
    const { numbers } = this.tray.keying.keys;
    return numbers.find(({ name }) => name === at("kind").value) ?? numbers[0];
  }

  // Whether each number that may be asked for has a key of its own.
  get allQuick() {
    const { numbers } = this.tray.keying.keys, [only] = numbers;
    return numbers.length === 1 && Boolean(only.step) && only.most / only.step <= QUICK;
  }

  enter(digits) {
    const { tray, asked } = this, { keying } = tray;
    if (!keying.takes(() => this.enter(digits), true)) return;
    if (!asked || !/^[0-9][0-9 ]*$/.test(digits) || !tray.keyedForSomebody()) return;
    tray.chosen = [];
    const text = asked.digits ? [...digits.replace(/ /g, "")].join(" ") : digits.replace(/ /g, "");
    keying.offer({ text: `${tray.written(asked.before)} ${text}`, label: "" });
  }

  // Shows the digits for a number that is asked for, among the `first` things if nothing else is asked.
  render(open, first) {
    const { keys, taps } = this.tray.keying, select = at("kind");
    const form = at("numbers"), place = first ? at("number-first") : at("number-else");
    if (form.parentElement !== place) place.prepend(form);
    form.hidden = !open || !keys.numbers.length || (first && this.allQuick);
    const kinds = JSON.stringify(keys.numbers);
    if (select.dataset.kinds !== kinds) {
      select.dataset.kinds = kinds;
      clear(select);
      for (const { name, label } of keys.numbers) add(select, "option", "", label.words).value = name;
      at("digits").value = "";
    }
    const quick = at("quick"), { most = -1, step = 1 } = this.asked ?? {}, least = step > 1 ? step : 0;
    const some = first && open ? Math.min(QUICK, Math.floor((most - least) / step) + 1) : 0;
    quick.hidden = !some;
    const drawn = `${some} ${step} ${taps}`;
    if (quick.dataset.drawn === drawn) return;
    quick.dataset.drawn = drawn;
    clear(quick);
    for (let place = 0; place < some; place += 1) {
      const number = least + place * step, label = step > 1 ? `+${number}` : String(number);
      const key = button(quick, "digit", label, () => this.enter(String(number)));
      key.setAttribute("aria-disabled", !taps);
    }
  }
}
