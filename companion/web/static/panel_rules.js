// The house rules of the game and the settings of the table; the order of seats, and ending the game.

import { add, button, listed, words } from "./parts.js";

export function draw(place, told, panels) {
  const { keying } = panels;
  add(place, "h2", "", words("view.rules"));
  if (told.rules?.length) {
    const list = add(place, "ul", "rules");
    for (const rule of told.rules) {
      const line = add(list, "li", rule.usual ? "" : "unusual");
      add(line, "b", "", rule.said.words);
      add(line, "span", "because", rule.meaning);
    }
    add(place, "p", "quiet", words("rules.stay"));
  } else add(place, "p", "quiet", words("rules.none"));
  if (keying.plays) acts(place, told, keying);
  if (told.settings?.length) add(place, "h3", "", words("rules.table"));
  for (const setting of told.settings ?? []) offer(place, setting, keying);
}

function acts(place, told, keying) {
  const list = add(place, "p", "acts");
  if (told.may_reseat) {
    for (const seats of orders(told.seats)) {
      const order = listed(seats.map((seat) => keying.named(seat)));
      const label = words("rules.order", { order });
      button(list, "act", label, () => keying.offer({ deed: "reseat", text: seats.join(" "), label }));
    }
  }
  if (told.may_end) button(list, "act", words("rules.end"), () => keying.offer({ text: "end", label: "" }));
}

// Other orders of the seats that are likely: the first stays, and two neighbours are swapped.
function orders([first, ...rest]) {
  if (rest.length === 1) return [[rest[0], first]];
  return rest.slice(1).map((_, place) => {
    const order = [...rest];
    [order[place], order[place + 1]] = [order[place + 1], order[place]];
    return [first, ...order];
  });
}

function offer(place, setting, keying) {
  const field = add(place, "label", "field", setting.label);
  const select = add(field, "select");
  for (const [value, text] of setting.choices) add(select, "option", "", text).value = value;
  select.value = setting.value;
  select.disabled = !keying.plays;
  select.addEventListener("change", () => keying.does({ deed: "set", text: `${setting.name} ${select.value}` }));
}
