// Shows a moment that the server has sent. All texts come from the server and are shown as plain text; only
// the drawing, made by the server, is markup.

import { ROOT, add, at, button, clear, colour, lessMotion, listed, tilesCalled, words, write } from "./elements.js";

// A club's event at this table: the time left of the round, and the given seats before the game begins.

let ends = null;  // when the round's time is up, by this browser's clock; null if no clock runs

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
if (at("round-clock")) setInterval(tick, 500);  // pages of the box alone and overlays have no clock

// Shows the seats that the club gives this table. A tap on the key begins the game, as OK does at the box.
export function showGiven(club, connection) {
  const place = at("given"), given = club?.given;
  clear(place);
  place.hidden = !given;
  if (!given) return;
  const names = listed(given.names);
  add(place, "h2", "", given.said);
  const text = given.others ? words("round.others", { names })
    : words(given.clockwise ? "round.clockwise" : "round.counter-clockwise", { names });
  add(place, "p", "", text);
  const key = button(place, "main", given.others ? words("round.so") : words("round.begin"), () => {
    key.disabled = true;
    connection.send({ club: { wish: "begin", address: given.place } });
  });
}

// -------------------------------------------------------------------- stars

// Stars: a tap marks an entry as memorable, and another tap removes the mark. Marked entries are shown at the
// end of the evening.

// Makes stars work: `mark` is called with an entry's name, and whether to mark it.
export function placeStars(mark) {
  at("entries").addEventListener("click", (event) => {
    const key = event.target.closest("button.star");
    if (!key) return;
    event.stopPropagation();
    mark(key.dataset.star, key.getAttribute("aria-pressed") !== "true");
  }, true);
}

// Adds an entry's star to its line; `tappable` on a page that may enter.
export function addStar(line, { star, said }, tappable) {
  if (!star || !(tappable || star.on)) return;
  const made = add(line, tappable ? "button" : "span", "star", star.on ? "★" : "☆");
  if (!tappable) {
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", words("star.remembered"));
    return;
  }
  made.type = "button";
  made.dataset.star = star.name;
  made.title = words("star.remember");
  made.setAttribute("aria-label", words("star.remember-entry", { entry: said.words }));
  made.setAttribute("aria-pressed", star.on);
}

export function showRemembered({ remembered, number }) {
  at("remembered").hidden = !remembered.length;
  const list = at("marked");
  clear(list);
  for (const one of remembered) {
    const line = add(list, "li");
    add(line, "span", "when", one.game === number ? words("star.hand", one) : words("star.game", one));
    add(line, "span", "said", one.said.words);
    if (one.why) add(line, "span", "because", one.why.words);
    for (const payment of one.payments) add(line, "span", "pays", payment.said.words);
  }
}

// -------------------------------------------------------------------- scores

// Makes a score count up to its new value.

const LASTS_MS = 700;

let counting = [];  // {place, from, to}
let begun = 0;
let frame = 0;

// Ends all counting at once: each score shows its new value.
export function stopCountingUp() {
  cancelAnimationFrame(frame);
  for (const { place, to } of counting) stand(place, to);
  counting = [];
}

export function countUp(place, from, to) {
  if (lessMotion() || document.hidden) return;
  if (!counting.length) {
    begun = performance.now();
    frame = requestAnimationFrame(step);
  }
  counting.push({ place, from, to });
  place.textContent = from;
  place.classList.add("counting");
}

function step() {
  const part = (performance.now() - begun) / LASTS_MS;
  if (part >= 1) {
    stopCountingUp();
    return;
  }
  for (const { place, from, to } of counting) place.textContent = Math.round(from + (to - from) * part);
  frame = requestAnimationFrame(step);
}

function stand(place, score) {
  place.textContent = score;
  place.classList.remove("counting");
}

// -------------------------------------------------------------------- moments

const FRESH_MS = 6000;
const SETTLED_MS = 20000;  // how long a TV still shows a closed dispute large
const TO_YOU = {  // headlines as addressed to the seat that they name
  "asks.turn": (seat) => words("keying.your-turn", { seat }),
  "asks.lead": (seat) => words("keying.you-lead", { seat }),
  "asks.deal-lead": () => words("keying.deal-you-lead"),
  "asks.show": (seat) => words("keying.you-show", { seat }),
  "asks.claim": () => words("keying.you-are-called"),
  "asks.holding": () => words("keying.you-are-bogus"),
};
const UNTOLD = new Set(["by.box", "by.a-phone"]);  // not shown, as they name nobody in particular

