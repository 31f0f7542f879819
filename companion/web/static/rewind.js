// Shows the proof of a call: the line goes back to the turn that is called bogus, the tiles in question
// light up, then come the sentence, the verdict, and the line as it is now. CSS shows and hides all this by
// `data-proof`; a page that is opened later starts with the last step.

import { at } from "./parts.js";

const STEPS = [["then", 3000], ["lit", 3000], ["said", 4000], ["judged", 5000], ["now", 0]];  // milliseconds that each step lasts
const REWOUND = new Set(["then", "lit", "said", "judged"]);

export class Rewind {
  constructor() {
    this.claim = undefined;  // the claim in the last message, as text; null: none
    this.step = "now";
    this.timer = 0;
    this.drawings = {};
  }

  // Takes a message of the server, after the page has shown it.
  told({ moment, drawing, proof }) {
    const claim = moment?.claim ?? null;
    const { by, accused, turn, verdict, tiles } = claim ?? {};
    const known = claim && [moment.number, moment.hand, by, accused, turn, verdict.key, ...tiles].join();
    const isNew = this.claim !== undefined && known !== this.claim;
    this.claim = known;
    this.drawings = { drawing, proof };
    if (isNew || !claim) this.go(proof && claim ? 0 : STEPS.length - 1);
    else this.show(this.step);
  }

  go(number) {
    clearTimeout(this.timer);
    const [step, lasts] = STEPS[number];
    const before = this.step;
    this.step = step;
    this.show(before);
    if (lasts) this.timer = setTimeout(() => this.go(number + 1), lasts);
  }

  // Shows the step; `before`: the step until now. Whenever the page shows a message, it puts the newest
  // drawing on the board, so the proof's is put there again.
  show(before) {
    document.body.dataset.proof = this.step;
    const { drawing, proof } = this.drawings, rewound = REWOUND.has(this.step);
    if (rewound && (before === this.step || !REWOUND.has(before))) at("board").innerHTML = proof ?? "";
    else if (!rewound && REWOUND.has(before)) at("board").innerHTML = drawing ?? "";
  }
}
