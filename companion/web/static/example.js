// An example evening that plays itself while nobody plays: moments of a game that is in the program, shown
// like the table's. It ends when a game is on the table, or when somebody ends it.

import { at } from "./parts.js";

const SECONDS = { entry: 2, payment: 4.5, dispute: 6 };

export class Example {
  // `show` shows a message of the server; `ask` sends one.
  constructor(show, ask) {
    this.show = show;
    this.ask = ask;
    this.number = 0;   // of the moment that is shown; 0: none
    this.table = null; // the table's newest message, held back meanwhile
    this.next = 0;
    at("watch-example").addEventListener("click", () => this.begin());
    at("leave-example").addEventListener("click", () => this.end());
  }

  begin() {
    this.number = 1;
    this.place();
    at("leave-example").focus();
    this.ask({ example: this.number });
  }

  // Whether to hold back the table's message, as the table has no game and the example is shown.
  holds(message) {
    this.table = message;
    if (!this.number) return false;
    if (message.moment?.game) {
      this.stop();
      return false;
    }
    this.go_on(0);  // the connection may have been away
    return true;
  }

  heard({ moment, drawing, last }) {
    if (!this.number || !this.table) return;
    this.show({ version: this.table.version, drawing, moment });
    this.number = moment.entry;
    if (this.number < last) this.go_on(secondsFor(moment));
  }

  go_on(seconds) {
    clearTimeout(this.next);
    const number = seconds ? this.number + 1 : this.number;
    this.next = setTimeout(() => this.ask({ example: number }), seconds * 1000);
  }

  end() {
    this.stop();
    if (this.table) this.show(this.table);
    at("watch-example").focus();
  }

  stop() {
    clearTimeout(this.next);
    this.number = 0;
    this.place();
  }

  place() {
    at("example").hidden = !this.number;
    document.body.classList.toggle("plays-itself", this.number > 0);
  }
}

function secondsFor({ latest, claim, ruling }) {
  if (claim || ruling) return SECONDS.dispute;
  return latest[0].payments.length ? SECONDS.payment : SECONDS.entry;
}
