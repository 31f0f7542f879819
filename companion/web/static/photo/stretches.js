// Stretches: of each row of the picture the parts that are darker than what lies around them. Those that touch
// make a mark.

const LEAST_STEP = 9;  // of 255: less than that is noise
const LEAST_AREA = 7, LARGEST = 260;  // pixels of a mark, and how long it may be

// Row, first pixel and the one behind the last, of each stretch in turn.
export function darkStretches({ width, height, values }, total, { around, darker }, light) {
  const wide = width + 1, found = [];
  for (let y = 0; y < height; y += 1) {
    const top = Math.max(0, y - around), low = Math.min(height, y + around + 1), row = y * width;
    const above = top * wide, below = low * wide, high = low - top;
    let from = -1, across = 0, each = 0;
    for (let x = 0; x < width; x += 1) {
      const left = x > around ? x - around : 0, right = x + around + 1 < width ? x + around + 1 : width;
      const sum = total[below + right] - total[above + right] - total[below + left] + total[above + left];
      if (right - left !== across) {
        across = right - left;
        each = 1 / (high * across);
      }
      const value = values[row + x], step = sum * each - value;
      // A light pip on a dark tile: both are turned around, so it is brightness that is compared.
      const isDark = step > LEAST_STEP && step > darker * (light ? 256 - value : step + value + 1);
      if (isDark) {
        if (from < 0) from = x;
      } else if (from >= 0) {
        found.push(y, from, x);
        from = -1;
      }
    }
    if (from >= 0) found.push(y, from, width);
  }
  return found;
}

// The marks that stretches make, with their sums; too small and too large ones left out.
export function connected(stretches) {
  const many = stretches.length / 3, parents = new Int32Array(many);
  for (let at = 0; at < many; at += 1) parents[at] = at;
  const find = (one) => {
    let at = one;
    while (parents[at] !== at) at = parents[at] = parents[parents[at]];
    return at;
  };
  for (let at = 0, above = 0; at < many; at += 1) {
    const y = stretches[3 * at], from = stretches[3 * at + 1], to = stretches[3 * at + 2];
    while (stretches[3 * above] < y - 1 || (stretches[3 * above] === y - 1 && stretches[3 * above + 2] <= from)) above += 1;
    for (let other = above; stretches[3 * other] === y - 1 && stretches[3 * other + 1] < to; other += 1) {
      const one = find(at), same = find(other);
      if (one < same) parents[same] = one;
      else parents[one] = same;
    }
  }
  return marksOf(stretches, parents, find);
}

function marksOf(stretches, parents, find) {
  const many = parents.length, areas = new Int32Array(many);
  for (let at = 0; at < many; at += 1) areas[parents[at] = find(at)] += stretches[3 * at + 2] - stretches[3 * at + 1];
  const marks = new Map();
  for (let at = 0; at < many; at += 1) {
    const root = parents[at];
    if (areas[root] < LEAST_AREA) continue;
    if (!marks.has(root)) marks.set(root, []);
    marks.get(root).push([stretches[3 * at], stretches[3 * at + 1], stretches[3 * at + 2]]);
  }
  return [...marks.values()].map(summed).filter(({ left, right, top, low }) => Math.max(right - left, low - top) < LARGEST);
}

// A mark of stretches: its pixels, the sums of their places and of these squared, and its box.
function summed(stretches) {
  const made = { stretches, area: 0, x: 0, y: 0, xx: 0, xy: 0, yy: 0, left: Infinity, right: 0, top: stretches[0][0], low: stretches[stretches.length - 1][0] };
  for (const [y, from, to] of stretches) {
    add(made, y, from, to);
    if (from < made.left) made.left = from;
    if (to > made.right + 1) made.right = to - 1;
  }
  return made;
}

function add(sums, y, from, to) {
  const many = to - from, x = ((from + to - 1) * many) / 2;
  sums.area += many;
  sums.x += x;
  sums.y += y * many;
  sums.xx += squares(to) - squares(from);
  sums.xy += x * y;
  sums.yy += y * y * many;
}

// 0² + 1² + … up to the number before.
function squares(many) {
  return ((many - 1) * many * (2 * many - 1)) / 6;
}

// The sums of a mark with its holes: all of its box that can't be reached from outside.
export function closed({ stretches, left, right, top, low }) {
  const wide = right - left + 3, high = low - top + 3, taken = new Uint8Array(wide * high), waiting = new Int32Array(wide * high);
  for (const [y, from, to] of stretches) taken.fill(1, (y - top + 1) * wide + from - left + 1, (y - top + 1) * wide + to - left + 1);
  let many = 1;
  taken[0] = 2;
  const reach = (at) => {
    if (taken[at]) return;
    taken[at] = 2;
    waiting[many++] = at;
  };
  while (many) {
    const at = waiting[--many], x = at % wide;
    if (x > 0) reach(at - 1);
    if (x < wide - 1) reach(at + 1);
    if (at >= wide) reach(at - wide);
    if (at < taken.length - wide) reach(at + wide);
  }
  const made = { area: 0, x: 0, y: 0, xx: 0, xy: 0, yy: 0 };
  for (let y = top; y <= low; y += 1) {
    for (let x = left; x <= right; x += 1) if (taken[(y - top + 1) * wide + x - left + 1] < 2) add(made, y, x, x + 1);
  }
  return made;
}
