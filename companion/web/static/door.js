// How phones come in: somebody without a word types four digits, which the box or a phone at the table
// shows by “Let phones in”.

import { add, at, button, clear, fresh, words, write } from "./parts.js";
import { wordFor, wordOfTv } from "./wire.js";

const ASK_EVERY_MS = 2500;

// Asks for the digits. `what` they allow here: play or watch. A club's hub has no digits: its word itself
// is typed.
export function placeDoor(what, wire) {
  if (document.body.dataset.live) {
    Object.assign(at("code"), { maxLength: 40, size: 16, inputMode: "text", autocapitalize: "none", spellcheck: false });
  }
  at("door").addEventListener("submit", async (event) => {
    event.preventDefault();
    const word = await wordFor(at("code").value.trim(), what).catch(() => "");
    if (word) wire.comeIn(word);
    else write("link", word === null ? words("link.wrong-digits") : words("keying.no-link"));
  });
}

export function showDoor(state) {
  at("door").hidden = state !== "refused";
}

// On a TV that is not let in: shows a code, and keeps asking whether a phone has let it in.
export function placeTvCode(wire) {
  const place = at("tv-code");
  let name = null;
  setInterval(async () => {
    if (name === null || document.hidden) return;
    const word = await wordOfTv(name).catch(() => null);
    if (word && name !== null) wire.comeIn(word);
  }, ASK_EVERY_MS);
  return (state) => {
    place.hidden = state !== "refused";
    if (place.hidden) name = null;
    else if (name === null) {
      name = fresh();
      place.querySelector("img").src = `/tv-code/${name}`;
    }
  };
}

// On a phone that has scanned a TV's code: asks the person whether to let the TV in.
export function placeLetIn(wire) {
  const place = at("let-in"), name = new URLSearchParams(location.search).get("tv");
  if (name) history.replaceState(history.state, "", location.pathname + location.hash);
  const answer = (lets) => {
    if (lets && !wire.send({ letIn: name })) return;
    place.hidden = true;
    if (lets) write("answer", words("door.tv-in"));
  };
  at("let-in-yes").addEventListener("click", () => answer(true));
  at("let-in-no").addEventListener("click", () => answer(false));
  return () => {
    if (name && wire.access === "play" && !place.dataset.asked) place.hidden = false;
    if (wire.access === "play") place.dataset.asked = "yes";
  };
}

// “Let phones in” and other keys about phones, on a page that may play. Gives the functions that the
// connection calls.
export function placePhones(wire) {
  const place = at("invitation"), kept = at("keep-phone");
  at("invite").addEventListener("click", () => show(place.hidden));
  kept.addEventListener("change", () => wire.send({ keep: kept.checked }));

  function show(shown) {
    place.hidden = !shown;
    clear(place);
    wire.send({ invite: shown });
  }

  function askForNewCodes() {
    const asked = at("new-codes");
    clear(asked);
    add(asked, "p", "", words("door.new-codes-sure"));
    button(asked, "act", words("door.yes"), () => wire.send({ newCodes: true })).focus();
    button(asked, "act", words("door.no"), () => offerNewCodes(asked));
  }

  function offerNewCodes(asked) {
    clear(asked);
    button(asked, "act", words("door.new-codes"), askForNewCodes);
  }

  return {
    linked() {
      at("phones").hidden = at("past").hidden = wire.access !== "play";
      at("to-card").hidden = !wire.card;
      at("to-check").hidden = !wire.checked;
      at("keeping").hidden = !wire.invited;
      kept.checked = wire.kept;
      if (wire.access === "play" && !place.hidden) show(true);
    },
    heard(message) {
      if ("word" in message) kept.checked = message.kept;
      if (!("invite" in message) || place.hidden) return;
      clear(place);
      if (message.invite === null) {
        add(place, "p", "", message.why);
        return;
      }
      const { address, code, digits } = message.invite;
      const drawn = add(place, "div", "qr");
      drawn.innerHTML = code;
      drawn.setAttribute("role", "img");
      drawn.setAttribute("aria-label", words("door.code", { address }));
      add(place, "p", "", words("door.photograph"));
      add(place, "p", "large", address);
      add(place, "p", "", words("door.type"));
      add(place, "p", "digits", digits);
      add(place, "p", "", words("door.hold"));
      const codes = add(place, "div", "acts");
      codes.id = "new-codes";
      offerNewCodes(codes);
    },
  };
}
