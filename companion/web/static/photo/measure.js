// The measures of the set in the photo: where its pips stand beside a bar.

export function median(values) {
  if (!values.length) return 0;
  const sorted = new Float64Array(values).sort();
  return sorted[sorted.length >> 1];
}

// Marks by the square of the table they lie in: those near a place are found without looking at all.
export class Nearby {
  constructor(marks, cell) {
    this.cell = cell;
    this.cells = new Map();
    for (const mark of marks) {
      const key = this.key(mark.x, mark.y);
      if (!this.cells.has(key)) this.cells.set(key, []);
      this.cells.get(key).push(mark);
    }
  }

  key(x, y) {
    return Math.floor(x / this.cell) * 65536 + Math.floor(y / this.cell);
  }

  // Those no farther than `reach` from a place.
  within(x, y, reach) {
    const { cell } = this, found = [], right = Math.floor((x + reach) / cell), low = Math.floor((y + reach) / cell);
    for (let cx = Math.floor((x - reach) / cell); cx <= right; cx += 1) {
      for (let cy = Math.floor((y - reach) / cell); cy <= low; cy += 1) {
        const here = this.cells.get(cx * 65536 + cy);
        if (!here) continue;
        for (const mark of here) if ((mark.x - x) ** 2 + (mark.y - y) ** 2 <= reach * reach) found.push(mark);
      }
    }
    return found;
  }
}

const HALVES = range(0.5, 0.96, 0.02);  // from the bar to the middle of a half, in lengths of the bar
const PITCHES = range(0.44, 0.66, 0.02);  // from there to the next row of pips, in halves' sides / 2
const MOST_SETS = 3;

function range(from, to, step) {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, number) => from + number * step);
}

// Where pips stand beside the bars of this set: the few likeliest pairs of half and pitch, in lengths of a
// bar, and how large a pip is. A bar is one of a tile if pips lie on its lattice, and nothing lies beside it.
export function measures({ pips, bars }) {
  const near = new Nearby(pips, 48);
  const beside = bars.map((bar) => {
    const places = [];
    for (const pip of near.within(bar.x, bar.y, bar.length * 1.8)) {
      const size = pip.radius / bar.length;
      if (size < 0.05 || size > 0.22) continue;
      const dx = pip.x - bar.x, dy = pip.y - bar.y;
      const u = Math.abs(dx * bar.u.x + dy * bar.u.y) / bar.length;
      const v = Math.abs(dy * bar.u.x - dx * bar.u.y) / bar.length;
      if (u < 0.75 && v > 0.12) places.push({ u, v });
    }
    return places;
  });
  const votes = [];
  for (const half of HALVES) {
    for (const part of PITCHES) {
      const pitch = half * part, width = half * 0.16;
      let score = 0;
      for (const places of beside) {
        let on = 0, off = 0;
        for (const { u, v } of places) {
          if (v > 2 * half || u > half) continue;
          const du = Math.min(u, Math.abs(u - pitch)), dv = Math.min(Math.abs(v - half), Math.abs(v - half - pitch), Math.abs(v - half + pitch));
          const fit = 1 - (du * du + dv * dv) / (width * width);
          if (fit > 0) on += fit;
          else off += 1;
        }
        if (on > off) score += Math.min(6, on) - off;
      }
      votes.push({ half, pitch, score });
    }
  }
  votes.sort((one, other) => other.score - one.score);
  const kept = [];
  for (const vote of votes) {
    if (vote.score <= 0 || kept.length === MOST_SETS) break;
    if (kept.every((other) => Math.abs(other.half - vote.half) > 0.07)) kept.push(vote);
  }
  return kept;
}
