// Keying on the page. What is tapped is proposed with an identity and the moment that was seen; the
// answer says whether it counted. Nothing is kept for later: without a connection nothing is taken,
// and after one was lost the page only asks what became of its last proposal.

import { offerEntries } from "./telling.js";
import { Picker } from "./picker.js";
import { add, at, button, clear, colour, write } from "./parts.js";

const SURE_MS = 450;  // a second tap on what has just changed under the finger
const MAIN = new Set(["out", "draw", "pass", "return", "deal", "deal-lead", "rule-bogus", "rule-clear"]);
const CAREFUL = new Set(["bogus", "misdraw", "blocked", "redeal", "rule-bogus", "rule-clear", "out", "out-early", "return"]);
const SURFACE = `phone-${fresh()}`;
const ARMS = { left: "left", right: "right", up: "up", down: "down" };

export class Keying {
  // `changed` is called when the page begins or ceases to key.
  constructor(changed) {
    this.changed = changed;
    this.wire = null;
    this.online = false;
    this.keys = null;
    this.moment = null;
    this.role = null;            // what the server says this page is
    this.seat = null;            // for whom, where any seat may be keyed for
    this.chosen = [];            // tiles
    this.act = null;             // {text, label, deed, at}: what OK would propose
    this.preview = null;
    this.previews = 0;
    this.number = 0;
    this.pending = recall("pending", sessionStorage);
    this.opened = null;          // the earlier entry that was tapped
    this.newAt = 0;
    this.picker = new Picker(at("tiles"), (tile) => this.tap(tile));
    at("ok").addEventListener("click", () => this.ok());
    at("cancel").addEventListener("click", () => this.drop());
    at("holds").addEventListener("click", () => this.showHolding());
    at("numbers").addEventListener("submit", (event) => {
      event.preventDefault();
      this.number_entered(at("digits").value.trim());
    });
    at("who").addEventListener("change", () => this.wish(at("who").value));
    at("change").addEventListener("submit", (event) => {
      event.preventDefault();
      this.change(event.submitter?.value ?? "change");
    });
    at("take-over").addEventListener("click", () => this.wish(this.wanted, true));
    at("take-back").addEventListener("click", () => this.offer({ deed: "undo", text: "", label: at("take-back").textContent }));
    at("do-again").addEventListener("click", () => this.offer({ deed: "redo", text: "", label: at("do-again").textContent }));
    at("entries").addEventListener("click", (event) => {
      const line = event.target.closest("[data-at]");
      if (line) this.open(Number(line.dataset.at));
    });
    at("board").addEventListener("click", (event) => {
      const end = event.target.closest("[data-arm]");
      const choice = end && this.preview?.choices?.find(({ arm }) => arm === end.dataset.arm);
      if (choice) this.pick(choice);
    });
  }

  listenTo(wire) {
    this.wire = wire;
  }

  get plays() {
    return this.role !== null && this.role.name !== "watcher";
  }

  // ------------------------------------------------------------ what the server says

  told({ moment, keys }) {
    if (!moment || !keys) return;
    const moved = this.keys !== null && (this.keys.tip !== keys.tip || this.keys.run !== keys.run);
    const other = this.keys !== null && (this.keys.game !== keys.game || this.keys.asks !== keys.asks);
    this.moment = moment;
    this.keys = keys;
    if (moved) this.newAt = performance.now();
    if (other) this.chosen = [];
    // An entry that is looked at stays open as long as it is the same one.
    const same = moment.latest.find((one) => one.at === this.opened?.at);
    if (this.opened && same?.entry !== this.opened.entry) this.opened = null;
    if (moved && !this.pending && this.act) {
      // What was begun stays, if it can still be meant; what it comes to is asked anew.
      const changes = this.act.deed !== "enter";
      if (changes ? !this.opened : other || this.act.tap) this.forget();
      else this.ask();
    }
    this.introduce();
    this.render();
  }

  heard(message) {
    if (message.role) this.placed(message.role);
    if (message.preview && message.preview.id === this.previews) {
      this.preview = message.preview;
      this.render();
    }
    if (message.answer) this.answered(message.answer);
  }

