// Says counts and payments by the browser's own voice, once somebody has tapped for it. That it is
// on is remembered on this phone alone; most browsers speak only after a tap of each visit.

import { keep, recall } from "./memory.js";
import { at } from "./parts.js";

export class Aloud {
  constructor(voice = window.speechSynthesis) {
    this.voice = voice;
    this.said = null;  // {game, entry}: so far all was said, or was there before the page
    this.newest = "";
    this.key = at("aloud");
    if (!voice) return;
    this.key.hidden = false;
    this.show(recall("aloud") === true);
    this.key.addEventListener("click", () => this.turn(!this.on));
  }

  turn(on) {
    this.show(on);
    keep("aloud", on || null);
    if (on) this.say(this.newest);
    else this.voice.cancel();
  }

  show(on) {
    this.on = on;
    this.key.setAttribute("aria-pressed", on);
  }

  // A moment came. What stands again after something was taken back is not said again.
  told({ moment }) {
    if (!moment) return;
    const { number: game, entry } = moment;
    const isNew = this.said !== null && this.said.game === game && entry > this.said.entry;
    this.said = { game, entry };
    this.newest = moment.aloud ? moment.aloud.words : "";
    if (isNew && this.on) this.say(this.newest);
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
