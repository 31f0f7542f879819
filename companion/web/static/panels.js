// Panels, which show other things than the moment: chips, the race, house rules, a new game, help. They
// are loaded when one is first opened; the server gives their content (panels.py).

import { at, clear, words, write } from "./elements.js";
import { showClock, showGiven } from "./show_moment.js";

// Loads what the panel `name` shows; null: the connection is gone.
async function viewOf(name) {
  try {
    return name === "new" ? await import("./panel_new.js") : (await import("./panel_views.js"))[name];
  } catch {
    return null;
  }
}

const HERE = new Set(["help", "club"]);  // panels that don't ask the server
const OF_A_GAME = new Set(["race", "rules"]);

export class Panels {
  // `marked` is called when another panel is open, or none.
  constructor(keying, marked) {
    this.keying = keying;
    this.marked = marked;
    this.name = null;
    this.row = null;
    this.game = null;
    this.club = null;  // the state of the club, as the server last sent it
    this.asked = {};  // what is asked along with the name of the open panel
    this.newest = null;  // the answer that came last
    this.roleOnceDealt = null;  // whose page this is once the game that is dealt here has begun
    this.unshown = null;  // the answer that came when its module could not be loaded
    for (const key of document.querySelectorAll("[data-panel]")) {
      key.addEventListener("click", () => this.open(key.dataset.panel));
    }
  }

  // Opens a panel in place of the one that is open; the open panel itself is only closed.
  open(name) {
    this.keying.wire.answered(this.name);
    if (this.name === "new") this.keying.wire.send({ sitting: null });
    this.name = name === this.name ? null : name;
    this.asked = {};
    this.unshown = null;
    clear(at("panel"));
    at("panel").hidden = this.name === null;
    this.mark();
    if (this.name === null) return;
    this.ask();
    at("panel").setAttribute("aria-label", document.querySelector(`[data-panel="${name}"]`).textContent);
  }

  mark() {
    document.body.classList.toggle("choosing-game", this.name === "new");
    for (const key of document.querySelectorAll("[data-panel]")) key.setAttribute("aria-expanded", key.dataset.panel === this.name);
    this.marked();
  }

  // Asks the server for the open panel's content. `more`: what else goes with the question.
  ask(more = this.asked) {
    this.asked = more;
    if (HERE.has(this.name)) this.heard({ name: this.name, club: this.club });
    else this.keying.wire.ask(this.name, { panel: { name: this.name, ...more } });
  }

  // Shows the keys of the panels that this page and this game have.
  offer() {
    const { moment } = this.keying;
    if (!moment) return;
    const game = moment.game !== null, chips = moment.seats.some((seat) => seat.chips);
    for (const key of document.querySelectorAll("[data-panel]")) {
      const { panel } = key.dataset;
      key.hidden = panel === "chips" ? !chips : OF_A_GAME.has(panel) ? !game : panel === "new" || panel === "games" ? !this.keying.plays : panel === "club" ? !this.keying.plays || !this.club : false;
      if (key.hidden && panel === this.name) this.open(panel);
    }
  }

  // Takes the state of the club, and shows it: by a sign in the header, and in the panel if that is open.
  hearClub(club) {
    this.club = club;
    this.offer();
    if (this.name === "club") this.ask();
    showClock(club?.left_s);
    showGiven(club, this.keying.wire);
    showSign(club);
  }

  // The page is connected again: what could not be loaded without a connection is loaded now.
  linked() {
    if (this.unshown) this.heard(this.unshown);
    if (this.club) this.hearClub(this.club);
  }

  // Gives a phone the seat that it asks for in the new game that is made up here.
  async hearSit(asked) {
    if (this.name === "new") (await viewOf("new"))?.sit(asked, this);
  }

  told({ moment }) {
    if (!moment) return;
    this.offer();
    if (this.name === "new" && moment.number !== this.game) {  // the new game has begun
      this.open("new");
      if (this.roleOnceDealt) this.keying.role.wish(this.roleOnceDealt);
      this.roleOnceDealt = null;
    }
    if (this.name && !HERE.has(this.name) && moment.row !== this.row) this.ask();
    this.row = moment.row;
    this.game = moment.number;
  }

  // Takes an answer; what is being filled in stays as it is.
  async heard(told) {
    const { name } = told;
    if (name !== this.name) {
      if (name === "spelled" && this.name === "new") (await viewOf("new"))?.spelled(told, this);
      return;
    }
    this.newest = told;
    const module = await viewOf(name);
    // A browser may go on in any order with several calls that wait for the same module.
    if (name !== this.name || told !== this.newest) return;
    this.unshown = module ? null : told;
    if (!module) return;
    const touched = at("panel").querySelector("[data-touched]");
    if (!touched || module.keeps === undefined) {
      const first = !at("panel").firstChild;
      clear(at("panel"));
      module.draw(at("panel"), told, this);
      if (first) at("panel").scrollIntoView({ block: "nearest" });
    } else module.keeps(at("panel"), told, this);
  }
}

// Shows the sign of the club in the header, also for a club that no longer takes anything.
function showSign(club) {
  const sign = at("club-sign"), shown = Boolean(club?.name);
  sign.hidden = !shown;
  write("club-long", shown ? club.reached ? club.name : words("club.sign", club) : "");
  write("club-short", shown ? club.short : "");
  sign.dataset.reached = Boolean(club?.reached);
}
