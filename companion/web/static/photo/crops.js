// Pictures of single tiles: cut out of the photo, turned as tiles are drawn.

const WIDE = 88, HIGH = 44, AROUND = 1.12;

// A canvas with the tile whose corners these are, its first half left.
export function cut(photo, corners) {
  const canvas = document.createElement("canvas");
  canvas.width = WIDE;
  canvas.height = HIGH;
  canvas.className = "cut";
  const [a, b, c, d] = corners, pen = canvas.getContext("2d");
  // Corners come around the first half: from the first to the last goes along the tile.
  const along = mean([d[0] - a[0], d[1] - a[1]], [c[0] - b[0], c[1] - b[1]]);
  const across = mean([b[0] - a[0], b[1] - a[1]], [c[0] - d[0], c[1] - d[1]]);
  const middle = [(a[0] + b[0] + c[0] + d[0]) / 4, (a[1] + b[1] + c[1] + d[1]) / 4];
  const scale = (vector, size) => vector.map((one) => (one * AROUND) / size);
  const [ux, uy] = scale(along, WIDE), [vx, vy] = scale(across, HIGH), over = ux * vy - uy * vx;
  if (Math.abs(over) < 1e-9) return canvas;
  const m = [vy / over, -uy / over, -vx / over, ux / over];
  pen.setTransform(m[0], m[1], m[2], m[3], WIDE / 2 - m[0] * middle[0] - m[2] * middle[1], HIGH / 2 - m[1] * middle[0] - m[3] * middle[1]);
  pen.drawImage(photo, 0, 0);
  return canvas;
}

function mean(one, other) {
  return [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
}
