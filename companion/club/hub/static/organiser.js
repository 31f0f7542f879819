// The organiser's page: requests to join, the boxes, forks, and the access codes.

import { agoWords, now, unheardWords } from "./ages.js";
import { Connection, placeCodeForm, showCodeForm } from "./connection.js";
import { ROOT, add, at, button, clear, words, write } from "./elements.js";
import { addCodeToLinks, showConnectionState } from "./show_moment.js";

let skew = 0;  // seconds by which the hub's clock is ahead of ours
let last = null;  // the hub's last message
const drawn = {};  // the content of each part of the page, which is redrawn only after changes
const since = (time) => Math.max(0, now() + skew - time);

function update({ now: time, organiser }) {
  skew = time - now();
  last = organiser;
  write("where", organiser.club);
  drawPart("joining", organiser.joining, showJoining);
  drawPart("forks", organiser.forks, showForks);
  // Redraws a part of the page if its content has changed, unless somebody is typing there.
  if (!at("members").querySelector("input")) drawPart("members", organiser.members, showMembers);
  drawPart("people", organiser.people, showPeople);
  drawPart("codes", organiser.codes, showCodes);
  drawPart("opened", organiser.opened, showOpened);
  drawPart("limits", organiser.limits, showLimits);
  drawPart("remarks", organiser.remarks, showRemarks);
  tick();
}

function drawPart(name, found, draw) {
  const text = JSON.stringify(found);
  if (drawn[name] === text) return;
  drawn[name] = text;
  clear(at(name));
  draw(at(name), found);
}

function showJoining(place, joining) {
  at("asking").classList.toggle("needs", joining.length > 0);
  if (!joining.length) add(place, "li", "quiet", words("club.asking-none"));
  for (const one of joining) {
    const line = add(place, "li", "joining");
    const said = add(line, "p", "");
    add(said, "b", "called", one.name);
    add(said, "span", "mark", mark(one.box));
    add(said, "span", "digits", `${one.digits.slice(0, 3)} ${one.digits.slice(3)}`);
    add(line, "p", "quiet", words(one.kind === "club" ? "club.as-club" : one.kind === "box" ? "club.as-box" : "club.as-either"));
    add(line, "p", "quiet", words(one.kind === "club" ? "club.compare-club" : "club.compare"));
    const acts = add(line, "p", "acts");
    const accept = (kind, key) => button(acts, "button", words(key), () => connection.send({ accept: one.digits, as: kind }));
    if (one.kind !== "club") accept("box", one.kind === "box" ? "club.accept" : "club.accept-box");
    if (one.kind !== "box") accept("club", "club.accept-club");
    button(acts, "act", words("club.decline"), () => connection.send({ decline: one.digits }));
  }
}

function showMembers(place, members) {
  if (!members.length) add(place, "li", "quiet", words("club.members-none"));
  const inOrder = (one, other) => one.name.localeCompare(other.name, undefined, { numeric: true });
  for (const one of [...members].sort(inOrder)) {
    const line = add(place, "li", "member");
    const name = add(line, one.kind === "club" ? "b" : "a", "called", one.name);
    if (one.kind !== "club") name.href = `${ROOT}/table/${one.box}`;
    add(line, "span", "mark", mark(one.box));
    const state = add(line, "span", "quiet");
    if (one.state !== "member") state.textContent = words(one.state === "away" ? "club.away" : "club.left");
    else if (one.connected) state.textContent = words("club.connected");
    else if (one.heard_at === null) state.textContent = unheardWords(null);
    else age(state, one.heard_at, unheardWords);
    if (one.number) add(line, "span", "quiet", words("event.table", { number: one.number }));
    if (one.state === "member" && one.kind !== "club") showCall(line, one);
    if (one.kind === "club") add(line, "span", "quiet", words("club.is-club"));
    if (one.state === "member") confirmButton(line, words("club.retire"), words("club.retire-sure", { name: one.name }), { retire: one.box });
    if (one.state !== "away") confirmButton(line, words("club.throw-out"), words("club.throw-out-sure", { name: one.name }), { throwOut: one.box });
  }
}

// Adds the key that opens the fields for a box's name and its table's number.
function showCall(place, { box, name, number }) {
  const form = add(place, "form", "acts");
  const close = () => {
    clear(form);
    button(form, "act", words("club.call"), open);
    drawPart("members", last.members, showMembers);
  };
  const open = () => {
    clear(form);
    const called = add(add(form, "label", "", words("club.box-name")), "input", "");
    Object.assign(called, { value: name, maxLength: 60, required: true, autocomplete: "off" });
    const table = add(add(form, "label", "", words("event.table-number")), "input", "");
    Object.assign(table, { type: "number", min: 1, max: 999, value: number ?? "" });
    add(form, "button", "act", words("event.keep")).type = "submit";
    button(form, "act", words("event.cancel"), close);
    form.onsubmit = (event) => {
      event.preventDefault();
      connection.send({ call: [box, called.value, table.value ? Number(table.value) : null] });
      close();
    };
    called.focus();
  };
  button(form, "act", words("club.call"), open);
}

// The letters that distinguish a box from others with the same name; the box's own page shows them too.
function mark(box) {
  return box.slice(0, 4);
}

function showLimits(place, limits) {
  at("limited").hidden = limits.length === 0;
  for (const one of limits) {
    const line = add(place, "li", "");
    add(line, "span", "", `${one.said} ×${one.times}`);
    age(add(line, "span", "quiet"), one.at, agoWords);
  }
}

