// Says aloud what happens, once somebody has tapped for it: by the browser's own voice or, if it has none
// in the page's language, by the box's clips (voice_clips.js). Whether it is on, and how much it says, is
// remembered only on this phone; most browsers make no sound before somebody taps on each visit.

import { at, keep, recall, tilesCalled } from "./elements.js";

const HUB = document.body.dataset.live;  // a club's hub sends only moments, and has no clips
const LANGUAGE = document.documentElement.lang;
const RATE = 1.2;  // about the speed of the box's clips
const LOOKS = 5, LOOK_AGAIN_MS = 200;  // browsers find their voices some time after the page
const ON_AT_ONCE = new URLSearchParams(location.search).has("aloud");  // for a TV on which nobody taps

// The browser's own voice.
class BrowserVoice {
  constructor(voice, refused) {
    this.voice = voice;
    this.refused = refused;
    this.clips = false;
  }

  // Says these sentences, and drops those that still wait, as they are old by now.
  say(sentences) {
    if (this.voice.pending) this.voice.cancel();
    const utterance = new SpeechSynthesisUtterance(tilesCalled(sentences.join(", ")));
    utterance.lang = LANGUAGE;
    utterance.rate = RATE;
    utterance.onerror = ({ error }) => error === "not-allowed" && this.refused();
    this.voice.speak(utterance);
  }

  silence() {
    this.voice.cancel();
  }

  // Stops what is being said.
  stop() {
    if (this.voice.speaking) this.voice.cancel();
  }

  wake() {}
}

export class Aloud {
  // `changed` is called when it says more or less than before; `seat` gives the page's seat, and `word` the
  // word that lets the page in. `table`: it says as much as the table has chosen, and can't be asked
  // anything.
  constructor({ changed = () => {}, seat = () => null, word = () => null, table = false } = {}, voice = window.speechSynthesis) {
    this.changed = changed;
    this.seat = seat;
    this.word = word;
    this.table = table;
    this.voice = null;  // null: it isn't found yet, or there is none
    this.silent = false;  // the browser has none
    this.isLinked = this.asks = this.lacks = false;
    this.said = null;  // {game, entry}: all up to here was said, or was there before the page
    this.newest = [];
    this.owes = false;  // the newest has to be said once it is known
    this.answers = null;
    this.more = null;  // the keys for choosing and asking while it is on (voice_choices.js)
    this.ofTable = "off";
    this.key = at("aloud");
    this.on = recall("aloud") === true || table && ON_AT_ONCE;
    this.key.addEventListener("click", () => this.turn(!this.on));
    addEventListener("pointerdown", () => this.on && this.voice?.wake(), { capture: true });
    for (const pressed of ["pointerdown", "keydown"]) {
      addEventListener(pressed, () => this.on && this.voice?.stop(), { capture: true });
    }
    this.find(voice);
  }

  get level() {
    return recall("aloud-level") === "everything" ? "everything" : "counts";
  }

  get wants() {
    if (HUB || !this.table && !(this.on && this.voice)) return [];
    return [`voice-${this.table ? "table" : this.level}`, ...this.voice?.clips ? ["clips"] : []];
  }

  async find(voice) {
    if (await speaks(voice)) this.begin(new BrowserVoice(voice, () => this.table && this.show(false)));
    else this.silent = true;
    this.askBox();
  }

  // The page was let in.
  linked() {
    this.isLinked = true;
    this.askBox();
  }

  // If the browser has no voice, asks the box for its clips.
  async askBox() {
    if (HUB || !this.isLinked || !this.silent || this.asks) return;
    this.asks = true;
    const clips = await import("./voice_clips.js").catch(() => null);  // null: the connection is gone
    const found = clips && await clips.clipsOfBox(LANGUAGE, this.word, () => this.table && this.show(false));
    this.lacks = found === null;
    this.asks = !this.lacks;
    if (found) this.begin(found);
    this.offer();
  }

  begin(voice) {
    this.voice = voice;
    if (voice.clips) this.newest = [];
    if (this.on) voice.wake();
    this.offer();
    this.show(this.on);
    this.changed();
  }

  // Shows the key, or the line that says why there is none; on a TV only while the table has a voice.
  offer() {
    const wished = !this.table || this.ofTable !== "off";
    this.key.hidden = !wished || !this.voice;
    at("no-voice").hidden = !wished || !this.lacks;
  }

  choose(level) {
    keep("aloud-level", level === "counts" ? null : level);
    this.changed();
  }

  turn(on) {
    keep("aloud", on || null);
    this.show(on);
    this.changed();
    if (!on) return this.voice.silence();
    this.voice.wake();
    this.owes = this.voice.clips && !this.newest.length;
    this.say(this.newest);
  }

  async show(on) {
    this.on = on;
    this.key.setAttribute("aria-pressed", on);
    if (HUB || this.table || !on && !this.more) return;
    this.more = this.more ?? import("./voice_choices.js");
    try {
      const { showMore } = await this.more;
      showMore(this);
    } catch {
      this.more = null;  // there was no connection: it is loaded with the next tap, or once there is one
    }
  }

  // Takes a moment. `alone`: says what is new in it, as no server says what to say. Entries that stand
  // again after something was taken back are not said again.
  told({ moment }, alone = HUB) {
    if (!moment) return;
    const { number: game, entry } = moment;
    const isNew = this.said !== null && this.said.game === game && entry > this.said.entry;
    this.said = { game, entry };
    if (this.voice?.clips) return;
    this.newest = moment.aloud ? [moment.aloud.words] : [];
    if (isNew && this.on && alone) this.say(this.newest);
  }

  // Takes what the table has its pages say, in words or as the names of clips, and its answers to
  // questions.
  heard({ said, newest, answers = null, level = "off", clips = false }) {
    this.ofTable = level;
    this.offer();
    if (!this.voice || this.voice.clips !== clips) return;  // this was asked for before the voice was found
    this.answers = answers;
    if (clips) this.newest = newest;
    if (this.more || this.on) this.show(this.on);
    if (this.on) this.say(this.owes ? newest : said);
    this.owes = false;
  }

  // Says these sentences.
  say(sentences) {
    if (this.voice && sentences.length) this.voice.say(sentences);
  }
}

// Whether the browser has a voice for the page's language.
async function speaks(voice) {
  if (!voice) return false;
  const known = ({ lang }) => lang.slice(0, 2).toLowerCase() === LANGUAGE.slice(0, 2);
  for (let looks = 1; !voice.getVoices().some(known); looks += 1) {
    if (looks === LOOKS) return false;
    await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
  }
  return true;
}
