// What photos of the line say beside the record. The record is what is expected: a tile that was seen
// poorly and is one of the record's counts as seen, but none is called wrong by it.

const ANOTHER_LINE = 0.4;  // so many tiles seen that are not in the record: something else was photographed

// The tiles of an earlier photo and of a further one, each once: what is told as sure counts before what is asked.
export function joined(before, more) {
  const isIn = (tiles, one) => tiles.some((other) => other.tile === one.tile && (one.asks || !other.asks));
  const now = more.filter((one) => !isIn(before, one));
  return [...before.filter((one) => !now.some((other) => other.tile === one.tile)), ...now];
}

// `seen`: what the reader told. `line`: the tiles of the record in their order. Gives
// - `agree`: the names that both have,
// - `differ`: pairs of a tile of the record and what the photo shows in its place,
// - `more`: what lies there and is not in the record,
// - `unsure`: what was seen too poorly to say,
// - `unseen`: tiles of the record that the photo doesn't show,
// - `other`: this is not that line.
export function compared(seen, line) {
  const left = [...line], agree = [], others = [];
  for (const one of [...seen].sort((a, b) => a.asks - b.asks)) {
    if (take(left, one.tile)) agree.push(one);
    else others.push(one);
  }
  const more = others.filter(({ asks }) => !asks), unsure = others.filter(({ asks }) => asks);
  const other = more.length > 1 && more.length > ANOTHER_LINE * seen.length;
  const differ = [];
  if (!other) {
    for (const one of [...more]) {
      const place = likeliest(one, left, agree, line);
      if (place === null) continue;
      take(left, place);
      more.splice(more.indexOf(one), 1);
      differ.push({ record: place, photo: one });
    }
  }
  return { agree: agree.map(({ tile }) => tile), differ, more, unsure, unseen: left, other };
}

function take(names, name) {
  const place = names.indexOf(name);
  if (place < 0) return false;
  names.splice(place, 1);
  return true;
}

// The tile of the record that lies where the photo shows this one: it has a half in common, or the same
// neighbours; null: none does.
function likeliest({ tile, corners, photo }, left, agree, line) {
  const near = agree.filter((one) => one.photo === photo).sort((a, b) => apart(a.corners, corners) - apart(b.corners, corners)).slice(0, 2).map((one) => one.tile);
  let best = null, most = 0;
  for (const name of left) {
    const at = line.indexOf(name), halves = name.split("-");
    const beside = [line[at - 1], line[at + 1]].filter((one) => one && near.some((other) => one === other)).length;
    const shared = tile.split("-").some((half) => halves.includes(half)) ? 1 : 0;
    if (shared + beside > most) [best, most] = [name, shared + beside];
  }
  return best;
}

function apart(one, other) {
  const middle = (corners) => corners.reduce(([x, y], [cx, cy]) => [x + cx / 4, y + cy / 4], [0, 0]);
  const [ax, ay] = middle(one), [bx, by] = middle(other);
  return Math.hypot(ax - bx, ay - by);
}

// The tiles of a line as the moment tells it, in the order in which they lie: the up and left arms from their
// ends, then the others; names with the higher half first. What the record leaves open is left out.
export function lineOf({ tiles }) {
  const of = (...arms) => tiles.filter(({ arm, inner, outer }) => arms.includes(arm) && inner !== null && outer !== null).map(nameOf);
  return [...of("left").reverse(), ...of(null), ...of("right"), ...of("up").reverse(), ...of("down")];
}

function nameOf({ inner, outer }) {
  return [inner, outer].sort((one, other) => other - one).join("-");
}
