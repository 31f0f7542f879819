// The connection to the box. Every message is answered, so silence means that the connection is dead, even if
// the browser hasn't noticed, as after a phone slept.

import { DEVICE, ROOT, add, at, button, clear, fetchWithin, fresh, keep, recall, words, write } from "./elements.js";

// How phones get access: somebody without an access code types four digits, which the box or a phone at the
// table shows under “Connect phones”.

const ASK_EVERY_MS = 2500;

// Makes the form for the digits work. `what`: the access that they give on this page, play or watch. At a
// club's hub, people type the access code itself.
export function placeCodeForm(what, connection) {
  if (document.body.dataset.live) {
    Object.assign(at("code"), { maxLength: 40, size: 16, inputMode: "text", autocapitalize: "none", spellcheck: false });
  }
  at("door").addEventListener("submit", async (event) => {
    event.preventDefault();
    const word = await codeForDigits(at("code").value.trim(), what).catch(() => "");
    if (word) connection.connectWith(word);
    else {
      write("link", word === null ? words("link.wrong-digits") : words("keying.no-link"));
      at("link").dataset.wrong = "";
    }
  });
}

export function showCodeForm(state) {
  const shown = state === "refused", comes = shown && at("door").hidden;
  at("door").hidden = !shown;
  if (comes) at("code").focus();
}