let place = null;
let box = undefined;  // the shown table's box, at a club's hub
let version = null;
let fresh = 0;
let settled = 0;
let tappable = false;
let known = null;
let corrected = null;  // the entry since which chips are due; its payments are shown with them
let counted = { game: null, scores: {} };  // the last shown scores

// Shows a message with a moment: the callback onMoment of a Connection.
export function show({ version: now, drawing, moment, table = null }) {
  if (version !== null && now !== version) {
    location.reload();
    return;
  }
  version = now;
  if (table?.box !== box) place = counted.game = null;  // the page now shows another table of the club
  box = table?.box;
  const titled = (title) => table ? words("page.at-table", { table: table.name, title }) : title;
  if (moment === null) {
    write("title", titled(words("page.table")));
    write("asked", table?.fault ?? words("page.not-shown"));
    document.body.dataset.asked = document.body.dataset.asked || "nothing";
    return;
  }
  const before = place;
  place = [moment.number, moment.row, moment.entry].join();
  const isNew = before !== null && before !== place;
  document.body.dataset.asked = moment.asked.key;
  document.body.dataset.claim = moment.claim ? "yes" : "no";
  const title = titled(moment.game ? moment.game.title : words("page.table"));
  document.title = moment.game ? words("page.scores", { scores: scores(moment), title }) : title;
  write("title", title);
  write("where", [moment.where, moment.match?.said].filter(Boolean).map((one) => one.words).join(" · "));
  showSeats(moment);
  write("asked", askedWords(moment));
  showCount(moment);
  at("board").innerHTML = drawing ?? "";
  describe(at("board").querySelector("svg"));
  at("board").hidden = drawing === null;
  at("welcome").hidden = moment.game !== null;
  write("news", moment.news?.announced ? moment.news.said.words : "");
  if (at("last-play")) write("last-play", moment.latest.length ? moment.latest[0].said.words : "");
  showClaim(moment, before === null);
  if (moment.chips_to_move) corrected = entryOf(moment);
  showPayments(moment, isNew);
  showDue(moment);
  showRemembered(moment);
  if (at("entries")) showEntries(moment.latest);
  write("sentence", tilesCalled(moment.sentence.words));
}

// Shows the connection's state: the callback onState of a Connection.
export function showConnectionState(name, text) {
  const body = document.body;
  if (name === "lost" && body.dataset.state === "connected") body.dataset.since = clock();
  body.dataset.state = name;
  const since = body.dataset.since;
  const lost = since && text === words("link.lost") ? words("link.lost-since", { time: since }) : text;
  write("link", name === "connected" ? "" : lost);
}

// Adds the access code behind the # of the address to links to our other pages.
export function addCodeToLinks() {
  for (const link of document.querySelectorAll("[data-keeps-word]")) {
    link.href = link.getAttribute("href").split("#")[0] + location.hash;
  }
}

// The shape of drawing that fits an area of this size best.
const SHAPES = { strip: 5 / 2, wide: 16 / 9, landscape: 4 / 3, square: 1 };

export function shapeOf(width, height) {
  const far = (name) => Math.abs(Math.log(SHAPES[name] * height / width));
  return Object.keys(SHAPES).reduce((one, other) => far(other) < far(one) ? other : one);
}

// Repeats the drawing's description beside it, as some screen readers don't find it inside.
function describe(drawing) {
  write("described", tilesCalled(drawing?.querySelector("desc")?.textContent ?? ""));
  drawing?.setAttribute("aria-describedby", "described");
}

