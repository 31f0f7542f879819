// The connection to the box. Everything that is sent is answered, so silence means that the
// connection is dead, whatever the browser believes: phones that slept often don't know.

import { DEVICE, ROOT, add, at, button, clear, fetchWithin, fresh, keep, recall, words, write } from "./elements.js";

// How phones come in: somebody without a word types four digits, which the box or a phone at the table
// shows by “Connect phones”.

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
    else {
      write("link", word === null ? words("link.wrong-digits") : words("keying.no-link"));
      at("link").dataset.wrong = "";
    }
  });
}

export function showDoor(state) {
  const shown = state === "refused", comes = shown && at("door").hidden;
  at("door").hidden = !shown;
  if (comes) at("code").focus();
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
      place.querySelector("img").src = `${ROOT}/tv-code/${name}`;
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

// “Connect phones” and other keys about phones, on a page that may play. Gives the functions that the
// connection calls.
export function placePhones(wire) {
  const place = at("invitation"), kept = at("keep-phone");
  at("invite").addEventListener("click", () => show(place.hidden));
  kept.addEventListener("change", () => wire.send({ keep: kept.checked }));

  function show(shown) {
    place.hidden = !shown;
    at("invite").setAttribute("aria-expanded", shown);
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
      document.body.classList.toggle("no-box", !wire.wired);
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
      const sits = document.body.classList.contains("choosing-game");
      add(place, "p", "", sits ? words("door.hold-sitting") : words("door.hold"));
      const codes = add(place, "div", "acts");
      codes.id = "new-codes";
      offerNewCodes(codes);
    },
  };
}

// -------------------------------------------------------------------- wire

// The word that lets this page in. It comes behind the # of an address and leaves the address bar at once.
// It is kept in the tab, so that it is there after a reload, and, if it is a word to play, for other tabs.

const NAME = "word";
const OF_HUB = document.body.dataset.live !== undefined;  // whether this is a page of a club
const PAST = `;path=${ROOT}${OF_HUB ? "/" : "/evenings"};samesite=strict`;  // the pages of past evenings; at a table only players may read them
const PLACES = ["sessionStorage", "localStorage"];

// Takes the word out of the address, if one is there. If nothing can be kept, the word stays there.
export function takeWord() {
  const word = location.hash.slice(1);
  if (word && remember(word)) history.replaceState(history.state, "", location.pathname + location.search);
}

// Keeps the word in the tab; returns whether it could.
export function remember(word) {
  keep(NAME, word, PLACES[0]);
  return recall(NAME, PLACES[0]) === word;
}

// The word has let us in: keeps it for other tabs, too, unless they have a word to play already.
export function held(word, plays) {
  if (plays || recall(NAME, PLACES[1]) === null) keep(NAME, word, PLACES[1]);
  if (plays || OF_HUB) document.cookie = `${NAME}=${word}${PAST}`;
}

// The word of this tab, else the one kept for all tabs; null: there is none.
export function word() {
  return recall(NAME, PLACES[0]) ?? recall(NAME, PLACES[1]) ?? (location.hash.slice(1) || null);
}

// Forgets a word that lets nobody in any more.
export function forget(word) {
  for (const place of PLACES) if (recall(NAME, place) === word) keep(NAME, null, place);
  if (location.hash.slice(1) === word) history.replaceState(history.state, "", location.pathname + location.search);
}

// -------------------------------------------------------------------- wire

const ANSWER_WITHIN_MS = 2500;
const WORD_WITHIN_MS = 8000;  // wrong digits are answered late, so that nobody tries many
const ASK_AFTER_MS = 5000;
const SLEPT_MS = 3000;  // after a longer silence, a page that wakes connects anew at once
const WOKEN_WITHIN_MS = 400;  // and after a shorter one, once it hears nothing for so long
const RETRY_MS = [300, 1000, 2000, 4000];
const NOT_ALLOWED = 4401;
const TOO_MANY = 4429;
const FOLLOWS = "follows" in document.body.dataset || undefined;  // the page is always in the table's language
const HUB = document.body.dataset.live;  // the path at which a club's hub feeds this page; undefined at a table
export const HERE = !HUB && ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);  // whether this may be the table's own machine

