// The page's voice: speaks what happens once somebody has turned it on, with the browser's own voice or, if
// it has none in the page's language, with the box's clips (voice_clips.js). The choice is remembered only on
// this phone. Most browsers make no sound before a tap on each visit.

import { at, keep, recall, tilesCalled } from "./elements.js";

const HUB = document.body.dataset.live;  // whether this is a page of a club's hub, which sends only moments and has no clips
const LANGUAGE = document.documentElement.lang;
const RATE = 1.2;  // similar to the speed of the box's clips
const LOOKS = 5, LOOK_AGAIN_MS = 200;  // browsers load their voices some time after the page
const ON_AT_ONCE = new URLSearchParams(location.search).has("aloud");  // for TVs on which nobody can tap

// The browser's own voice.
class BrowserVoice {
  constructor(voice, refused) {
    this.voice = voice;
    this.refused = refused;
    this.clips = false;
  }

  // Speaks these sentences, and drops waiting ones, which are out of date.
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

  // Stops speaking at once.
  stop() {
    if (this.voice.speaking) this.voice.cancel();
  }

  wake() {}
}

export class Aloud {
  // `changed` is called when the level has changed; `seat` returns the page's seat, and `word` its access
  // code. `table`: the voice has the table's level, and answers no questions.
  constructor({ changed = () => {}, seat = () => null, word = () => null, table = false } = {}, voice = window.speechSynthesis) {
    this.changed = changed;
    this.seat = seat;
    this.word = word;
    this.table = table;
    this.voice = null;  // null while it isn't loaded, or if there is none
    this.silent = false;  // whether the browser has no voice
    this.isLinked = this.asks = this.lacks = false;
    this.said = null;  // {game, entry}: the last entry that was spoken, or that is older than the page
    this.newest = [];
    this.owes = false;  // whether to speak the newest text as soon as it arrives
    this.answers = null;
    this.more = null;  // the module with the keys for levels and questions (voice_choices.js)
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

  // Called when the page is connected.
  onConnected() {
    this.isLinked = true;
    this.askBox();
  }

  // Loads the box's clips if the browser has no voice.
  async askBox() {
    if (HUB || !this.isLinked || !this.silent || this.asks) return;
    this.asks = true;
    const clips = await import("./voice_clips.js").catch(() => null);  // null if the connection is lost
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

  // Shows the key that turns the voice on, or why there is no voice; on a TV only if the table has chosen a
  // voice.
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
      const { showVoiceChoices } = await this.more;
      showVoiceChoices(this);
    } catch {
      this.more = null;  // the connection was lost; it is loaded with the next tap or connection
    }
  }

  // Receives a moment. `alone`: speaks its news itself, because the server sends no texts to speak. Entries
  // that are newest again after an undo are not repeated.
  update({ moment }, alone = HUB) {
    if (!moment) return;
    const { number: game, entry } = moment;
    const isNew = this.said !== null && this.said.game === game && entry > this.said.entry;
    this.said = { game, entry };
    if (this.voice?.clips) return;
    this.newest = moment.aloud ? [moment.aloud.words] : [];
    if (isNew && this.on && alone) this.say(this.newest);
  }

  // Receives the texts to speak, as sentences or as the names of clips, and the answers to questions.
  speak({ said, newest, answers = null, level = "off", clips = false }) {
    this.ofTable = level;
    this.offer();
    if (!this.voice || this.voice.clips !== clips) return;  // turned on before the voice was found
    this.answers = answers;
    if (clips) this.newest = newest;
    if (this.more || this.on) this.show(this.on);
    if (this.on) this.say(this.owes ? newest : said);
    this.owes = false;
  }

  // Speaks these sentences.
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
