// The round of a club's event at this table: how much of its time is left, and the given seats that wait to
// begin.

import { add, at, button, clear, listed, words, write } from "./parts.js";

let ends = null;  // when the round's time is up, by this browser's own clock; null: no clock runs

export function showClock(left) {
  ends = left === null || left === undefined ? null : performance.now() / 1000 + left;
  tick();
}

function tick() {
  const clock = at("round-clock");
  clock.hidden = ends === null;
  if (ends === null) return;
  const left = Math.max(0, Math.round(ends - performance.now() / 1000));
  clock.dataset.up = left === 0;
  write("round-clock", left ? words("round.left", { minutes: Math.floor(left / 60), seconds: String(left % 60).padStart(2, "0") }) : words("round.up"));
}
setInterval(tick, 500);

// Shows the seats that the club gives this table; a tap of anybody who plays begins, as OK does at the box.
export function showGiven(club, wire) {
  const place = at("given"), given = club?.given;
  clear(place);
  place.hidden = !given;
  if (!given) return;
  const names = listed(given.names);
  add(place, "h2", "", given.said);
  const text = given.others ? words("round.others", { names }) : words("round.clockwise", { names });
  add(place, "p", "", text);
  const key = button(place, "main", given.others ? words("round.so") : words("round.begin"), () => {
    key.disabled = true;
    wire.send({ club: { wish: "begin", address: given.place } });
  });
}