// On a TV without access: shows a code, and keeps asking whether a phone has admitted it.
export function placeTvCode(connection) {
  const place = at("tv-code");
  let name = null;
  setInterval(async () => {
    if (name === null || document.hidden) return;
    const word = await codeForTv(name).catch(() => null);
    if (word && name !== null) connection.connectWith(word);
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

// On a phone that has scanned a TV's code: asks the person whether to give the TV access.
export function placeAdmitTv(connection) {
  const place = at("let-in"), name = new URLSearchParams(location.search).get("tv");
  if (name) history.replaceState(history.state, "", location.pathname + location.hash);
  const answer = (lets) => {
    if (lets && !connection.send({ letIn: name })) return;
    place.hidden = true;
    if (lets) write("answer", words("door.tv-in"));
  };
  at("let-in-yes").addEventListener("click", () => answer(true));
  at("let-in-no").addEventListener("click", () => answer(false));
  return () => {
    if (name && connection.access === "play" && !place.dataset.asked) place.hidden = false;
    if (connection.access === "play") place.dataset.asked = "yes";
  };
}

// Makes “Connect phones” and the other keys about phones work on a page that may play. Returns callbacks for
// the connection.
export function placePhones(connection) {
  const place = at("invitation"), kept = at("keep-phone");
  at("invite").addEventListener("click", () => show(place.hidden));
  kept.addEventListener("change", () => connection.send({ keep: kept.checked }));

  function show(shown) {
    place.hidden = !shown;
    at("invite").setAttribute("aria-expanded", shown);
    clear(place);
    connection.send({ invite: shown });
  }

  function askForNewCodes() {
    const asked = at("new-codes");
    clear(asked);
    add(asked, "p", "", words("door.new-codes-sure"));
    button(asked, "act", words("door.yes"), () => connection.send({ newCodes: true })).focus();
    button(asked, "act", words("door.no"), () => offerNewCodes(asked));
  }

  function offerNewCodes(asked) {
    clear(asked);
    button(asked, "act", words("door.new-codes"), askForNewCodes);
  }

  return {
    onConnected() {
      at("phones").hidden = at("past").hidden = connection.access !== "play";
      at("to-card").hidden = !connection.card;
      at("to-check").hidden = !connection.checked;
      document.body.classList.toggle("no-box", !connection.wired);
      at("keeping").hidden = !connection.invited;
      kept.checked = connection.kept;
      if (connection.access === "play" && !place.hidden) show(true);
    },
    handleMessage(message) {
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

// -------------------------------------------------------------------- connection

// The access code of this page. It comes behind the # of an address and is removed from the address bar at
// once. It is stored in the tab, so that it survives a reload, and for other tabs if it allows playing.

const NAME = "word";
const OF_HUB = document.body.dataset.live !== undefined;  // whether this is a page of a club's hub
const PAST = `;path=${ROOT}${OF_HUB ? "/" : "/evenings"};samesite=strict`;  // the cookie's path: the pages of past evenings, which at a table only players may read
const PLACES = ["sessionStorage", "localStorage"];

// Moves the access code from the address, if there is one, to the tab's storage. Without storage it stays
// there.
export function takeCode() {
  const word = location.hash.slice(1);
  if (word && rememberCode(word)) history.replaceState(history.state, "", location.pathname + location.search);
}

// Stores the access code in the tab; returns whether that worked.
export function rememberCode(word) {
  keep(NAME, word, PLACES[0]);
  return recall(NAME, PLACES[0]) === word;
}

// Stores a valid access code for other tabs too, unless they already have one that allows playing.
export function shareCode(word, plays) {
  if (plays || recall(NAME, PLACES[1]) === null) keep(NAME, word, PLACES[1]);
  if (plays || OF_HUB) document.cookie = `${NAME}=${word}${PAST}`;
}

// The access code of this tab, else the one for all tabs; null if there is none.
export function accessCode() {
  return recall(NAME, PLACES[0]) ?? recall(NAME, PLACES[1]) ?? (location.hash.slice(1) || null);
}

// Deletes an access code that is no longer valid.
export function forgetCode(word) {
  for (const place of PLACES) if (recall(NAME, place) === word) keep(NAME, null, place);
  if (location.hash.slice(1) === word) history.replaceState(history.state, "", location.pathname + location.search);
}

// -------------------------------------------------------------------- connection

const ANSWER_WITHIN_MS = 2500;
const WORD_WITHIN_MS = 8000;  // wrong digits are answered late, so that nobody can try many
const ASK_AFTER_MS = 5000;
const SLEPT_MS = 3000;  // after a longer silence, a page that wakes up reconnects at once
const WOKEN_WITHIN_MS = 400;  // after a shorter one, it waits this long for an answer first
const RETRY_MS = [300, 1000, 2000, 4000];
const NOT_ALLOWED = 4401;
const TOO_MANY = 4429;
const FOLLOWS = "follows" in document.body.dataset || undefined;  // whether the page is always in the table's language
const HUB = document.body.dataset.live;  // the WebSocket's path at a club's hub; undefined at a table
export const MAY_BE_LOCAL = !HUB && ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);  // whether this may be a browser on the table's own machine

export class Connection {
  // `on` has the callback onState(name, text), where the name is connecting, connected, lost or refused, and,
  // if needed, onPicture(bytes), onMoment(message) and onMessage(message) for all other messages. `wants`:
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
    this.questions = new Map();  // questions without an answer so far, by their names
    this.heardAt = this.heardTime = 0;
    this.wokeAt = null;  // when somebody returned to the page; null once anything was received since
    this.retry = 0;
    this.token = null;  // the access code
    this.access = null;  // play or watch, once known
    this.invited = false;  // whether it has an access code that was handed out, not a link on the box's own machine
    this.kept = false;
    this.card = false;  // whether the box has a flashed card, with a page for its Wi-Fi and updates
    this.wired = false;  // whether there is a box with keys and a display of its own
    this.rests = null;  // the game last played on another evening: its newest row, and how to continue it
    this.checked = false;  // whether the box has a page for checking it
    this.role = null;  // at a hub: viewer, judge or organiser
    this.ended = false;  // whether our access code has ended
    takeCode();
    addEventListener("online", () => this.wake());
    addEventListener("pageshow", (event) => event.persisted && this.wake());
    document.addEventListener("resume", () => this.wake());
    addEventListener("hashchange", () => {
      takeCode();
      this.restart();
    });
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
    setInterval(() => document.hidden || this.check(), watchful ? 250 : 500);
    this.connect();
  }

  get connected() {
    return this.socket !== null && this.socket.readyState === WebSocket.OPEN && this.number > 0;
  }

  // Sends a key movement, with the letter if one was typed; returns false without a connection.
  move(key, down, letter) {
    if (!this.connected) return false;
    this.sendNumbered({ key, down, letter });
    return true;
  }

  // Sends a letter that doesn't correspond to a key.
  type(letter) {
    if (this.connected) this.sendNumbered({ letter });
  }

  // Sends a message of the table's page (keying.py); returns false without a connection.
  send(message) {
    if (this.connected) this.sendNumbered(message);
    return this.connected;
  }

  // Connects with this access code.
  connectWith(word) {
    if (!rememberCode(word)) location.hash = word;
    this.restart();
  }

  // Changes what the page wants to see.
  setWants(wants) {
    if (String(wants) === String(this.wants)) return;
    this.wants = wants;
    if (this.connected) this.sendNumbered({ wants });
  }

  // Sends a question that changes nothing, again after each reconnection, until `endQuestion` is called. A
  // later question with the same name replaces it.
  ask(name, message) {
    this.questions.set(name, message);
    this.send(message);
  }

  // Stops repeating a question, as it was answered or is no longer needed.
  endQuestion(name) {
    this.questions.delete(name);
  }

  // Uses another access code from now on.
  useCode(word) {
    if (!this.invited) return;
    this.token = word;
    rememberCode(word);
    shareCode(word, true);
  }

  sendNumbered(message) {
    this.number += 1;
    this.unanswered.set(this.number, performance.now());
    this.socket.send(JSON.stringify({ n: this.number, ...message }));
  }

  // Tests the connection after somebody has returned to the page.
  wake() {
    const slept = Date.now() - this.heardTime > SLEPT_MS;  // performance.now() may stop while a phone sleeps
    if (!this.socket || this.connected && slept) this.restart();
    else {
      this.wokeAt = performance.now();
      if (this.connected) this.sendNumbered({});
    }
  }

  check() {
    if (!this.socket) return;
    const now = performance.now();
    const oldest = this.unanswered.values().next().value;
    if (this.wokeAt !== null && now - this.wokeAt > WOKEN_WITHIN_MS) this.restart();
    else if (oldest !== undefined && now - oldest > this.answerWithin) this.drop();
    else if (this.connected && oldest === undefined && now - this.heardAt > this.askAfter) this.sendNumbered({});
  }

  restart() {
    this.failures = 0;
    this.drop();
  }

  // Drops the connection, open or not, and connects again.
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
    if (code >= 4400) this.questions.clear();  // the message may have been for one of them
    if (code === NOT_ALLOWED) {
      this.ended = true;
      forgetCode(this.token);
    }
    this.on.onState("lost", code === TOO_MANY ? words("link.too-many") : words("link.lost"));
    const wait = this.failures ? RETRY_MS[Math.min(this.failures, RETRY_MS.length) - 1] : 0;
    this.failures += 1;
    this.retry = setTimeout(() => this.connect(), wait);
  }

  async connect() {
    clearTimeout(this.retry);
    const attempt = (this.attempt = {});
    const known = accessCode();
    let token;
    try {
      token = known ?? await requestLocalCode();
    } catch {
      if (attempt === this.attempt) this.drop();
      return;
    }
    if (attempt !== this.attempt || this.socket) return;
    if (token === null) {
      const asked = MAY_BE_LOCAL ? words("link.no-word-here") : words("link.no-word");
      this.on.onState("refused", this.ended ? words("link.out-of-date") : asked);
      return;
    }
    this.token = token;
    this.invited = known !== null;
    const socket = open(HUB ?? "/live");
    this.socket = socket;
    this.unanswered.set(0, performance.now());
    socket.binaryType = "arraybuffer";
    socket.onopen = () => socket.send(JSON.stringify({ n: 0, hello: token, device: DEVICE, follows: FOLLOWS, wants: this.wants }));
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = (event) => this.drop(event.code);
  }

  receive(data) {
    this.heardAt = performance.now();
    this.heardTime = Date.now();
    this.wokeAt = null;
    if (data instanceof ArrayBuffer) {
      this.on.onPicture(new Uint8Array(data));
      return;
    }
    const message = JSON.parse(data);
    if ("word" in message) this.useCode(message.word);
    if ("moment" in message) {
      this.on.onMoment(message);
      return;
    }
    if (!("n" in message)) {
      if (message.panel && !message.panel.reading) this.endQuestion(message.panel.name);
      this.on.onMessage?.(message);
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
      if (this.invited) shareCode(this.token, this.access === "play" || this.role === "organiser");
      this.on.onState("connected", "");
      for (const question of [...this.questions.values()]) this.send(question);
    }
  }
}

// Requests the access code for the typed digits; null if they are wrong. Rejects if no answer comes.
export function codeForDigits(digits, what) {
  return requestCode({ digits, for: what });
}

// Requests the access code for a TV; null until somebody has admitted it. `waits`: the name that the TV
// shows as a QR code meanwhile.
export function codeForTv(waits) {
  return requestCode({ waits });
}

// Rejects if no answer comes.
function requestCode(asked) {
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

// Requests the access code from the box, which gives it to browsers of its own machine that have the cookie;
// null for any other browser, and for a hub's page.
async function requestLocalCode() {
  if (HUB) return null;
  const answer = await fetchWithin(ANSWER_WITHIN_MS, "/token", { cache: "no-store" });
  return answer.ok ? (await answer.json()).token : null;
}
