// The panels other than a new game (panel_new.js): chips, the race, the rules, unfinished games, the club,
// help. Each has `draw`; a panel with `keeps` keeps input that is being filled in when new content arrives.

import { ROOT, add, button, clear, colour, listed, words } from "./elements.js";
import { addName } from "./history.js";
import { isOn, turn } from "./keyboard.js";

// ------------------------------------------------------------------ chips
// Who holds which chips; counting a seat's own, and moving some as the table agrees.

function drawChips(place, told, panels) {
  add(place, "h2", "", words("view.chips"));
  const list = add(place, "ul", "holdings");
  for (const seat of told.seats ?? []) {
    const line = add(list, "li", "holding");
    colour(line, seat.colour);
    add(line, "b", "", seat.shown);
    add(line, "span", "pieces", words("chips.own", { pieces: seat.own.said.words }));
    add(line, "span", "pieces", words("chips.won", { pieces: seat.won.said.words }));
    if (seat.audit) add(line, "span", seat.audit.agrees ? "agrees" : "notice", seat.audit.said.words);
    if (told.may_correct && panels.keying.plays) offerCorrections(line, seat, panels);
  }
}

function offerCorrections(line, seat, panels) {
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

// ------------------------------------------------------------------ race
// The race as a chart, and the same as a table.

function drawRace(place, { drawing, seats, hands }) {
  add(place, "h2", "", words("view.race"));
  if (!drawing) return;
  add(place, "div", "chart").innerHTML = drawing;
  const table = add(add(place, "div", "scrolls"), "table", "scores");
  const head = add(add(table, "thead"), "tr");
  add(head, "th", "", words("race.after")).scope = "col";
  for (const seat of seats) add(head, "th", "", seat.shown).scope = "col";
  const body = add(table, "tbody");
  for (const hand of hands) {
    const line = add(body, "tr");
    add(line, "th", "", hand.said.words).scope = "row";
    for (const score of hand.scores) add(line, "td", "", score);
  }
}

// ------------------------------------------------------------------ rules
// The house rules of the game and the settings of the table; the order of seats.

function drawRules(place, told, panels) {
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
  if (keying.plays && told.may_reseat) offerOrders(place, told, keying);
  if (told.settings?.length) add(place, "h3", "", words("rules.table"));
  for (const setting of told.settings ?? []) offerSetting(place, setting, keying);
}

function offerOrders(place, told, keying) {
  const list = add(place, "p", "acts");
  for (const seats of orders(told.seats)) {
    const order = listed(seats.map((seat) => keying.named(seat)));
    const label = words("rules.order", { order });
    button(list, "act", label, () => keying.offer({ deed: "reseat", text: seats.join(" "), label }));
  }
}

// Likely other orders of the seats: the first stays, and two neighbours are swapped.
function orders([first, ...rest]) {
  if (rest.length === 1) return [[rest[0], first]];
  return rest.slice(1).map((_, place) => {
    const order = [...rest];
    [order[place], order[place + 1]] = [order[place + 1], order[place]];
    return [first, ...order];
  });
}

function offerSetting(place, setting, keying) {
  const field = add(place, "label", "field", setting.label);
  const select = add(field, "select");
  for (const [value, text] of setting.choices) add(select, "option", "", text).value = value;
  select.value = setting.value;
  select.disabled = !keying.plays;
  select.addEventListener("change", () => keying.proposeAtOnce({ deed: "set", text: `${setting.name} ${select.value}` }));
}

// ------------------------------------------------------------------ games
// Unfinished games, to go on with or to give a name.

const LONGEST_NAME = 40;

function drawGames(place, told, panels) {
  add(place, "h2", "", words("view.games"));
  if (told.reading) {
    add(place, "p", "quiet", words("games.reading")).setAttribute("role", "status");
    return;
  }
  const games = told.games ?? [];
  if (!games.length) {
    add(place, "p", "quiet", words("games.none"));
    return;
  }
  const list = add(place, "ul", "rules");
  for (const game of games) showGame(list, game, panels.keying);
  add(place, "p", "quiet", words("games.close"));
}

function showGame(list, game, keying) {
  const item = add(list, "li");
  add(item, "b", "", game.called || game.title);
  const scores = add(item, "span", "points");
  const form = document.createElement("div");
  for (const { shown, score, player } of game.scores) {
    const one = add(scores, "span", "one");
    if (player) addName(one, form, player, shown, keying);
    else add(one, "span", "", shown);
    add(one, "b", "", score ?? "&");  // null for a partner's second seat, as partners share one score
  }
  item.append(form);
  const more = [game.called ? game.title : "", game.begun.words, words("games.entries", game), game.on_table ? words("games.on-table") : ""];
  add(item, "span", "because", more.filter(Boolean).join(" · "));
  const acts = add(item, "form", "acts calls");
  if (!game.on_table) {
    const label = words("games.resume");
    button(acts, "act", label, () => keying.offer({ deed: "resume", at: game.number, text: "", label }));
  }
  const name = add(acts, "input");
  name.value = game.called;
  name.maxLength = LONGEST_NAME;
  name.autocomplete = "off";
  name.placeholder = words("games.name");
  name.setAttribute("aria-label", words("games.name"));
  name.addEventListener("input", () => { acts.dataset.touched = ""; });
  add(acts, "button", "act", words("games.call")).type = "submit";
  acts.onsubmit = (event) => {
    event.preventDefault();
    delete acts.dataset.touched;
    keying.proposeAtOnce({ deed: "name", at: game.number, text: name.value });
  };
}

// ------------------------------------------------------------------ club
// Joining a club, comparing the six digits, the state of the connection, leaving.

function drawClub(place, told, panels) {
  const { club } = told, ask = (wish, address = "") => panels.keying.connection.send({ club: { wish, address } });
  add(place, "h2", "", club?.name || words("view.club"));
  if (!club) return;
  if (club.why) add(place, "p", "", club.why).setAttribute("role", "status");
  if (club.step === "asking") add(place, "p", "quiet", words("club.asking")).setAttribute("role", "status");
  else if (club.step === "comparing") compareDigits(place, club, ask);
  else if (club.step === "joined") showJoined(place, club, ask);
  else offerClubs(place, club, ask);
}

// Keeps an address that is being typed.
function keepClub(place, told, panels) {
  if (told.club?.step === "looking" || told.club?.step === "none") return;
  place.querySelector("[data-touched]")?.removeAttribute("data-touched");
  panels.handlePanel(told);
}

function compareDigits(place, club, ask) {
  add(place, "p", "club-digits", club.digits);
  add(place, "p", "", words("club.compare"));
  button(add(place, "p", "acts"), "act", words("club.differ"), () => ask("leave"));
}

function showJoined(place, club, ask) {
  if (club.called) add(place, "p", "", club.called);
  add(place, "p", "", words("club.stands", club)).setAttribute("role", "status");
  if (club.waiting) add(place, "p", "", words("club.waiting", club));
  if (club.mark) add(place, "p", "quiet", words("club.mark", club));
  add(place, "p", "quiet", words("club.from-now"));
  button(add(place, "p", "acts"), "act", words("club.leave"), (event) => askFirst(event.target, () => ask("leave")));
}

// Asks for confirmation at the first tap on `key`, and calls `act` at the second.
function askFirst(key, act) {
  if ("sure" in key.dataset) act();
  key.dataset.sure = "";
  key.textContent = words("club.leave-sure");
}

function offerClubs(place, club, ask) {
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

// ------------------------------------------------------------------ help
// What to tap, one topic a screen, opened at what is on the page; then links to help: the chapter and the quick
// card of the game that is being played, and the whole manual, each a page of its own. A game's pages have its
// name. The cards, which teach the keys of a box, are offered where there is one. They, and the rules of High
// Five on a page, exist in every language; all chapters in those of WHOLE, in the others only those of FIRST: if
// a chapter is in English, its link says so. Where one may key, what the keyboard does, and whether it does.

const ENGLISH = "en", WHOLE = [ENGLISH, "es"], FIRST = ["manual", "high-five"];
const TOPICS = {
  turn: () => [words("help.turn"), words("help.turn-says")],
  draw: () => [words("help.draw"), words("help.draw-says")],
  pays: () => [words("help.pays"), words("help.pays-says")],
  fix: () => [words("help.fix"), words("help.fix-says", { latest: words("label.latest") })],
  bogus: () => [words("help.bogus"), words("help.bogus-says", { bogus: words("keying.bogus") })],
  hand: () => [words("help.hand"), words("help.hand-says")],
  sit: () => [words("help.sit"), words("help.sit-says", { start: words("home.start") })],
  phones: () => [words("help.phones"), words("help.phones-says", { invite: words("door.invite") })],
  screen: () => [words("help.screen"), words("help.screen-says", { sound: words("moments.sound"), motion: words("moments.less-motion") })],
};

// The help topic for the current state of the page.
function topicNow({ moment, keys, history, plays }) {
  const { classList } = document.body;
  if (classList.contains("at-home")) return "sit";
  if (moment?.claim) return "bogus";
  if (history.opened) return "fix";
  if (moment?.chips_to_move) return "pays";
  if (keys?.asks === "collect") return "hand";
  return plays ? "turn" : "phones";
}

// The help topics for this game.
function topicsOf({ moment, keys }) {
  const chips = moment?.seats.some((seat) => seat.chips);
  return Object.keys(TOPICS).filter((one) => (one !== "pays" || chips) && (one !== "bogus" || keys?.calls || moment?.claim));
}

function drawTopics(place, keying) {
  const search = add(place, "input", "search"), list = add(place, "div", "topics"), none = add(place, "p", "quiet", words("help.none"));
  Object.assign(search, { type: "search", placeholder: words("help.search"), autocomplete: "off" });
  search.setAttribute("aria-label", words("help.search"));
  none.setAttribute("role", "status");
  none.hidden = true;
  const now = topicNow(keying), found = topicsOf(keying);
  for (const topic of [now, ...found.filter((one) => one !== now)]) {
    const one = add(list, "details", "topic");
    const [title, said] = TOPICS[topic]();
    add(one, "summary", "", title);
    add(one, "p", "", said);
    one.dataset.topic = topic;
    one.open = topic === now;
  }
  search.addEventListener("input", () => {
    const asked = search.value.trim().toLowerCase();
    for (const one of list.children) {
      one.hidden = !one.textContent.toLowerCase().includes(asked);
      one.open = asked ? !one.hidden : one.dataset.topic === now;
    }
    none.hidden = [...list.children].some((one) => !one.hidden);
  });
  const all = button(place, "act", words("help.all"), () => {
    const opens = all.getAttribute("aria-pressed") !== "true";
    all.setAttribute("aria-pressed", opens);
    for (const one of list.children) one.open = opens || one.dataset.topic === now;
  });
  all.setAttribute("aria-pressed", false);
}

function drawHelp(place, _told, { keying }) {
  const played = keying.moment?.game;
  const language = document.documentElement.lang;
  const translated = language !== ENGLISH;
  add(place, "h2", "", words("view.help"));
  drawTopics(place, keying);
  add(place, "h3", "", words("help.more"));
  const list = add(place, "ul", "helps"), { wired } = keying.connection;
  const lead = (page, said, written = language) => {
    const link = add(add(list, "li"), "a", "", said);
    link.href = written === ENGLISH ? `${ROOT}/help/${page}` : `${ROOT}/help/${written}/${page}`;
    link.hreflang = written;
    link.target = "_blank";
    link.rel = "noopener";
  };
  const chapter = (page, said) => {
    if (WHOLE.includes(language) || FIRST.includes(page)) lead(page, said);
    else lead(page, words("help.english", { page: said }), ENGLISH);
  };
  const card = () => lead(`quick-card-${played.name}`, words("help.card", { game: played.title }));
  if (played && translated && wired) card();
  if (translated) lead("lesson", words("help.lesson"));
  if (played) chapter(played.name, words("help.play", { game: played.title }));
  if (played && !translated && wired) card();
  chapter("manual", words("help.manual"));
  if (keying.plays && !matchMedia("(hover: none)").matches) showKeys(place);
}

function showKeys(place) {
  const arms = words("keyboard.arms").split(" ");
  add(place, "h3", "", words("keyboard.title"));
  const list = add(place, "ul", "keyboard");
  add(list, "li", "", words("keyboard.lay", { right: arms[1][0], word: arms[1] }));
  add(list, "li", "", words("keyboard.do"));
  add(list, "li", "", words("keyboard.ok"));
  const chosen = add(place, "p", "keeping"), box = add(chosen, "input"), label = add(chosen, "label", "", words("keyboard.use"));
  Object.assign(box, { type: "checkbox", id: "use-keyboard", checked: isOn() });
  label.htmlFor = box.id;
  box.addEventListener("change", () => turn(box.checked));
}

export const chips = { draw: drawChips, keeps() {} };
export const race = { draw: drawRace };
export const rules = { draw: drawRules };
export const games = { draw: drawGames, keeps() {} };
export const club = { draw: drawClub, keeps: keepClub };
export const help = { draw: drawHelp };
