// The box's clips, for browsers that have no voice in the page's language: sentences come as the names of
// clips, and each clip is fetched once.

import { fetchWithin } from "./elements.js";

const FETCHED_WITHIN_MS = 5000;  // later the sentence is old
const MOST_KEPT = 500;  // clips in memory: all of a language's are some 400
const PAUSE_S = 0.06;  // between two sentences, as in app/speaking.py
const WAKES_WITHIN_MS = 500;
const Sound = window.AudioContext ?? window.webkitAudioContext;

// The box's voice in `language`; null: it has none. `word` gives the word that lets the page in; `refused`
// is called if the browser makes no sound before somebody taps.
export async function clipsOfBox(language, word, refused) {
  if (!Sound) return null;
  try {
    const answer = await fetchWithin(FETCHED_WITHIN_MS, `/clips/${language}`, { headers: shown(word()) });
    return answer.ok && (await answer.json()).speaks ? new Clips(language, word, refused) : null;
  } catch {
    return null;
  }
}

function shown(word) {
  return { Authorization: ["bearer", word].join(" ") };
}

class Clips {
  constructor(language, word, refused) {
    this.place = `/clips/${language}/`;
    this.word = word;
    this.refused = refused;
    this.clips = true;
    this.known = new Map();  // promises of clips, by their names
    this.sound = null;
    this.newest = null;  // what it was last told to say
    this.playing = [];
    this.before = Promise.resolve();  // resolves when everything before has been said
  }

  // Browsers make sound only after a tap, so a tap has to call this.
  wake() {
    this.sound = this.sound ?? new Sound();
    if (this.sound.state !== "running") this.sound.resume();
  }

  // Says the sentences after those that are being said; drops those that still wait, as they are old by
  // then.
  say(sentences) {
    const mine = this.newest = sentences;
    const clips = Promise.all(sentences.map((names) => Promise.all(names.map((name) => this.clip(name)))));
    this.before = this.before.then(async () => {
      const found = await clips;
      if (mine === this.newest && await this.isAwake()) await this.play(found);
    });
  }

  silence() {
    this.newest = null;
    this.stop();
  }

  // Stops what is being said.
  stop() {
    for (const source of this.playing) source.stop();
  }

  async isAwake() {
    this.wake();
    if (this.sound.state !== "running") {
      await Promise.race([this.sound.resume(), new Promise((done) => setTimeout(done, WAKES_WITHIN_MS))]);
    }
    if (this.sound.state !== "running") this.refused();
    return this.sound.state === "running";
  }

  // Plays the clips of each sentence one behind the other, until the last one is over.
  play(sentences) {
    let begins = this.sound.currentTime;
    this.playing = [];
    for (const clips of sentences) {
      for (const clip of clips.filter(Boolean)) {
        const source = this.sound.createBufferSource();
        source.buffer = clip;
        source.connect(this.sound.destination);
        source.start(begins);
        begins += clip.duration;
        this.playing.push(source);
      }
      begins += PAUSE_S;
    }
    const last = this.playing[this.playing.length - 1];
    return last && new Promise((done) => { last.onended = done; });
  }

  // The clip of that name; null: the box has none, or doesn't answer.
  clip(name) {
    if (!this.known.has(name)) {
      this.known.set(name, this.fetched(name).catch(() => {
        this.known.delete(name);
        return null;
      }));
      if (this.known.size > MOST_KEPT) this.known.delete(this.known.keys().next().value);
    }
    return this.known.get(name);
  }

  async fetched(name) {
    this.wake();
    const answer = await fetchWithin(FETCHED_WITHIN_MS, this.place + encodeURIComponent(name), { headers: shown(this.word()) });
    if (!answer.ok) throw new Error(name);
    const data = await answer.arrayBuffer();
    // Older Safaris give no promise.
    return new Promise((done, failed) => this.sound.decodeAudioData(data, done, failed));
  }
}
