// Plays the box's clips in browsers that have no voice in the page's language. Sentences arrive as names of
// clips; each clip is fetched once.

import { fetchWithin } from "./elements.js";

const FETCHED_WITHIN_MS = 5000;  // after this a sentence is out of date
const MOST_KEPT = 500;  // clips in memory; a language has some 400
const PAUSE_S = 0.06;  // between two sentences, as in app/speaking.py
const WAKES_WITHIN_MS = 500;
const Sound = window.AudioContext ?? window.webkitAudioContext;

// Returns the box's clips in `language`; null if it has none. `word` returns the page's access code;
// `refused` is called if the browser plays nothing before a tap.
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
    this.known = new Map();  // the promises of clips, by name
    this.sound = null;
    this.newest = null;  // the newest sentences to play
    this.playing = [];
    this.before = Promise.resolve();  // resolves when everything before has been played
  }

  // Enables sound, which browsers allow only after a tap; call it in the handler of a tap.
  wake() {
    this.sound = this.sound ?? new Sound();
    if (this.sound.state !== "running") this.sound.resume();
  }

  // Plays the sentences after the current ones, and drops waiting ones, which are out of date.
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

  // Stops playing at once.
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

  // Plays the clips of all sentences one after the other; resolves when the last one is over.
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

  // The clip with that name; null if the box has none, or doesn't answer.
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
    // Older Safari versions return no promise.
    return new Promise((done, failed) => this.sound.decodeAudioData(data, done, failed));
  }
}
