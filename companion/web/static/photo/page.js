// The page that read.mjs opens: reads the photos that it is given, one after the other, as a phone does.

import { pixelsOf, Unreadable } from "./decode.js";
import { tilesIn } from "./reading.js";

const many = Number(new URLSearchParams(location.search).get("many"));
for (let number = 0; number < many; number += 1) {
  const told = await toldOf(await (await fetch(`/given/${number}`)).blob());
  await fetch(`/told/${number}`, { method: "POST", body: JSON.stringify(told) });
}

async function toldOf(blob) {
  const from = performance.now();
  try {
    const { canvas, part } = await pixelsOf(blob), tiles = await tilesIn(canvas);
    const inPhoto = (corner) => corner.map((one) => Math.round(one / part * 10) / 10);
    return {
      width: Math.round(canvas.width / part), height: Math.round(canvas.height / part),
      tiles: tiles.map((tile) => ({ ...tile, corners: tile.corners.map(inPhoto) })),
      refused: null, ms: Math.round(performance.now() - from),
    };
  } catch (fault) {
    if (!(fault instanceof Unreadable)) throw fault;
    return { width: 0, height: 0, tiles: [], refused: fault.message, ms: Math.round(performance.now() - from) };
  }
}
