// The table on a TV, without keys except for its sounds and its voice.

import { Aloud } from "./aloud.js";
import { TvCalls } from "./calls.js";
import { Connection, placeCodeForm, placeTvCode, showCodeForm } from "./connection.js";
import { at, fetchWithin, words, write } from "./elements.js";
import { shapeOf, show, showClock, showConnectionState, watchForWin } from "./show_moment.js";
import { Sounds, showEffects, showTvWin } from "./tv_show.js";

// On the box's own screen, while no game is played: the QR code that gives phones access.

const LOOKS_MS = 10000;  // the network may come up late, or change the address

// Checks the address and its code regularly; returns the function that does so at once.
export function placeWayIn(connection) {
  const { dataset } = document.body;

  async function refresh() {
    if (connection.invited || dataset.state !== "connected" || dataset.asked !== "asks.game") return;
    // Later it comes again, even if only half of the answer has come.
    const told = await fetchWithin(LOOKS_MS, "/way-in").then((answer) => answer.ok ? answer.json() : null).catch(() => null);
    if (!told) return;
    const { address, code, other } = told;
    const shown = [address, other].filter(Boolean).join("\n");
    const changed = at("way-address").textContent !== shown;
    write("way-address", shown);
    if (changed) at("way-code").innerHTML = code;
    at("way-in").hidden = !code;
  }

  setInterval(refresh, LOOKS_MS);
  return refresh;
}

// -------------------------------------------------------------------- tv

// Shows the proof of a call in steps: the line at the turn that is called bogus, the tiles in question
// highlighted, the sentence, the verdict, and the line as it is now. CSS shows and hides these by
// `data-proof`; a page that is opened later starts with the last step.

const STEPS = [["then", 3000], ["lit", 3000], ["said", 4000], ["judged", 5000], ["now", 0]];  // with the milliseconds that each step lasts
const REWOUND = new Set(["then", "lit", "said", "judged"]);

export class Rewind {
  constructor() {
    this.claim = undefined;  // the claim in the last message, as text; null if none
    this.step = "now";
    this.timer = 0;
    this.drawings = {};
  }

  // Receives a message with a moment after the page has shown it.
  update({ moment, drawing, proof }) {
    const claim = moment?.claim ?? null;
    const { by, accused, turn, verdict, tiles } = claim ?? {};
    const known = claim && [moment.number, moment.hand, by, accused, turn, verdict.key, ...tiles].join();
    const isNew = this.claim !== undefined && known !== this.claim;
    this.claim = known;
    this.drawings = { drawing, proof };
    if (isNew || !claim) this.go(proof && claim ? 0 : STEPS.length - 1);
    else this.show(this.step);
  }

  go(number) {
    clearTimeout(this.timer);
    const [step, lasts] = STEPS[number];
    const before = this.step;
    this.step = step;
    this.show(before);
    if (lasts) this.timer = setTimeout(() => this.go(number + 1), lasts);
  }

  // Shows the step; `before`: the previous one. Each message puts the newest drawing on the board, so the
  // proof's drawing has to be put there again.
  show(before) {
    document.body.dataset.proof = this.step;
    const { drawing, proof } = this.drawings, rewound = REWOUND.has(this.step);
    if (rewound && (before === this.step || !REWOUND.has(before))) at("board").innerHTML = proof ?? "";
    else if (!rewound && REWOUND.has(before)) at("board").innerHTML = drawing ?? "";
  }
}

// -------------------------------------------------------------------- tv

// Shows, while people sit down before a game, who sits where, with the code and the digits for others.

async function showSitting(sitting) {
  at("sit").hidden = !sitting;
  document.body.classList.toggle("sits", Boolean(sitting));
  if (!sitting) return;
  const { game, seats } = sitting;
  write("sit-game", game);
  write("sit-seated", words("sit.seated", { number: seats.filter(Boolean).length, seats: seats.length }));
  const { drawSeats } = await import("./sit_down.js");
  drawSeats(at("sit-seats"), sitting);
}

function showInvitation(invite) {
  at("sit-way").hidden = !invite;
  if (!invite) return;
  const { address, code, digits } = invite;
  at("sit-code").innerHTML = code;
  write("sit-says", words("sit.type-tv", { address }));
  write("sit-digits", digits);
}

// Marks names that are too long for one line, so that they are shown on two.
function wrapLongNames() {
  const isLong = (who) => who.scrollWidth > who.clientWidth;
  for (const who of [...document.querySelectorAll(".seats .who")].filter(isLong)) who.parentNode.classList.add("long");
}

const SEATS = document.body.dataset.live ? [] : ["seats"];  // a hub's page has no places
let showCode = null, lookForWayIn = null;
const calls = new TvCalls();
const sounds = new Sounds();
const rewind = new Rewind();
const wants = () => [innerHeight > innerWidth ? "square" : shapeOf(innerWidth, innerHeight), "proof", ...SEATS, ...aloud.wants];
const aloud = new Aloud({ changed: () => connection.setWants(wants()), word: () => connection.token, table: true });
export function onMoment(message) {
  show(message);
  wrapLongNames();
  showEffects(message.moment, sounds);
  aloud.update(message);
  rewind.update(message);
  watchForWin(message, connection, { replay: true });
  lookForWayIn?.();
}
function onState(name, text) {
  showConnectionState(name, name === "refused" && showCode ? "" : text);  // the code explains what to do
  showCodeForm(name);
  showCode?.(name);
  if (name === "connected") aloud.onConnected();
}

// Receives messages other than moments; at a hub they include which of the club's tables is shown now.
function onMessage({ panel, turn, silent, club, left_s, board, announced, voice, sitting, invite }) {
  if (sitting !== undefined) showSitting(sitting);
  if (invite !== undefined) showInvitation(invite);
  if (voice) aloud.speak(voice);
  if (board !== undefined) document.dispatchEvent(new CustomEvent("board", { detail: board }));  // event_board.js at a hub
  if (announced || club) calls.update(announced ?? club.announced);
  if (panel?.name === "win") showTvWin(panel);
  if (left_s !== undefined || club) showClock(left_s ?? club?.left_s);
  if (silent !== undefined) write("silent", silent);
  if (turn) at("turn").hidden = turn.all < 2;
  if (turn) write("turn", words("page.turn", turn));
}
const connection = new Connection({ onMoment, onMessage, onState }, { wants: wants(), watchful: true });
addEventListener("resize", () => connection.setWants(wants()));
placeCodeForm("watch", connection);
if (!document.body.dataset.live) {
  showCode = placeTvCode(connection);
  showCode(document.body.dataset.state);
  lookForWayIn = placeWayIn(connection);
}
