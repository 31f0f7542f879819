// Says what happens by the browser's own voice, once somebody has tapped for it. That it is on, and how
// much it says, is remembered on this phone alone; most browsers speak only after a tap of each visit.

import { keep, recall } from "./memory.js";
import { at } from "./parts.js";

const HUB = document.body.dataset.live;  // a club's hub sends moments alone

export class Aloud {
  // `changed` is called when it says more or less than before; `seat` gives whose the page is.
  constructor({ changed = () => {}, seat = () => null } = {}, voice = window.speechSynthesis) {
    this.voice = voice;
    this.changed = changed;
    this.seat = seat;
    this.said = null;  // {game, entry}: so far all was said, or was there before the page
    this.newest = "";
    this.answers = null;
    this.more = null;  // what can be chosen and asked while it is on (voice.js)
    this.key = at("aloud");
    this.on = false;
    if (!voice) return;
    this.key.hidden = false;
    this.show(recall("aloud") === true);
    this.key.addEventListener("click", () => this.turn(!this.on));
  }

  get level() {
    return recall("aloud-level") === "everything" ? "everything" : "counts";
  }

  get wants() {
    return this.on && !HUB ? [`voice-${this.level}`] : [];
  }

  choose(level) {
    keep("aloud-level", level === "counts" ? null : level);
    this.changed();
  }

  turn(on) {
    keep("aloud", on || null);
    this.show(on);
    this.changed();
    if (on) this.say(this.newest);
    else this.voice.cancel();
  }

  async show(on) {
    this.on = on;
    this.key.setAttribute("aria-pressed", on);
    if (HUB || !on && !this.more) return;
    this.more = this.more ?? import("./voice.js");
    const { showMore } = await this.more;
    showMore(this);
  }

  // A moment came; it is said of itself where nobody else says what is to be said of it. What stands
  // again after something was taken back is not said again.
  told({ moment }, alone = HUB) {
    if (!moment) return;
    const { number: game, entry } = moment;
    const isNew = this.said !== null && this.said.game === game && entry > this.said.entry;
    this.said = { game, entry };
    this.newest = moment.aloud ? moment.aloud.words : "";
    if (isNew && this.on && alone) this.say(this.newest);
  }

  // What the table has its pages say, and what it answers when it is asked.
  heard({ said, answers }) {
    this.answers = answers;
    this.more?.then(({ showMore }) => showMore(this));
    if (this.on) this.say(said.join(", "));
  }

  // What still waits to be said is old by now.
  say(text) {
    if (!text) return;
    if (this.voice.pending) this.voice.cancel();
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.lang = document.documentElement.lang;
    this.voice.speak(utterance);
  }
}