function showSeats(moment) {
  const list = at("seats"), cards = scorers(moment), partners = cards.some((side) => side.length > 1);
  const before = moment.number !== null && counted.game === moment.number ? counted.scores : {};
  counted = { game: moment.number, scores: {} };
  stopCountingUp();
  clear(list);
  list.dataset.many = cards.length;
  list.classList.toggle("partners", partners);
  for (const side of cards) {
    const card = add(list, "li", "seat"), [seat] = side;
    colour(card, seat.colour);
    card.dataset.seat = seat.seat;
    card.dataset.seats = side.map((one) => one.seat).join("\n");
    card.classList.toggle("to-move", side.some((one) => one.to_move));
    card.classList.toggle("won", seat.won);
    if (partners && cards.length === 2) add(card, "p", "us-or-them").hidden = true;
    for (const one of side) {
      const name = add(card, "p", "name");
      colour(name, one.colour);
      name.classList.toggle("moves", partners && one.to_move);
      const sign = add(name, "span", "sign", one.sign);
      sign.setAttribute("aria-hidden", "true");
      add(name, "span", "who", one.shown);
      if (partners && one.labels.tiles) add(name, "span", "tiles", one.labels.tiles.words);
    }
    const score = add(card, "p", "score", seat.score);
    if (seat.score > before[seat.seat]) countUp(score, before[seat.seat], seat.score);
    counted.scores[seat.seat] = seat.score;
    if (seat.to_win !== null) {
      const race = add(card, "p", "race");
      race.setAttribute("aria-hidden", "true");
      const done = Math.max(0, seat.score) / Math.max(1, seat.score + seat.to_win);
      add(race, "span").style.width = `${Math.min(100, done * 100)}%`;
    }
    const more = add(card, "p", "more");
    for (const [kind, label] of Object.entries(seat.labels)) {
      if (label && !(seat.won && kind === "to_win") && !(partners && kind === "tiles")) add(more, "span", kind, label.words);
    }
  }
}

// Adds the headings “Us” and “Them” to the cards of two sides on the page of a seat (null if the page has
// none).
export function showSides({ sides = [] }, seat) {
  const own = sides.find((side) => side.includes(seat));
  for (const head of at("seats").querySelectorAll(".us-or-them")) {
    head.hidden = !own;
    head.textContent = own ? words(own.includes(head.parentElement.dataset.seat) ? "role.us" : "role.them") : "";
  }
}

// The count of the line of play, if it is known and shown, with the tile that made it and its terms.
export function countOf({ table, latest, hand }) {
  const count = table?.kind === "line" ? table.count : null;
  if (count === null || !table.tiles.length && !table.unplaced) return null;
  const lay = latest.find((entry) => entry.hand === hand && entry.why?.parts.count !== undefined);
  const { tile, terms } = lay && lay.why.parts.count === count ? lay.why.parts : {};
  return { count, tile, terms, scores: table.scores ?? (count > 0 && count % 5 === 0) };
}

// What is asked; before the first hand with how many tiles each player draws, if the rules fix that.
function askedWords({ asked, options }) {
  const number = asked.key === "asks.deal-first" && Number(options?.deal);
  return number ? words("keying.deal-first", { number }) : asked.words;
}

function showCount(moment) {
  const shown = countOf(moment);
  at("count").hidden = !shown;
  if (!shown) return;
  write("number", shown.count);
  at("count").dataset.scores = shown.scores;
  const of = shown.tile ? `${shown.tile}: ` : "";
  write("why", shown.terms ? of + shown.terms.join("+") : "");
}

// Rewords texts about the page's seat with “you”. `asks` and `seats`: the present question, and its seats.
// Returns whether the page's seat has something to do.
export function addressSeat(seat, moment, { asks, seats }) {
  const to = moment.seats.find((one) => one.seat === seat), { asked } = moment;
  const named = to !== undefined && [to.seat, to.shown].includes(asked.parts.seat);
  const shows = asks === "show" && !moment.finished && seats.includes(seat), key = shows && !named ? "asks.show" : asked.key;
  const said = named || shows ? TO_YOU[key] : undefined;
  const won = to !== undefined && moment.finished && moment.winners.includes(seat) && !asked.key.startsWith("asks.match-");
  if (won) write("asked", words("keying.you-won", { seat: to.shown }));
  else write("asked", said ? said(to.shown) : askedWords(moment));
  document.body.classList.toggle("your-turn", Boolean(said) && to.to_move);
  const [lines, paying] = [at("payments").children, moment.latest.find((entry) => entry.payments.length)];
  paying?.payments.forEach((payment, number) => {
    const line = lines[number]?.querySelector(".pays"), { points } = payment;
    const named = (seat) => moment.seats.find((one) => one.seat === seat)?.shown ?? seat;
    if (!line || payment.points < 0 || !payment.from) return;
    const all = payment.said.key === "pays.rest";
    const paid = { payer: named(payment.from), to: named(payment.to), points };
    if (payment.from === seat) line.textContent = all ? words("keying.you-pay-rest", paid) : words("keying.you-pay", paid);
    else if (payment.to === seat) line.textContent = all ? words("keying.pays-you-rest", paid) : words("keying.pays-you", paid);
    else line.textContent = payment.said.words;
  });
  return Boolean(said) && key !== "asks.deal-lead";
}

