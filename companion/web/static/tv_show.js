// Effects of a TV beside the table: chips that fly from the payer to the winner, the terms of the count,
// streaks and records, and at the end the podium with the best play. With less motion nothing moves.

import { Notes, add, at, clear, colour, keep, lessMotion, recall, words } from "./elements.js";
import { bestOf, countOf } from "./show_moment.js";

// -------------------------------------------------------------------- chips

const MOST_DISCS = 6;  // more chips of one kind than this are shown as “7 ×”
const FLIES_MS = 1100, AFTER_MS = 90;  // the duration of a chip's flight, and the delay until the next chip

// The chips to be given: the last entry's payments, and moves due after a correction.
function pendingPayments({ latest, seats, chips_to_move: due }) {
  const paid = (latest[0]?.payments ?? []).map((one) => ({ ...one, payer: one.from }));
  const moved = (due?.moves ?? []).map(({ parts, key, chips }) => key === "pays.back"
    ? { payer: parts.to, to: parts.payer, chips } : { payer: parts.payer, to: parts.to, chips });
  const known = new Set(seats.map((one) => one.seat));
  return (due ? moved : paid).filter(({ payer, to, chips }) => chips && known.has(payer) && known.has(to));
}

function cardOf(seat) {
  return [...document.querySelectorAll("#seats .seat")].find((card) => card.dataset.seats.split("\n").includes(seat));
}

function addDiscs(place, pieces) {
  for (const { value, number } of pieces) {
    if (number > MOST_DISCS) add(place, "span", "times", `${number} ×`);
    for (let disc = Math.min(number, number > MOST_DISCS ? 1 : MOST_DISCS); disc > 0; disc -= 1) {
      add(place, "span", "disc", value);
    }
  }
}

// Shows the chips beside their payer until they are moved; new ones also fly to the winner.
function showChips(moment, isNew) {
  for (const { payer, to, chips } of pendingPayments(moment)) {
    const card = cardOf(payer);
    if (!card || !cardOf(to)) continue;
    const place = add(card, "p", "to-give");
    place.setAttribute("aria-hidden", "true");  // the payment is described in words elsewhere
    colour(place, moment.seats.find((one) => one.seat === chips.colour)?.colour ?? chips.colour);
    addDiscs(place, chips.over);
    const taker = moment.seats.find((one) => one.seat === to);
    const arrow = add(place, "span", "to", `→ ${taker.sign}`);
    colour(arrow, taker.colour);
    if (isNew) fly(place, cardOf(to));
  }
}

function fly(place, card) {
  const goal = card.querySelector(".score").getBoundingClientRect();
  [...place.querySelectorAll(".disc")].forEach((disc, number) => {
    const from = disc.getBoundingClientRect(), flying = disc.cloneNode(true);
    flying.classList.add("flying");
    flying.dataset.colour = place.dataset.colour;
    Object.assign(flying.style, { left: `${from.left}px`, top: `${from.top}px`, transitionDelay: `${number * AFTER_MS}ms` });
    document.body.append(flying);
    flying.getBoundingClientRect();  // start at the chip's place
    const x = goal.left + goal.width / 2 - from.left, y = goal.top + goal.height / 2 - from.top;
    flying.style.transform = `translate(${x}px,${y}px)rotate(360deg)`;
    flying.classList.add("there");
    setTimeout(() => flying.remove(), FLIES_MS + number * AFTER_MS);
  });
}

// -------------------------------------------------------------------- count, highlights

function showTerms(moment) {
  const shown = countOf(moment), place = at("why");
  clear(place);
  shown?.terms?.forEach((term, number) => {
    if (number) add(place, "span", "plus", "+");
    add(place, "span", "term", term);
  });
}

function showHighlights({ highlights, finished }) {
  const place = at("highlights");
  clear(place);
  place.parentNode.classList.toggle("remarkable", Boolean(highlights) && !finished);
  if (!highlights || finished) return;
  for (const { key, words: text } of highlights.said) add(place, "li", key.includes("best-") ? "record" : "", text);
  if (highlights.leads) add(place, "li", "leads", highlights.leads.words);
}

// -------------------------------------------------------------------- win

const FRAME_MS = 1300, LAST_MS = 6000;

let over = null;  // the last moment of a finished game
let replay = 0;

// Shows the podium of a finished game.
function showPodium(place, { highlights, seats }) {
  const list = add(place, "ol", "podium"), places = highlights?.standings ?? [];
  place.classList.toggle("many", places.length > 4);
  list.dataset.many = places.length;
  places.forEach(({ place: number, seats: side, score }, at) => {
    const step = add(list, "li", "step"), named = side.map((name) => seats.find((one) => one.seat === name));
    step.style.order = at === 1 ? -1 : at;  // the second place is left of the first
    step.dataset.place = Math.min(number, 4);
    colour(step, named[0].colour);
    for (const seat of named) {
      const name = add(step, "p", "name");
      colour(name, seat.colour);
      add(name, "span", "sign", seat.sign).setAttribute("aria-hidden", "true");
      add(name, "span", "who", seat.shown);
    }
    const block = add(step, "p", "block");
    add(block, "span", "rank", number);
    add(block, "b", "", score);
  });
  for (const who of list.querySelectorAll(".who")) {
    const part = who.clientWidth / who.scrollWidth;
    if (part < 1) who.style.fontSize = `${Math.floor(part * 95) / 100}em`;  // so that the longest word fits
  }
}

