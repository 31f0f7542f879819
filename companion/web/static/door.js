// Who comes without the last part of the address types four digits, which a phone at the table
// shows by “Let others in”.

import { add, at, clear, write } from "./parts.js";
import { wordFor } from "./wire.js";

// `what` they let do here: play or watch.
export function placeDoor(what) {
  at("door").addEventListener("submit", async (event) => {
    event.preventDefault();
    const word = await wordFor(at("code").value.trim(), what);
    if (word) location.hash = word;
    else write("link", "These digits don't hold. Look again at the phone: they change every two minutes.");
  });
}

export function showDoor(state) {
  at("door").hidden = state !== "refused";
}

// The invitation, as large as may be; null: the page listens on this machine only.
export function showInvitation(invite) {
  const place = at("invitation");
  clear(place);
  place.hidden = false;
  if (invite === null) {
    add(place, "p", "", "Only this machine can open the page. Start it with --lan to let phones in.");
    return;
  }
  const code = add(place, "div", "qr");
  code.innerHTML = invite.code;
  code.setAttribute("role", "img");
  code.setAttribute("aria-label", `A code for ${invite.address}`);
  add(place, "p", "", "Photograph it in the same Wi-Fi, not its guest network. Or open");
  add(place, "p", "large", invite.address);
  add(place, "p", "", "and type");
  add(place, "p", "digits", invite.digits);
  add(place, "p", "", "within two minutes. A TV opens the same with tv behind it.");
}