export class Wire {
  // `on` has state(name, text), the name being connecting, connected, lost or refused; and, if they are
  // wanted, picture(bytes), told(message) and heard(message), the latter for answers (keying.py). `wants`:
  // what the page wants to see (server.py). `watchful`: silence is noticed within three seconds.
  constructor(on, { wants = ["box"], watchful = false } = {}) {
    this.on = on;
    this.wants = wants;
    this.askAfter = watchful ? ASK_AFTER_MS / 4 : ASK_AFTER_MS;
    this.answerWithin = watchful ? ANSWER_WITHIN_MS / 2 : ANSWER_WITHIN_MS;
    this.socket = null;
    this.failures = 0;
    this.number = 0;
    this.unanswered = new Map();
    this.questions = new Map();  // questions whose answers have not come, by their names
    this.heardAt = this.heardTime = 0;
    this.wokeAt = null;  // when somebody looked at the page again; null: it has heard something since
    this.retry = 0;
    this.token = null;  // the word that lets us in
    this.access = null;  // play or watch, once it is known
    this.invited = false;  // whether it came by a word that was handed out, not by a link on the box's own machine
    this.kept = false;
    this.card = false;  // whether the box has a flashed card, and so a page for its Wi-Fi and versions
    this.wired = false;  // whether there is a box with keys and a display of its own
    this.rests = null;  // the game that nobody has played since another evening: its newest row, and what continues it
    this.checked = false;  // whether the box has a page that checks it
    this.role = null;  // at a hub: viewer, judge or organiser
    this.ended = false;  // whether a word of ours has ended
    takeWord();
    addEventListener("online", () => this.wake());
    addEventListener("pageshow", (event) => event.persisted && this.wake());
    document.addEventListener("resume", () => this.wake());
    addEventListener("hashchange", () => {
      takeWord();
      this.restart();
    });
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
    setInterval(() => document.hidden || this.check(), watchful ? 250 : 500);
    this.connect();
  }

  get connected() {
    return this.socket !== null && this.socket.readyState === WebSocket.OPEN && this.number > 0;
  }

  // Sends a key movement, with the letter if one was typed; false: there is no connection.
  move(key, down, letter) {
    if (!this.connected) return false;
    this.say({ key, down, letter });
    return true;
  }

  // Sends a letter that stands for no key.
  type(letter) {
    if (this.connected) this.say({ letter });
  }

  // Sends a message of the table's page (keying.py); false: there is no connection.
  send(message) {
    if (this.connected) this.say(message);
    return this.connected;
  }

  // Connects with this word.
  comeIn(word) {
    if (!remember(word)) location.hash = word;
    this.restart();
  }

  // Tells the server that the page wants to see this from now on.
  want(wants) {
    if (String(wants) === String(this.wants)) return;
    this.wants = wants;
    if (this.connected) this.say({ wants });
  }

  // Asks the server something that changes nothing, and again after each new connection until the answer has
  // come (`answered`). A later question of that name takes the place of this one.
  ask(name, message) {
    this.questions.set(name, message);
    this.send(message);
  }

  // The answer to a question has come, or nobody waits for it any more.
  answered(name) {
    this.questions.delete(name);
  }

  // Keeps another word, which lets this page in from now on.
  hold(word) {
    if (!this.invited) return;
    this.token = word;
    remember(word);
    held(word, true);
  }

  say(message) {
    this.number += 1;
    this.unanswered.set(this.number, performance.now());
    this.socket.send(JSON.stringify({ n: this.number, ...message }));
  }

  // Tests the connection, as somebody looks at the page again.
  wake() {
    const slept = Date.now() - this.heardTime > SLEPT_MS;  // performance.now() may stop while the phone sleeps
    if (!this.socket || this.connected && slept) this.restart();
    else {
      this.wokeAt = performance.now();
      if (this.connected) this.say({});
    }
  }

  check() {
    if (!this.socket) return;
    const now = performance.now();
    const oldest = this.unanswered.values().next().value;
    if (this.wokeAt !== null && now - this.wokeAt > WOKEN_WITHIN_MS) this.restart();
    else if (oldest !== undefined && now - oldest > this.answerWithin) this.drop();
    else if (this.connected && oldest === undefined && now - this.heardAt > this.askAfter) this.say({});
  }

  restart() {
    this.failures = 0;
    this.drop();
  }

