// Makes sure that nobody misses their turn: the page flashes, a phone buzzes and, if chosen, two notes
// sound. The choice is remembered only on this phone. None of this happens if less motion is chosen.

import { lessMotion } from "./motion.js";
import { at, keep, recall } from "./parts.js";

const FLASH_MS = 1200, BUZZ_MS = 120;
const NOTES = [[660, 0], [880, 0.16]];  // hertz, and seconds from now
const LASTS_S = 0.22, LOUD = 0.2;
const KEY = "turn-sound";

export class YourTurn {
  // `begun` is called when the turn of the page's seat begins. `Sound` is the browser's AudioContext;
  // without one there is no sound to choose.
  constructor(begun, Sound = window.AudioContext ?? window.webkitAudioContext) {
    this.begun = begun;
    this.Sound = Sound;
    this.sound = null;
    this.seat = null;  // the seat of this page
    this.yours = false;
    this.owed = false;  // the turn began while nobody looked
    this.ends = 0;
    at(KEY).addEventListener("click", () => this.choose(!this.sounds));
    this.show();
    // Browsers play nothing before somebody has touched the page.
    addEventListener("pointerdown", () => this.sounds && this.wake(), { capture: true });
    document.addEventListener("visibilitychange", () => document.hidden || this.owed && this.flash());
  }

  get sounds() {
    return recall(KEY) === true;
  }

  choose(on) {
    keep(KEY, on || null);
    this.show();
    if (on) this.play();
  }

  show() {
    at(KEY).setAttribute("aria-pressed", this.sounds);
  }

  // Takes the seat of this page (null: none), and whether it is that seat's turn. A turn that is already on
  // when the seat is chosen is not announced.
  told(seat, yours) {
    const begins = seat === this.seat && yours && !this.yours;
    this.seat = seat;
    this.yours = yours;
    at(KEY).hidden = !this.Sound || seat === null;
    if (!yours) this.owed = false;
    if (begins) this.begun();
    if (!begins || lessMotion()) return;
    if (document.hidden) this.owed = true;
    else this.flash();
    navigator.vibrate?.(BUZZ_MS);
    if (this.sounds) this.play();
  }

  flash() {
    this.owed = false;
    const { classList } = document.body;
    clearTimeout(this.ends);
    classList.remove("turn-begins");
    classList.add("turn-begins");
    this.ends = setTimeout(() => classList.remove("turn-begins"), FLASH_MS);
  }

  wake() {
    this.sound = this.sound ?? new this.Sound();
    if (this.sound.state === "suspended") this.sound.resume();
  }

  play() {
    this.wake();
    const { sound } = this, now = sound.currentTime;
    for (const [pitch, after] of NOTES) {
      const note = sound.createOscillator(), volume = sound.createGain(), at = now + after;
      note.frequency.value = pitch;
      volume.gain.setValueAtTime(LOUD, at);
      volume.gain.exponentialRampToValueAtTime(0.001, at + LASTS_S);
      note.connect(volume).connect(sound.destination);
      note.start(at);
      note.stop(at + LASTS_S);
    }
  }
}
