// How pips stand on a half, as a lattice of three by three. `u` goes along the bar, `v` away from it; each
// place is a bit, row by row. Two and three may lie on either diagonal, and six along either side.

const at = (u, v) => 1 << ((v + 1) * 3 + u + 1);
const CORNERS = at(-1, -1) | at(1, -1) | at(-1, 1) | at(1, 1);

// Patterns of a number are all that its sets show.
export const PATTERNS = [
  { pips: 0, bits: 0 },
  { pips: 1, bits: at(0, 0) },
  { pips: 2, bits: at(-1, -1) | at(1, 1) },
  { pips: 2, bits: at(1, -1) | at(-1, 1) },
  { pips: 3, bits: at(-1, -1) | at(0, 0) | at(1, 1) },
  { pips: 3, bits: at(1, -1) | at(0, 0) | at(-1, 1) },
  { pips: 4, bits: CORNERS },
  { pips: 5, bits: CORNERS | at(0, 0) },
  { pips: 6, bits: CORNERS | at(-1, 0) | at(1, 0) },
  { pips: 6, bits: CORNERS | at(0, -1) | at(0, 1), turned: true },
];

export const PLACES = [];
for (let v = -1; v <= 1; v += 1) for (let u = -1; u <= 1; u += 1) PLACES.push({ u, v });

// The pattern that nine places (0: no pip, 1: a pip) are nearest to, how far the worst place is from it, and
// by how much the next number is farther away.
export function nearest(places) {
  const found = PATTERNS.map(({ pips, bits }) => {
    let worst = 0, sum = 0;
    places.forEach((value, place) => {
      const off = Math.abs(value - (bits >> place & 1));
      if (off > worst) worst = off;
      sum += off * off;
    });
    return { pips, bits, worst, sum };
  }).sort((one, other) => one.sum - other.sum);
  const [best] = found, next = found.find(({ pips }) => pips !== best.pips);
  return { ...best, next: next.pips, margin: Math.sqrt(next.sum) - Math.sqrt(best.sum) };
}
