// Long marks that may be bars: whether one is a straight stroke, and two that a spinner pin parts joined.

const PARTS = 9;  // of a long mark, whose thickness is looked at
const SLENDER = 2.4, PINNED = 1.6;  // length by thickness, without a pin and with one
const ALIKE = 1.7, ASKEW = 0.16, MOST_BETWEEN = 1.7, LEAST_BETWEEN = 0.15, MOST_JOINED = 300;

// The length of a long mark that is one straight stroke, with a spinner pin in its middle or without: it is as
// thin on one side as on the other. 0: it is no such mark.
export function straight({ stretches }, { x, y, angle, aspect, thin }) {
  if (aspect < PINNED || thin < 0.9) return 0;
  const dx = Math.cos(angle), dy = Math.sin(angle), along = [];
  let from = Infinity, to = -Infinity;
  for (const [py, first, end] of stretches) {
    for (let px = first; px < end; px += 1) {
      const at = (px - x) * dx + (py - y) * dy;
      along.push(at);
      if (at < from) from = at;
      if (at > to) to = at;
    }
  }
  const length = to - from + 1, cell = length / PARTS, thick = new Float32Array(PARTS);
  for (const at of along) thick[Math.min(PARTS - 1, Math.floor((at - from) / cell))] += 1 / cell;
  const ends = [thick[1], thick[PARTS - 2]], sides = [...ends, thick[2], thick[PARTS - 3]];
  const most = Math.max(...ends), least = Math.max(0.8, Math.min(...ends));
  if (thick.some((one) => one <= 0.3) || most > Math.max(2.2 * least, least + 2)) return 0;
  const isEven = aspect >= SLENDER && Math.max(...sides) < Math.max(2.2 * least, least + 2) && most < length / 4;
  const hasPin = length > 14 && thick[4] > 1.7 * most && most < length / 6 && Math.abs(thick[3] - thick[5]) < 0.6 * thick[4];
  return isEven || hasPin ? length : 0;
}

// Pairs of strokes that lie behind each other as the halves of a bar do.
export function joined(long) {
  const found = [];
  for (let one = 0; one < long.length && found.length < MOST_JOINED; one += 1) {
    for (let other = one + 1; other < long.length; other += 1) {
      const bar = joinedOf(long[one], long[other]);
      if (bar) found.push(bar);
    }
  }
  return found;
}

function joinedOf(one, other) {
  if (one.length > ALIKE * other.length || other.length > ALIKE * one.length) return null;
  const dx = other.x - one.x, dy = other.y - one.y, apart = Math.hypot(dx, dy), mean = (one.length + other.length) / 2;
  if (apart < mean * (1 + LEAST_BETWEEN) || apart > mean * (1 + MOST_BETWEEN)) return null;
  const angle = Math.atan2(dy, dx);
  if (Math.abs(Math.sin(one.angle - angle)) > ASKEW || Math.abs(Math.sin(other.angle - angle)) > ASKEW) return null;
  const ends = [one, other].flatMap(({ x, y, length }) => [-1, 1].map((side) => {
    const ex = x + (side * Math.cos(angle) * length) / 2, ey = y + (side * Math.sin(angle) * length) / 2;
    return (ex - one.x) * Math.cos(angle) + (ey - one.y) * Math.sin(angle);
  }));
  const from = Math.min(...ends), to = Math.max(...ends), middle = (from + to) / 2;
  return {
    x: one.x + middle * Math.cos(angle) + (dx - apart * Math.cos(angle)) / 2, y: one.y + middle * Math.sin(angle) + (dy - apart * Math.sin(angle)) / 2,
    angle, length: to - from, thin: Math.max(one.thin, other.thin), radius: Math.min(one.radius, other.radius), joined: true,
  };
}