const FALLING = 36, FALLS_MS = 6000;

// Lets chips in the winners' colours fall over the picture.
function rain({ seats, winners }) {
  const colours = seats.filter((one) => winners.includes(one.seat)).map((one) => one.colour);
  for (let number = 0; number < FALLING; number += 1) {
    const disc = add(document.body, "span", "disc falling", 5 * (1 + number % 2));
    colour(disc, colours[number % colours.length]);
    disc.setAttribute("aria-hidden", "true");
    disc.style.left = `${(number * 37) % 100}vw`;
    disc.style.animationDelay = `${2500 + (number * 173) % 2500}ms`;  // after the winner's step has appeared
    setTimeout(() => disc.remove(), FALLS_MS + 2500);
  }
}

function showBest(place, { best, replay: frames = [] }) {
  if (!best) return;
  const part = add(place, "section", "best-play"), line = add(part, "p", "best"), count = best.why?.parts.count;
  add(line, "span", "label", bestOf(best));
  add(line, "b", "", count ?? words("win.points", best));
  add(line, "span", "", best.said.words);
  if (!frames.length) return;
  const film = add(part, "div", "film");
  film.setAttribute("aria-hidden", "true");
  const showFrame = (number) => {
    film.innerHTML = frames[number];
    film.classList.toggle("last", number === frames.length - 1);
    if (lessMotion()) return;
    replay = setTimeout(() => showFrame((number + 1) % frames.length), number === frames.length - 1 ? LAST_MS : FRAME_MS);
  };
  showFrame(lessMotion() ? frames.length - 1 : 0);
}

function showEvening(place, { evening, games }) {
  const line = add(place, "p", "evening");
  if (games > 1) {
    add(line, "span", "label", words("win.evening"));
    for (const one of evening) {
      const player = add(line, "span", "one");
      add(player, "span", "who", one.shown);
      add(player, "b", "", one.won);
    }
  }
  add(line, "span", "again", words("win.again-phone"));
}

// Shows the panel about a finished game that the server has sent.
export function showTvWin(panel) {
  const place = at("win");
  clearTimeout(replay);
  clear(place);
  place.hidden = !over;
  if (!over) return;
  showPodium(place, over);
  const beside = add(place, "div", "replay");
  if (panel?.best) showBest(beside, panel);
  if (panel?.drawing) add(beside, "div", "chart").innerHTML = panel.drawing;
  showEvening(place, panel?.drawing ? panel : { games: 0 });
}

// -------------------------------------------------------------------- sound
// Off until somebody turns it on, here or by `?sounds` in the address, for a TV on which nobody taps.

const SOUNDS = { chip: [[1320, 0], [1760, 0.05]], record: [[660, 0], [880, 0.12], [1175, 0.24]],
  win: [[523, 0], [659, 0.15], [784, 0.3], [1047, 0.45], [784, 0.65], [1047, 0.8]] };  // hertz, seconds from now
const KEY = "tv-sounds";

export class Sounds {
  constructor() {
    this.notes = new Notes(() => this.on);
    this.on = recall(KEY) === true || new URLSearchParams(location.search).has("sounds");
    const key = at("sounds");
    key.hidden = !this.notes.Sound;
    key.addEventListener("click", () => this.turn(!this.on));
    key.setAttribute("aria-pressed", this.on);
  }

  turn(on) {
    this.on = on;
    keep(KEY, on || null);
    at("sounds").setAttribute("aria-pressed", on);
    if (on) this.play("chip");
  }

  play(name) {
    if (this.on && !lessMotion() && this.notes.Sound) this.notes.play(SOUNDS[name]);
  }
}

// -------------------------------------------------------------------- showing a moment

let known = null;  // the shown moment: game, row and entry

// Shows a moment's effects; call it after showing the table itself.
export function showEffects(moment, sounds) {
  const now = moment && `${moment.number} ${moment.row} ${moment.entry}`;
  const isNew = known !== null && now !== known, moves = isNew && !lessMotion();
  known = now ?? known;
  document.body.classList.toggle("moves", !lessMotion());
  if (!moment) return;
  showTerms(moment);
  showHighlights(moment);
  showChips(moment, moves);
  const wasOver = over !== null;
  over = moment.finished ? moment : null;
  if (!over) clearTimeout(replay);
  if (over && (isNew || !wasOver)) showTvWin(null);
  if (over && !wasOver && moves && moment.winners.length) rain(moment);
  if (!isNew) return;
  if (over && !wasOver && moment.winners.length) sounds.play("win");
  else if (moment.highlights?.said.length) sounds.play("record");
  else if (pendingPayments(moment).length) sounds.play("chip");
}
