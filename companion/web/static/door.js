// Who comes without the last part of the address types four digits, which a phone at the table
// shows by “Let others in”.

import { add, at, clear, write } from "./parts.js";
import { wordFor } from "./wire.js";
import { words } from "./words.js";

// `what` they let do here: play or watch.
export function placeDoor(what) {
  at("door").addEventListener("submit", async (event) => {
    event.preventDefault();
    const word = await wordFor(at("code").value.trim(), what);
    if (word) location.hash = word;
    else write("link", words("link.wrong-digits"));
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
    add(place, "p", "", words("door.closed"));
    return;
  }
  const code = add(place, "div", "qr");
  code.innerHTML = invite.code;
  code.setAttribute("role", "img");
  code.setAttribute("aria-label", words("door.code", invite));
  add(place, "p", "", words("door.photograph"));
  add(place, "p", "large", invite.address);
  add(place, "p", "", words("door.type"));
  add(place, "p", "digits", invite.digits);
  add(place, "p", "", words("door.hold"));
}
