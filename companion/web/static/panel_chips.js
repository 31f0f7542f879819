// Who holds which chips; counting a seat's own, and moving some as the table agrees.

import { add, button, clear, colour, words } from "./parts.js";

export function draw(place, told, panels) {
  add(place, "h2", "", words("view.chips"));
  const list = add(place, "ul", "holdings");
  for (const seat of told.seats ?? []) {
    const line = add(list, "li", "holding");
    colour(line, seat.colour);
    add(line, "b", "", seat.shown);
    add(line, "span", "pieces", words("chips.own", { pieces: seat.own.said.words }));
    add(line, "span", "pieces", words("chips.won", { pieces: seat.won.said.words }));
    if (seat.audit) add(line, "span", seat.audit.agrees ? "agrees" : "notice", seat.audit.said.words);
    if (told.may_correct && panels.keying.plays) offer(line, seat, panels);
  }
}

// A count that is being filled in stays, whatever else is entered.
export function keeps() {}

function offer(line, seat, panels) {
  const acts = add(line, "p", "acts");
  const form = add(line, "form", "asks");
  form.hidden = true;
  const open = (fill) => () => {
    clear(form);
    fill(form, seat, panels);
    form.hidden = false;
    form.dataset.touched = "";
    form.querySelector("input").focus();
  };
  button(acts, "act", words("chips.count"), open(count));
  button(acts, "act", words("chips.correct"), open(correct));
}

function closes(form) {
  button(form, "act", words("panel.back"), () => {
    delete form.dataset.touched;
    form.hidden = true;
  });
}

function number(form, label, most) {
  const field = add(form, "label", "field", label);
  const input = add(field, "input");
  input.inputMode = "numeric";
  input.pattern = "[0-9]{0,3}";
  input.autocomplete = "off";
  input.maxLength = 3;
  input.placeholder = "0";
  if (most !== undefined) input.setAttribute("aria-description", words("chips.most", { number: most }));
  return input;
}

function count(form, seat, panels) {
  add(form, "p", "asks-what", words("chips.how-many", { seat: seat.shown }));
  const inputs = seat.set.map((piece) => [piece.value, number(form, `${piece.value} ×`, piece.number)]);
  const recorded = seat.points;
  const counted = () => {
    const pieces = inputs.map(([value, input]) => [value, Number(input.value || 0)]);
    const points = pieces.reduce((sum, [value, many]) => sum + value * many, 0);
    const held = pieces.map((piece) => piece.join("x")).join("+");
    return { points, text: [seat.written.audit, points, held].join(" ") };
  };
  const so = add(form, "p", "sum");
  const mend = button(form, "act", words("chips.mend"), () => {
    const { points, text } = counted();
    const moved = [seat.written.chips, recorded - points, "counted"].join(" ");
    panels.keying.offer({ text: [moved, text].join("\n"), label: "" });
  });
  const say = () => {
    const { points } = counted();
    so.textContent = words("chips.sum", { points, recorded });
    mend.hidden = points === recorded;
  };
  say();
  form.addEventListener("input", say);
  add(form, "button", "act main", words("chips.write-down")).type = "submit";
  closes(form);
  form.onsubmit = (event) => {
    event.preventDefault();
    panels.keying.offer({ text: counted().text, label: "" });
  };
}

function correct(form, seat, panels) {
  add(form, "p", "asks-what", words("chips.move", { seat: seat.shown }));
  const points = number(form, words("chips.points"));
  const select = add(add(form, "label", "field", words("chips.which-way")), "select");
  const payee = panels.keying.named(seat.pays);
  add(select, "option", "", words("chips.over", { payee })).value = "";
  add(select, "option", "", words("chips.back", { payee })).value = "-";
  add(form, "button", "act main", words("chips.correct")).type = "submit";
  closes(form);
  form.onsubmit = (event) => {
    event.preventDefault();
    if (points.value) panels.keying.offer({ text: [seat.written.chips, select.value + points.value, "agreed"].join(" "), label: "" });
  };
}