  linked(online) {
    this.online = online;
    if (online) {
      if (this.role && this.wire.access === "play") this.wish(this.role.name === "seat" ? `seat ${this.role.seat}` : this.role.name, true);
      if (this.pending) this.wire.send({ became: identity(this.pending) });
    }
    this.render();
  }

  answered(answer) {
    const about = this.pending;
    if (!about || about.surface !== answer.surface || about.number !== answer.number) return;
    this.pending = null;
    keep("pending", null, sessionStorage);
    write("answer", answer.said.words);
    at("answer").dataset.counted = answer.counted;
    if (answer.counted) this.opened = null;
    if (answer.counted || this.act?.tap) this.forget();
    else if (this.act) this.ask();
    this.render();
  }

  // ------------------------------------------------------------ who keys here

  // The first moment: who this page was, or on the box's own machine the scorekeeper.
  introduce() {
    if (this.role || !this.wire || !this.online) return;
    this.role = { name: "watcher", seat: null, taken: [] };
    if (this.wire.access === "watch") return;
    const before = recall("role") ?? (here() ? "scorekeeper" : "watcher");
    if (before !== "watcher") this.wish(before);
  }

  wish(wanted, over = false) {
    keep("role", wanted);
    const name = wanted.startsWith("seat ") ? "seat" : wanted;
    const role = name === "seat" ? { name, seat: wanted.slice(5), over } : { name };
    this.wire.send({ role });
  }

  placed(role) {
    const played = this.plays;
    this.role = role;
    const wanted = recall("role") ?? "";
    const taken = role.said?.key === "answer.seat-taken";
    at("take-over").hidden = !taken;
    if (taken) this.wanted = wanted;
    if (role.said) write("answer", role.said.words);
    if (role.said) keep("role", "watcher");
    if (played !== this.plays) this.changed();
    this.render();
  }

  // ------------------------------------------------------------ what is tapped

  tap(tile) {
    if (!this.ready) return;
    if (this.keys.asks === "show") {
      this.chosen = this.chosen.includes(tile) ? this.chosen.filter((one) => one !== tile) : [...this.chosen, tile];
      this.act = null;
      this.preview = null;
      this.render();
      return;
    }
    const seat = this.keys.seat ?? this.seat;
    if (!seat) {
      write("answer", "Who lays it?");
      return;
    }
    this.chosen = [tile];
    this.offer({ text: `${seat} ${tile}`, label: "" });
  }

  // An earlier entry: what may be done to it.
  open(number) {
    const entry = this.moment.latest.find((one) => one.at === number);
    if (!this.ready || !entry || entry.entry === null) return;
    this.forget();
    write("answer", "");
    this.opened = this.opened?.at === number ? null : entry;
    if (this.opened) at("written").value = entry.entry;
    this.render();
    if (this.opened) at("opened").scrollIntoView({ block: "nearest" });
  }

  change(deed) {
    if (!this.opened) return;
    const deletes = deed === "delete";
    const text = deletes || deed === "rewind" ? "" : at("written").value.trim();
    if (!text && !deletes && deed !== "rewind") return;
    const label = deletes ? `Delete “${this.opened.said.words}”` : text;
    this.offer({ deed: deletes ? "change" : deed, at: this.opened.at - 1, text, label });
  }

  showHolding() {
    if (this.ready) this.offer({ text: ["", ...this.chosen].reduce((text, tile) => `${text} ${tile}`.trim(), `${this.keys.seat} holds`), label: "" });
  }

  number_entered(digits) {
    if (!this.ready || !/^[0-9][0-9 ]*$/.test(digits)) return;
    const seat = this.keys.seat ?? this.seat;
    if (!seat) return;
    const kind = at("kind").value;
    const text = kind === "ends" ? [...digits.replace(/ /g, "")].join(" ") : digits;
    this.chosen = [];
    this.offer({ text: `${seat} ${kind} ${text}`, label: "" });
  }

  // What OK would propose; what it comes to is asked first.
  offer(act) {
    if (!this.ready) return;
    this.act = { deed: "enter", at: 0, ...act };
    write("answer", "");
    this.ask();
    this.render();
  }

