// The cards of High Five! with tiles: a suit stays chosen until another one is tapped, a value takes the card.

import { at, button, clear, words } from "./parts.js";

const SUITS = { s: "♠", h: "♥", c: "♣", d: "♦" };
const NAMES = {
  s: () => words("card.s"),
  h: () => words("card.h"),
  c: () => words("card.c"),
  d: () => words("card.d"),
};
const VALUES = [..."AKQJT98765432"];
const JOKER = "X";

// `tap` gets the card that was tapped, as the tally writes it.
export class Cards {
  constructor(tap) {
    this.tap = tap;
    this.suit = "s";
  }

  show(chosen, off) {
    const suits = at("suits"), drawn = JSON.stringify([this.suit, chosen, off]), place = at("cards");
    if (place.dataset.drawn === drawn) return;
    place.dataset.drawn = drawn;
    clear(place);
    clear(suits);
    for (const suit of Object.keys(SUITS)) {
      const key = button(suits, `suit ${colour(suit)}`, SUITS[suit], () => {
        this.suit = suit;
        this.show(chosen, off);
      });
      key.setAttribute("aria-label", NAMES[suit]());
      key.setAttribute("aria-pressed", suit === this.suit);
    }
    this.add(suits, JOKER, "joker", chosen, off);
    for (const value of VALUES) this.add(place, value + this.suit, `card ${colour(this.suit)}`, chosen, off);
  }

  add(place, card, kind, chosen, off) {
    const key = button(place, kind, shown(card), () => off || this.tap(card));
    key.dataset.card = card;
    key.setAttribute("aria-label", named(card));
    key.setAttribute("aria-pressed", chosen.includes(card));
    key.setAttribute("aria-disabled", off);
  }
}

// The card as people write it: K♣ for Kc.
export function shown(card) {
  if (card === JOKER) return "★";
  return (card[0] === "T" ? "10" : card[0]) + SUITS[card[1]];
}

export function colour(suit) {
  return "hd".includes(suit) ? "red" : "black";
}

export function named(card) {
  if (card === JOKER) return words("card.joker");
  return words("card.named", { value: card[0] === "T" ? "10" : card[0], suit: NAMES[card[1]]() });
}