function showForks(place, forks) {
  at("forked").hidden = forks.length === 0;
  at("forked").classList.add("needs");
  for (const fork of forks) {
    add(add(place, "h3", "called", fork.name), "span", "mark", mark(fork.box));
    const courses = add(place, "div", "courses");
    fork.courses.forEach((course, number) => showCourse(courses, fork, course, number + 1));
  }
}

function showCourse(place, fork, course, number) {
  const box = add(place, "div", "course");
  add(box, "h4", "", words("club.course", { number }));
  const rows = add(box, "p", "quiet");
  age(rows, course.grown_at, (seconds) => words("club.course-rows", { rows: course.rows, ago: agoWords(seconds) }));
  if (course.own) add(box, "p", "quiet", words("club.course-from", { row: course.first }));
  const games = add(box, "ul", "");
  for (const game of course.games) add(games, "li", "", words("club.course-game", game));
  const newest = add(box, "ol", "newest");
  for (const said of course.newest) add(newest, "li", "", said);
  confirmButton(box, words("club.choose"), words("club.choose-sure", { number, name: fork.name }), { choose: [fork.box, course.chain] });
}

function showCodes(place, codes) {
  for (const one of codes) {
    const judge = one.role === "judge", box = add(place, "div", "code");
    add(box, "h3", "", words(judge ? "club.judge-code" : "club.viewer"));
    const code = add(box, "div", "qr");
    code.innerHTML = one.code;
    code.setAttribute("role", "img");
    code.setAttribute("aria-label", words("club.code-of", { address: one.address }));
    add(box, "p", "address", one.address);
    add(box, "p", "word", one.word);
    add(box, "p", "quiet", words(judge ? "club.judge-said" : "club.viewer-said"));
    if (!judge) add(box, "p", "quiet", `${words("club.tv-said")} ${one.tv}`);
  }
  clear(at("new-codes"));
  confirmButton(at("new-codes"), words("club.new-codes"), words("club.new-codes-sure"), { newCodes: true });
}

// Shows the tables that the hub itself has opened, each with the code that lets phones key there.
function showOpened(place, opened) {
  for (const one of opened) {
    const box = add(place, "div", "code");
    add(box, "h3", "", one.name);
    if (one.code === null) add(box, "p", "quiet", words("club.starting"));
    else {
      const code = add(box, "div", "qr");
      code.innerHTML = one.code;
      code.setAttribute("role", "img");
      code.setAttribute("aria-label", words("club.code-of", { address: one.address }));
      const link = add(box, "a", "address", words("club.key-here"));
      link.href = one.address;
      link.target = "_blank";
    }
    confirmButton(box, words("club.close-table"), words("club.close-table-sure", { name: one.name }), { closeTable: one.name });
  }
  clear(at("open-table"));
  button(at("open-table"), "button", words("club.open-table"), () => connection.send({ openTable: true }));
}

// Shows the changes of people's names for all tables, and the hidden people.
function showPeople(place, people) {
  for (const one of people) {
    add(place, "li", "", one.to === null ? words("club.is-hidden", one) : words("club.counts", one));
  }
  clear(at("take-back"));
  if (people.length) button(at("take-back"), "act", words("club.take-back"), () => connection.send({ takeBack: true }));
}

let hides = false;
for (const key of at("person").querySelectorAll("button")) {
  key.addEventListener("click", () => {
    hides = key.name === "hide";
  });
}
at("person").addEventListener("submit", (event) => {
  event.preventDefault();
  const name = at("name").value, to = at("to").value;
  if (!hides && !to.trim()) {
    at("to").focus();
    return;
  }
  connection.send(hides ? { hide: name } : { same: [name, to] });
  event.target.reset();
});

function showRemarks(place, remarks) {
  if (!remarks.length) add(place, "li", "quiet", words("club.remarks-none"));
  for (const one of remarks) {
    const line = add(place, "li", "");
    add(line, "span", "", one.said);
    age(add(line, "span", "quiet"), one.at, agoWords);
  }
}

// Adds a key that asks for confirmation before it sends `message`.
function confirmButton(place, label, question, message) {
  const asked = add(place, "div", "acts sure");
  const offer = (focused) => {
    clear(asked);
    const key = button(asked, "act", label, ask);
    if (focused) key.focus();
  };
  const ask = () => {
    clear(asked);
    add(asked, "p", "", question);
    button(asked, "act careful", words("club.yes"), () => {
      connection.send(message);
      offer(true);
    });
    button(asked, "act", words("club.no"), () => offer(true)).focus();
  };
  offer(false);
}

function age(element, time, say) {
  element.dataset.since = time;
  element.say = say;
}

function tick() {
  for (const element of document.querySelectorAll("#organiser [data-since]")) {
    const text = element.say(since(Number(element.dataset.since)));
    if (element.textContent !== text) element.textContent = text;
  }
}

const connection = new Connection({
  onMessage(message) {
    if (message.organiser) update(message);
    else if (message.answer) {
      write("answer", message.answer.said);
      at("answer").dataset.done = message.answer.done;
    }
  },
  onState(name, text) {
    const other = name === "connected" && connection.role !== "organiser";
    showConnectionState(other ? "refused" : name, other ? words("club.not-organiser") : text);
    showCodeForm(other ? "refused" : name);
    if (name === "connected") at("organiser").hidden = other;
  },
}, { wants: [], watchful: true });

setInterval(tick, 1000);
addCodeToLinks();
placeCodeForm("watch", connection);
