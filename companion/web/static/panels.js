// The panels beside the moment: chips, the race, house rules, a new game, help. Their modules are loaded when
// one is first opened; the server sends their content (panels.py).

import { at, clear, words, write } from "./elements.js";
import { showClock, showGiven } from "./show_moment.js";

// Loads the module of the panel `name`; null if the connection is lost.
async function loadPanel(name) {
  try {
    return name === "new" ? await import("./panel_new.js") : (await import("./panel_views.js"))[name];
  } catch {
    return null;
  }
}

const WITHOUT_REQUEST = new Set(["help", "club"]);  // panels without a request to the server
const OF_A_GAME = new Set(["race", "rules"]);

export class Panels {
  // `marked` is called when another panel was opened, or all are closed.
  constructor(keying, marked) {
    this.keying = keying;
    this.marked = marked;
    this.name = null;
    this.row = null;
    this.game = null;
    this.club = null;  // the state of the club, as the server last sent it
    this.asked = {};  // the other fields of the request for the open panel
    this.newest = null;  // the last answer
    this.roleOnceDealt = null;  // the role of this page once the game dealt here has begun
    this.unshown = null;  // an answer whose module could not be loaded
    for (const key of document.querySelectorAll("[data-panel]")) {
      key.addEventListener("click", () => this.open(key.dataset.panel));
    }
    at("end-game").addEventListener("click", () => keying.offer({ text: "end", label: "" }));
  }

  // Opens a panel instead of the open one; if it is open already, closes it.
  open(name) {
    this.keying.connection.endQuestion(this.name);
    if (this.name === "new") this.keying.connection.send({ sitting: null });
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

  // Requests the open panel's content. `more`: the other fields of the request.
  ask(more = this.asked) {
    this.asked = more;
    if (WITHOUT_REQUEST.has(this.name)) this.handlePanel({ name: this.name, club: this.club });
    else this.keying.connection.ask(this.name, { panel: { name: this.name, ...more } });
  }

  // Shows the keys of the panels that exist for this page and this game, and the key that ends the game.
  offer() {
    const { moment } = this.keying;
    if (!moment) return;
    const game = moment.game !== null, chips = moment.seats.some((seat) => seat.chips);
    for (const key of document.querySelectorAll("[data-panel]")) {
      const { panel } = key.dataset;
      key.hidden = panel === "chips" ? !chips : OF_A_GAME.has(panel) ? !game : panel === "new" || panel === "games" ? !this.keying.plays : panel === "club" ? !this.keying.plays || !this.club : false;
      if (key.hidden && panel === this.name) this.open(panel);
    }
    at("end-game").hidden = !game || moment.finished || !this.keying.plays;
  }

  // Receives the state of the club, and shows it as a sign in the header, and in the panel if that is open.
  hearClub(club) {
    this.club = club;
    this.offer();
    if (this.name === "club") this.ask();
    showClock(club?.left_s);
    showGiven(club, this.keying.connection);
    showSign(club);
  }

  // Called when the page is connected again: shows an answer whose module could not be loaded before.
  onConnected() {
    if (this.unshown) this.handlePanel(this.unshown);
    if (this.club) this.hearClub(this.club);
  }

  // Gives another phone the seat that it requests in the new game on this page.
  async hearSit(asked) {
    if (this.name === "new") (await loadPanel("new"))?.sit(asked, this);
  }

  update({ moment }) {
    if (!moment) return;
    this.offer();
    if (this.name === "new" && moment.number !== this.game) {  // the new game has begun
      this.open("new");
      if (this.roleOnceDealt) this.keying.role.wish(this.roleOnceDealt);
      this.roleOnceDealt = null;
    }
    if (this.name && !WITHOUT_REQUEST.has(this.name) && moment.row !== this.row) this.ask();
    this.row = moment.row;
    this.game = moment.number;
  }

  // Receives a panel's content; keeps input that is being filled in.
  async handlePanel(told) {
    const { name } = told;
    if (name !== this.name) {
      if (name === "spelled" && this.name === "new") (await loadPanel("new"))?.spelled(told, this);
      return;
    }
    this.newest = told;
    const module = await loadPanel(name);
    // Browsers may resume calls that wait for the same module in any order.
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

// Shows the sign of the club in the header, even if the club refuses the box.
function showSign(club) {
  const sign = at("club-sign"), shown = Boolean(club?.name);
  sign.hidden = !shown;
  write("club-long", shown ? club.reached ? club.name : words("club.sign", club) : "");
  write("club-short", shown ? club.short : "");
  sign.dataset.reached = Boolean(club?.reached);
}
