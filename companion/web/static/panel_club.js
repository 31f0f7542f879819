// Joining a club, comparing the six digits, the state of the connection, leaving; and the small sign in the
// header.

import { add, at, button, words, write } from "./parts.js";

export function draw(place, told, panels) {
  const { club } = told, ask = (wish, address = "") => panels.keying.wire.send({ club: { wish, address } });
  add(place, "h2", "", club?.name || words("view.club"));
  if (!club) return;
  if (club.why) add(place, "p", "", club.why).setAttribute("role", "status");
  if (club.step === "asking") add(place, "p", "quiet", words("club.asking")).setAttribute("role", "status");
  else if (club.step === "comparing") compare(place, club, ask);
  else if (club.step === "joined") joined(place, club, ask);
  else offer(place, club, ask);
}

// An address that is being typed stays.
export function keeps(place, told, panels) {
  if (told.club?.step === "looking" || told.club?.step === "none") return;
  place.querySelector("[data-touched]")?.removeAttribute("data-touched");
  panels.heard(told);
}

function compare(place, club, ask) {
  add(place, "p", "club-digits", club.digits);
  add(place, "p", "", words("club.compare"));
  button(add(place, "p", "acts"), "act", words("club.differ"), () => ask("leave"));
}

function joined(place, club, ask) {
  if (club.called) add(place, "p", "", club.called);
  add(place, "p", "", words("club.stands", club)).setAttribute("role", "status");
  if (club.waiting) add(place, "p", "", words("club.waiting", club));
  if (club.mark) add(place, "p", "quiet", words("club.mark", club));
  add(place, "p", "quiet", words("club.from-now"));
  button(add(place, "p", "acts"), "act", words("club.leave"), (event) => sure(event.target, () => ask("leave")));
}

// The key for leaving was tapped: asks first, and acts on the second tap.
function sure(key, act) {
  if ("sure" in key.dataset) act();
  key.dataset.sure = "";
  key.textContent = words("club.leave-sure");
}

function offer(place, club, ask) {
  add(place, "p", "quiet", words("club.what"));
  const list = add(place, "p", "acts");
  for (const { name, address } of club.found) button(list, "act", words("club.join", { name }), () => ask("join", address));
  button(list, "act", club.step === "looking" ? words("club.looking") : words("club.look"), () => ask("look")).disabled = club.step === "looking";
  if (club.step === "ended") button(list, "act", words("club.leave"), () => ask("leave"));
  const form = add(place, "form", "acts calls"), field = add(form, "input");
  field.placeholder = "192.168.1.20";
  field.maxLength = 200;
  field.autocomplete = "off";
  field.setAttribute("autocapitalize", "none");
  field.setAttribute("aria-label", words("club.address"));
  field.addEventListener("input", () => { form.dataset.touched = ""; });
  add(form, "button", "act", words("club.ask")).type = "submit";
  form.onsubmit = (event) => {
    event.preventDefault();
    delete form.dataset.touched;
    if (field.value.trim()) ask("join", field.value.trim());
  };
}

// Shows the sign, also for a club that no longer takes anything.
export function showSign(club) {
  const sign = at("club-sign"), shown = Boolean(club?.name);
  sign.hidden = !shown;
  write("club-long", shown ? club.reached ? club.name : words("club.sign", club) : "");
  write("club-short", shown ? club.short : "");
  sign.dataset.reached = Boolean(club?.reached);
}