  // Forgets the connection, open or not, and makes another one.
  drop(code = 0) {
    clearTimeout(this.retry);
    if (this.socket) {
      const old = this.socket;
      this.socket = null;
      old.onopen = old.onmessage = old.onclose = null;
      old.close();
    }
    this.unanswered.clear();
    this.number = 0;
    this.wokeAt = null;
    if (code >= 4400) this.questions.clear();  // it may have been for one of them
    if (code === NOT_ALLOWED) {
      this.ended = true;
      forget(this.token);
    }
    this.on.state("lost", code === TOO_MANY ? words("link.too-many") : words("link.lost"));
    const wait = this.failures ? RETRY_MS[Math.min(this.failures, RETRY_MS.length) - 1] : 0;
    this.failures += 1;
    this.retry = setTimeout(() => this.connect(), wait);
  }

  async connect() {
    clearTimeout(this.retry);
    const attempt = (this.attempt = {});
    const known = word();
    let token;
    try {
      token = known ?? await askForToken();
    } catch {
      if (attempt === this.attempt) this.drop();
      return;
    }
    if (attempt !== this.attempt || this.socket) return;
    if (token === null) {
      const asked = HERE ? words("link.no-word-here") : words("link.no-word");
      this.on.state("refused", this.ended ? words("link.out-of-date") : asked);
      return;
    }
    this.token = token;
    this.invited = known !== null;
    const socket = open(HUB ?? "/live");
    this.socket = socket;
    this.unanswered.set(0, performance.now());
    socket.binaryType = "arraybuffer";
    socket.onopen = () => socket.send(JSON.stringify({ n: 0, hello: token, device: DEVICE, follows: FOLLOWS, wants: this.wants }));
    socket.onmessage = (event) => this.hear(event.data);
    socket.onclose = (event) => this.drop(event.code);
  }

  hear(data) {
    this.heardAt = performance.now();
    this.heardTime = Date.now();
    this.wokeAt = null;
    if (data instanceof ArrayBuffer) {
      this.on.picture(new Uint8Array(data));
      return;
    }
    const message = JSON.parse(data);
    if ("word" in message) this.hold(message.word);
    if ("moment" in message) {
      this.on.told(message);
      return;
    }
    if (!("n" in message)) {
      if (message.panel && !message.panel.reading) this.answered(message.panel.name);
      this.on.heard?.(message);
      return;
    }
    const { n } = message;
    this.unanswered.delete(n);
    if (n === 0) {
      this.number = 1;
      this.failures = 0;
      this.access = message.access ?? "play";
      this.kept = message.kept ?? false;
      this.card = message.card ?? false;
      this.checked = message.check ?? false;
      this.wired = message.box ?? false;
      this.rests = message.rests ?? null;
      this.role = message.role ?? null;
      this.ended = false;
      if (this.invited) held(this.token, this.access === "play" || this.role === "organiser");
      this.on.state("connected", "");
      for (const question of [...this.questions.values()]) this.send(question);
    }
  }
}

// Asks for the word that the typed digits stand for; null: they are wrong. Rejects if no answer comes.
export function wordFor(digits, what) {
  return askForWord({ digits, for: what });
}

// Asks for the word for a TV that shows this name as a code; null: nobody has let it in yet.
export function wordOfTv(waits) {
  return askForWord({ waits });
}

// Rejects if no answer comes.
function askForWord(asked) {
  return new Promise((done, failed) => {
    const socket = open("/live");
    const end = () => {
      socket.close();
      failed(new Error("timeout"));
    };
    const patience = setTimeout(end, WORD_WITHIN_MS);
    socket.onopen = () => socket.send(JSON.stringify({ n: 0, ...asked }));
    socket.onmessage = (event) => done(JSON.parse(event.data).word ?? null);
    socket.onclose = ({ code }) => {
      clearTimeout(patience);
      if (code === NOT_ALLOWED) done(null);
      else failed(new Error(String(code)));
    };
  });
}

function open(place) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}${ROOT}${place}`);
}

// Asks the box for the word, which it gives to browsers of its own machine that a link has let in; null:
// this is another browser, or a hub's page.
async function askForToken() {
  if (HUB) return null;
  const answer = await fetchWithin(ANSWER_WITHIN_MS, "/token", { cache: "no-store" });
  return answer.ok ? (await answer.json()).token : null;
}
