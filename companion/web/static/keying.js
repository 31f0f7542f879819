// Keying on the page: what is told and tapped, given to its parts. What can be keyed is the tray's, what
// OK would do is doing's, earlier entries are the history's; whose the page is its role says.

import { Doing, inPieces } from "./doing.js";
import { History } from "./history.js";
import { at, write } from "./parts.js";
import { Proposals } from "./proposals.js";
import { Role } from "./role.js";
import { offerEntries } from "./telling.js";
import { Tray } from "./tray.js";

const SURE_MS = 450;  // a second tap on what has just changed under the finger
const OF_THE_GAME = new Set(["open", "rematch", "reseat"]);

export class Keying {
  // `changed` is called when the page begins or ceases to key.
  constructor(changed) {
    this.wire = null;
    this.online = false;
    this.keys = null;
    this.moment = null;
    this.newAt = 0;
    this.quiet = false;  // what was proposed last is told only if it doesn't count
    this.waiting = [];  // what is done once what was proposed is answered
    this.proposals = new Proposals();
    this.role = new Role(changed);
    this.doing = new Doing(this);
    this.tray = new Tray(this);
    this.history = new History(this);
    at("take-back").addEventListener("click", () => this.offer({ deed: "undo", text: "", label: at("take-back").textContent }));
    at("do-again").addEventListener("click", () => this.offer({ deed: "redo", text: "", label: at("do-again").textContent }));
  }

  listenTo(wire) {
    this.wire = this.proposals.wire = this.role.wire = wire;
  }

  get plays() {
    return this.role.plays;
  }

  // ------------------------------------------------------------ what the server says

  told({ moment, keys }) {
    if (!moment || !keys) return;
    const before = this.keys;
    const moved = before !== null && (before.tip !== keys.tip || before.run !== keys.run);
    const other = before !== null && (before.game !== keys.game || before.asks !== keys.asks);
    this.moment = moment;
    this.keys = keys;
    if (moved) this.newAt = performance.now();
    if (moved) this.tray.rest();
    if (other) this.tray.chosen = [];
    this.history.told(moment);
    const { act } = this.doing;
    if (moved && !this.proposals.pending && act) {
      // What was begun stays, if it can still be meant; what it comes to is asked anew.
      if (this.means(act, other)) this.doing.ask();
      else this.forget();
    }
    if (this.wire && this.online) this.role.introduce();
    this.render();
  }

  // Whether an act means the same once the table has moved on.
  means(act, other) {
    if (OF_THE_GAME.has(act.deed)) return true;
    if (act.deed === "enter") return !other && !act.tap;
    return this.history.opened !== null;
  }

  heard(message) {
    if (message.role) {
      this.role.placed(message.role);
      this.render();
    }
    if (message.preview && this.doing.previewed(message.preview)) this.render();
    if (message.answer && this.proposals.answered(message.answer)) this.settle(message.answer);
  }

  linked(online) {
    this.online = online;
    this.waiting = [];
    if (online) {
      this.role.sayAgain();
      this.proposals.askAgain();
    }
    this.render();
  }

  settle(answer) {
    if (this.quiet) {
      this.quiet = false;
      if (!answer.counted) write("answer", answer.said.words);
      this.render();
      this.next();
      return;
    }
    // Chips that a change has moved are still to be moved by hand.
    const moved = answer.counted ? this.doing.preview?.chips ?? [] : [];
    write("answer", [answer.said.words, ...moved.map(inPieces)].join(". "));
    at("answer").dataset.counted = answer.counted;
    if (answer.counted) this.history.close();
    if (answer.again && this.doing.act) this.doing.askOnceMore();
    else if (answer.counted || this.doing.act?.tap) this.forget();
    else if (this.doing.act) this.doing.ask();
    this.render();
    this.next();
  }

  // ------------------------------------------------------------ what is tapped

  // What OK would propose; what it comes to is asked first.
  offer(act) {
    if (!this.ready) return;
    this.doing.begin(act);
    write("answer", "");
    this.doing.ask();
    this.render();
  }

  // One tap that counts at once, unless it is what one regrets.
  once({ entry, label, careful, deed, at: place }) {
    if (!this.ready || !this.isSure) return;
    this.tray.chosen = [];
    if (careful) {
      this.offer({ text: entry, label: label.words, deed, at: place });
      return;
    }
    this.doing.begin({ text: entry, label: label.words, deed, at: place, tap: true });
    this.propose();
  }

  // Does at once what can be done otherwise again, such as a setting.
  does(act) {
    if (!this.ready) return;
    this.doing.begin({ text: "", label: "", tap: true, ...act });
    this.propose();
  }

  ok() {
    if (this.canOk && this.isSure) this.propose();
  }

  // Marks an entry to be remembered, or no longer; what is begun stays.
  mark(name, on) {
    if (!this.ready) return;
    this.keepQuietly({ deed: "remember", text: `${on ? "on" : "off"} ${name}` });
  }

  // Keeps a setting; what is begun stays.
  keepSetting(text) {
    this.keepQuietly({ deed: "set", text });
  }

  keepQuietly(act) {
    this.quiet = this.proposals.propose(this.keys, { at: 0, ...act });
    this.render();
  }

  // Does that once nothing is proposed any more that has no answer yet. Without a connection nothing
  // waits.
  inTurn(act) {
    this.waiting.push(act);
    this.next();
  }

  next() {
    while (this.ready && this.waiting.length) this.waiting.shift()();
  }

  propose() {
    if (!this.proposals.propose(this.keys, this.doing.whole)) return;
    write("answer", "");
    this.render();
  }

  drop() {
    this.forget();
    write("answer", "");
    this.render();
  }

  forget() {
    this.doing.forget();
    this.tray.chosen = [];
  }

  get isSure() {
    return performance.now() - this.newAt >= SURE_MS;
  }

  get ready() {
    return this.online && this.plays && !this.proposals.pending && this.keys !== null;
  }

  get canOk() {
    return this.ready && this.doing.isClear;
  }

  // ------------------------------------------------------------ what is shown

  render() {
    const { keys, moment, plays } = this;
    at("keying").hidden = keys === null || this.wire?.access === "watch";
    document.body.classList.toggle("keys-here", keys !== null && plays);
    offerEntries(keys !== null && plays);
    if (keys === null) return;
    this.role.render(moment.seats);
    at("keyed").hidden = !plays;
    if (!plays) return;
    this.tray.render();
    this.history.render();
    this.doing.render();
  }
}