function showClaim({ claim, ruling }, wasThere) {
  clearTimeout(settled);
  document.body.classList.toggle("settled", ruling !== null && wasThere);
  if (ruling) settled = setTimeout(() => document.body.classList.add("settled"), SETTLED_MS);
  at("claim").hidden = !claim && !ruling;
  write("charge", claim ? claim.charge.words : ruling ? ruling.said.words : "");
  write("verdict", claim ? claim.verdict.words : "");
  at("claim").dataset.verdict = claim ? claim.verdict.key : ruling ? `verdict.${ruling.verdict}` : "";
  write("evidence", claim ? claim.evidence.words : "");
  write("ruling", claim && ruling ? ruling.said.words : "");
  at("claim").dataset.ruled = ruling ? "yes" : "no";
}

function entryOf({ number, entry }) {
  return [number, entry].join();
}

function showPayments(moment, isNew) {
  const { latest, seats } = moment;
  const paying = latest.find((entry) => entry.payments.length);
  const list = at("payments");
  clear(list);
  at("paid").hidden = !paying;
  if (!paying) return;
  for (const payment of paying.payments) {
    const line = add(list, "li");
    colour(line, seats.find((seat) => seat.seat === payment.to)?.colour);
    add(line, "span", "pays", payment.said.words);
    if (payment.chips) addPieces(line, payment.chips, seats);
  }
  const newest = paying === latest[0] && corrected !== entryOf(moment);
  at("paid").classList.toggle("past", !newest);
  at("paid").classList.toggle("corrected", corrected === entryOf(moment));
  write("reason", paying.why ? paying.why.words : words("label.paid-for", { why: paying.payments[0].for.words }));
  if (isNew) {
    clearTimeout(fresh);
    document.body.classList.toggle("fresh", newest);
    fresh = setTimeout(() => document.body.classList.remove("fresh"), FRESH_MS);
  }
}

// Shows the chips that are due after a correction, until somebody confirms that they were moved.
function showDue({ chips_to_move: due, seats }) {
  if (!at("due")) return;
  const list = at("due-moves");
  clear(list);
  at("due").hidden = !due;
  document.body.classList.toggle("chips-due", Boolean(due));
  if (at("due-title")) write("due-title", due?.restored ? words("due.restored") : words("due.title"));
  for (const move of due?.moves ?? []) {
    const line = add(list, "li");
    colour(line, seats.find((seat) => seat.seat === move.parts.payer)?.colour);
    add(line, "span", "pays", move.words);
    if (move.chips) addPieces(line, move.chips, seats);
  }
}

const MOST_CHIPS = 3;

// Adds drawings of a payment's chips to a line, in the colour of the seat that owns them.
function addPieces(line, chips, seats) {
  line.classList.add("in-pieces");
  const drawn = add(line, "span", "pieces");
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", chips.said.words);
  colour(drawn, seats.find((one) => one.seat === chips.colour)?.colour ?? chips.colour);
  addChips(drawn, chips.over);
  if (!chips.back.length) return;
  add(drawn, "span", "", "−");
  addChips(drawn, chips.back);
}

// A few chips of one kind are all drawn, as “2 × 10 5” could be read as twice fifteen.
export function addChips(drawn, pieces) {
  for (const { value, number } of pieces) {
    if (number > MOST_CHIPS) add(drawn, "span", "", `${number} ×`);
    for (let chip = number > MOST_CHIPS ? 1 : number; chip > 0; chip -= 1) add(drawn, "span", "chip", value);
  }
}

// Sets whether entries in the history can be tapped.
export function offerEntries(on) {
  if (on === tappable) return;
  tappable = on;
  if (known) showEntries(known);
}