  ask() {
    const { deed, at: place, text } = this.act;
    this.previews += 1;
    this.preview = null;
    this.wire.send({ preview: { id: this.previews, deed, at: place, text } });
  }

  pick(choice) {
    this.offer({ ...this.act, text: choice.entry });
  }

  // One tap that counts at once, unless it is what one regrets.
  once(act) {
    const { entry, label, name } = act;
    if (!this.ready || performance.now() - this.newAt < SURE_MS) return;
    this.chosen = [];
    if (CAREFUL.has(name)) {
      this.offer({ text: entry, label: label.words });
      return;
    }
    this.act = { deed: "enter", at: 0, text: entry, label: label.words, tap: true };
    this.propose();
  }

  ok() {
    if (this.canOk && performance.now() - this.newAt >= SURE_MS) this.propose();
  }

  propose() {
    const { deed, at: place, text } = this.act;
    const { run, game, tip } = this.keys;
    this.number += 1;
    const pending = { surface: SURFACE, run, number: this.number };
    if (!this.wire.send({ propose: { ...pending, game, tip, deed, at: place, text } })) return;
    this.pending = pending;
    keep("pending", pending, sessionStorage);
    write("answer", "");
    this.render();
  }

  drop() {
    this.forget();
    write("answer", "");
    this.render();
  }

  forget() {
    this.act = null;
    this.preview = null;
    this.chosen = [];
  }

  get ready() {
    return this.online && this.plays && !this.pending && this.keys !== null && this.keys.game !== null;
  }

  get canOk() {
    return this.ready && this.act !== null && this.preview !== null && !this.preview.refused && !this.preview.choices;
  }

  // ------------------------------------------------------------ what is shown

  render() {
    const { keys, moment } = this;
    const game = keys !== null && keys.game !== null && moment.game !== null;
    at("keying").hidden = !game || this.wire?.access === "watch";
    document.body.classList.toggle("keys-here", game && this.plays);
    offerEntries(game && this.plays);
    if (!game) return;
    this.renderWho();
    const plays = this.plays;
    at("keyed").hidden = !plays;
    if (!plays) return;
    const lays = keys.asks === "lay", shows = keys.asks === "show";
    const mine = this.role.seat;
    const other = keys.seat && mine && keys.seat !== mine && this.role.taken.includes(keys.seat);
    at("tiles").hidden = !(lays || shows) || other;
    at("tiles").setAttribute("aria-label", lays ? "Which tile?" : "Which tiles are shown?");
    this.picker.show(keys.tiles, this.chosen, !this.ready);
    this.renderSeats(lays && keys.seat === null);
    at("holds").hidden = !shows;
    at("holds").textContent = this.chosen.length ? `Shows ${this.chosen.join(" ")}` : "Shows no tile";
    at("numbers").hidden = !(lays || shows) || other;
    const kinds = lays ? "ends" : "pips";
    if (at("kind").dataset.kinds !== kinds) this.renderKinds(kinds);
    this.renderActs(at("acts"), keys.acts.filter(({ name }) => MAIN.has(name)));
    const rest = keys.acts.filter(({ name, by }) => !MAIN.has(name) && !(name === "bogus" && mine && by !== mine));
    this.renderActs(at("more-acts"), rest);
    this.renderChange("take-back", moment.undo, "Take back: ");
    this.renderChange("do-again", moment.redo, "Do again: ");
    at("opened").hidden = this.opened === null;
    if (this.opened) write("opened-said", this.opened.said.words);
    for (const line of at("entries").querySelectorAll("[data-at]")) {
      line.classList.toggle("open", Number(line.dataset.at) === this.opened?.at);
    }
    this.renderDoing();
  }

  renderWho() {
    const select = at("who"), wanted = [["watcher", "Only watch"], ["scorekeeper", "Key for everybody"]];
    for (const seat of this.moment.seats) wanted.push([`seat ${seat.seat}`, `I am ${seat.shown}`]);
    const drawn = JSON.stringify(wanted);
    if (select.dataset.drawn !== drawn) {
      select.dataset.drawn = drawn;
      clear(select);
      for (const [value, text] of wanted) add(select, "option", "", text).value = value;
    }
    if (this.role) select.value = this.role.name === "seat" ? `seat ${this.role.seat}` : this.role.name;
  }

