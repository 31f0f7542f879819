// Tiles as players call them, for whoever hears them: “five-blank” and “double six”, where a page shows 5-0
// and 6-6. The words are a table of each language (TILE in companion/presentation/page_words.py).

import { words } from "./parts.js";

// The words for the halves of a double-six set; beyond it halves are numbers in every language.
const HALVES = [
  words("tile.half-0"), words("tile.half-1"), words("tile.half-2"), words("tile.half-3"),
  words("tile.half-4"), words("tile.half-5"), words("tile.half-6"),
];
const DOUBLES = [
  words("tile.double-0"), words("tile.double-1"), words("tile.double-2"), words("tile.double-3"),
  words("tile.double-4"), words("tile.double-5"), words("tile.double-6"),
];
const TILE = /\b(\d{1,2})-(\d{1,2})\b/g;

// The text with each tile in it called by its name, the higher half first.
export function tilesCalled(text) {
  return text.replace(TILE, (_, one, other) => called(...[Number(one), Number(other)].sort((a, b) => b - a)));
}

function called(high, low) {
  if (high === low) return DOUBLES[high] ?? words("tile.double", { half: high });
  return words("tile.both", { high: HALVES[high] ?? high, low: HALVES[low] ?? low });
}