// Shows the history's entries, the newest first.
export function showEntries(latest) {
  known = latest;
  const list = at("entries");
  const held = holding(list);
  clear(list);
  at("latest").hidden = !latest.length;
  let hand = null;
  for (const entry of latest) {
    if (hand !== null && entry.hand !== hand) add(list, "li", "hand", words("label.hand", { hand: entry.hand }));
    hand = entry.hand;
    const line = add(list, "li");
    line.dataset.at = entry.at;
    if (tappable && entry.star) add(line, "button", "said", entry.said.words).type = "button";
    else add(line, "span", "said", entry.said.words);
    if (entry.why) add(line, "span", "because", entry.why.words);
    for (const payment of entry.payments) add(line, "span", "pays", payment.said.words);
    for (const notice of entry.notices) add(line, "span", "notice", notice.words);
    if (entry.by && !UNTOLD.has(entry.by.key)) add(line, "span", "by", entry.by.words);
    addStar(line, entry, tappable);
    if (tappable && entry.entry !== null && entry.at > 1) addGap(line, entry);
  }
  held?.();
}

// Adds the key for entries missing between an entry and the one before it.
function addGap(line, entry) {
  const gap = add(line, "button", "gap", "+");
  gap.type = "button";
  gap.setAttribute("aria-label", words("history.gap", { entry: entry.said.words }));
}

// Returns a function that restores the keyboard focus to its key after the list was rebuilt.
function holding(list) {
  const key = document.activeElement;
  const line = list.contains(key) ? key.closest("[data-at]") : null;
  if (!line) return null;
  const { at: place } = line.dataset, [kind] = key.classList;
  return () => list.querySelector(`[data-at="${place}"] .${kind}`)?.focus();
}

// The sides with a score of their own: each seat, or partners together.
function scorers({ seats, sides = [] }) {
  if (!sides.length) return seats.map((seat) => [seat]);
  return sides.map((side) => side.map((name) => seats.find((one) => one.seat === name)));
}

function scores(moment) {
  const names = (side) => listed(side.map((seat) => seat.shown), " & ");
  return scorers(moment).map((side) => `${names(side)} ${side[0].score}`).join(", ");
}

function clock() {
  const now = new Date();
  return `${now.getHours()}:${String(now.getMinutes()).padStart(2, "0")}`;
}

// ------------------------------------------------------------------ win
// A game that is over: the race, the count or turn that scored most, and the evening so far, in the place
// of the table. It opens by itself at the win, and its content is asked for only then.

let shownWin = null;

// Receives a moment and, if its game is over, requests the content over the `connection`; `more`: other
// fields of the request.
export function watchForWin({ moment }, connection, more = {}) {
  const over = Boolean(moment?.finished), place = at("win");
  document.body.classList.toggle("over", over);
  document.body.classList.toggle("won", over && moment.winners.length > 0);
  if (at("evening-end")) {
    at("evening-end").hidden = !over;
    at("evening-end").href = `${ROOT}/evenings/${moment?.number}`;
  }
  if (!over) {
    place.hidden = true;
    shownWin = null;
    connection.endQuestion("win");
  } else if (shownWin !== moment.row) {
    shownWin = moment.row;
    connection.ask("win", { panel: { name: "win", ...more } });
  }
}

// The name of the best play of a finished game.
export function bestOf({ why, ends_hand: hand }) {
  if (hand) return words("win.best-hand");
  return why?.parts.count ? words("win.best-count") : words("win.best");
}

// Shows the content that the server has sent.
export function showWin({ drawing, best, evening, games }) {
  const place = at("win");
  clear(place);
  place.hidden = !drawing;
  if (!drawing) return;
  add(place, "div", "chart").innerHTML = drawing;
  const facts = add(place, "div", "facts");
  if (best) {
    const line = add(facts, "p", "best");
    const count = best.why?.parts.count;  // only games with a line have a count
    add(line, "span", "label", bestOf(best));
    add(line, "b", "", count ?? words("win.points", best));
    add(line, "span", "", best.said.words);
  }
  if (games < 2) return;
  const line = add(facts, "p", "evening");
  add(line, "span", "label", words("win.evening"));
  for (const one of evening) {
    const player = add(line, "span", "one");
    add(player, "span", "who", one.shown);
    add(player, "b", "", one.won);
  }
}