  renderSeats(any) {
    const place = at("whose");
    place.hidden = !any;
    clear(place);
    if (!any) return;
    for (const seat of this.moment.seats) {
      const key = button(place, "choice", seat.shown, () => {
        this.seat = seat.seat;
        write("answer", "");
        this.render();
      });
      colour(key, seat.colour);
      key.setAttribute("aria-pressed", this.seat === seat.seat);
    }
  }

  renderKinds(kinds) {
    const select = at("kind");
    select.dataset.kinds = kinds;
    clear(select);
    const texts = kinds === "ends" ? [["ends", "the open ends"], ["count", "the count"]] : [["pips", "the pips held"]];
    for (const [value, text] of texts) add(select, "option", "", text).value = value;
    at("digits").value = "";
  }

  renderActs(place, acts) {
    const drawn = JSON.stringify([acts.map(({ entry }) => entry), this.ready]);
    if (place.dataset.drawn === drawn) return;
    place.dataset.drawn = drawn;
    clear(place);
    for (const act of acts) {
      const key = button(place, `act ${act.name}`, act.label.words, () => this.once(act));
      key.setAttribute("aria-disabled", !this.ready);
    }
  }

  renderChange(id, change, before) {
    at(id).hidden = !change;
    at(id).textContent = change ? `${before}${change.words}` : "";
    at(id).setAttribute("aria-disabled", !this.ready);
  }

  // What OK would do, or the ends to choose from.
  renderDoing() {
    const { act, preview } = this;
    at("doing").hidden = !act || act.tap === true;
    const list = at("meaning");
    clear(list);
    clear(at("choices"));
    for (const end of at("board").querySelectorAll("[data-arm]")) end.classList.remove("pick");
    if (!act) return;
    const refused = preview?.refused, told = preview?.told ?? [];
    at("doing").classList.toggle("refused", Boolean(refused));
    if (refused) add(list, "li", "refusal", refused.words);
    if (!told.length && act.label) add(list, "li", "", act.label);
    for (const one of told) {
      add(list, "li", "", one.said.words);
      if (one.why) add(list, "li", "because", one.why.words);
      for (const payment of one.payments) {
        add(list, "li", "pays", payment.said.words + (payment.chips ? `: ${payment.chips.said.words}` : ""));
      }
      for (const notice of one.notices) add(list, "li", "notice", notice.words);
    }
    this.renderTotals(list, preview);
    for (const choice of preview?.choices ?? []) {
      const where = choice.arm ? ARMS[choice.arm] : `ends ${choice.ends.join(" ")}`;
      const why = choice.why ? choice.why.words.replace(/^.*: /, "") : choice.count;
      button(at("choices"), "choice", `${where}: ${why}`, () => this.pick(choice));
      if (choice.arm) at("board").querySelector(`[data-arm="${choice.arm}"]`)?.classList.add("pick");
    }
    if (preview?.choices) add(list, "li", "", "On which end?");
    at("ok").setAttribute("aria-disabled", !this.canOk);
    at("ok").hidden = Boolean(refused || preview?.choices);
  }

  renderTotals(list, preview) {
    for (const [seat, [before, after]] of Object.entries(preview?.scores ?? {})) {
      if (before !== after) add(list, "li", "", `${seat.replace(/_/g, " ")}: ${before} → ${after}`);
    }
    if (preview?.lost) add(list, "li", "notice", preview.lost.words);
    for (const moved of preview?.chips ?? []) add(list, "li", "pays", moved.words);
  }
}

function identity({ surface, run, number }) {
  return { surface, run, number };
}

function fresh() {
  const letters = "abcdefghijklmnopqrstuvwxyz234567";
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => letters[byte & 31]).join("");
}

function here() {
  return ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
}

// What a page remembers; private windows may refuse to.
function keep(name, value, store = localStorage) {
  try {
    if (value === null) store.removeItem(name);
    else store.setItem(name, JSON.stringify(value));
  } catch { /* then it is asked again */ }
}

function recall(name, store = localStorage) {
  try {
    return JSON.parse(store.getItem(name));
  } catch {
    return null;
  }
}
