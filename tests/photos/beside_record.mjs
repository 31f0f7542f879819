// What comes of each photo beside a record (compare.js): beside a right one, and beside records in which each tile
// in turn was keyed as another one. measure.py gives it a line of JSON a photo, {"tiles": what was told, "line": what
// lies there}, and gets one of counts:
// - `calledWrong`: whether the right record is called wrong,
// - `wrong`: how many wrong records were tried,
// - `found`: of how many the photo says that something else lies there, as sure,
// - `pointed`: of how many more it says that the tile isn't seen, and asks about the one that lies there.

import { createInterface } from "node:readline";
import { compared } from "../../companion/web/static/photo/compare.js";

const ALL = [...Array(7).keys()].flatMap((high) => [...Array(high + 1).keys()].map((low) => `${high}-${low}`));

let at = 0;
for await (const given of createInterface({ input: process.stdin })) {
  const { tiles, line } = JSON.parse(given), same = compared(tiles, line);
  const counts = { calledWrong: Boolean(same.differ.length || same.more.length || same.other), wrong: 0, found: 0, pointed: 0 };
  line.forEach((tile, place) => {
    const keyed = otherThan(tile, place, line);
    if (!keyed) return;
    const told = compared(tiles, line.map((one, number) => (number === place ? keyed : one)));
    counts.wrong += 1;
    if (told.differ.length || told.more.length || told.other) counts.found += 1;
    else if (told.unseen.includes(keyed) && told.unsure.length) counts.pointed += 1;
  });
  console.log(JSON.stringify(counts));
  at += 1;
}

// A tile that somebody may have keyed instead: it shares a half and doesn't lie there; undefined: there is none.
function otherThan(tile, place, line) {
  const others = ALL.filter((other) => !line.includes(other) && other.split("-").some((half) => tile.split("-").includes(half)));
  return others[(place * 7 + at) % others.length];
}
