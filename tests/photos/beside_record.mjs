// How often a wrong lay is found, and a right record called wrong: `node tests/photos/beside_record.mjs FOLDER`,
// on the lines of clear photos that lie there with their truth, told by read.mjs.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compared } from "../../companion/web/static/photo/compare.js";

const READER = fileURLToPath(new URL("../../companion/web/static/photo/read.mjs", import.meta.url));
const ALL = [...Array(7).keys()].flatMap((high) => [...Array(high + 1).keys()].map((low) => `${high}-${low}`));

const folder = process.argv[2];
const truths = readdirSync(folder).filter((name) => /^(clear|pin)-.*\.json$/.test(name))
  .map((name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8"))).filter(({ tiles }) => tiles.length >= 6);
const photos = truths.map(({ photo }) => `${folder}/${photo}`);
const told = execFileSync("node", [READER, ...photos, "--json"], { maxBuffer: 1 << 28 }).toString().trim().split("\n").map((line) => JSON.parse(line));

let wrong = 0, found = 0, named = 0, right = 0, calledWrong = 0;
truths.forEach(({ tiles }, at) => {
  const line = tiles.map(({ tile }) => tile), seen = told[at].tiles;
  right += 1;
  const same = compared(seen, line);
  if (same.differ.length || same.more.length || same.other) calledWrong += 1;
  // Each tile of the line in turn keyed as another one that shares a half and doesn't lie there.
  line.forEach((tile, place) => {
    const others = ALL.filter((other) => !line.includes(other) && other.split("-").some((half) => tile.split("-").includes(half)));
    if (!others.length) return;
    const keyed = [...line];
    keyed[place] = others[(place * 7 + at) % others.length];
    const told = compared(seen, keyed);
    wrong += 1;
    if (told.differ.length || told.more.length) found += 1;
    if (told.differ.some(({ record, photo }) => record === keyed[place] && photo.tile === tile)) named += 1;
  });
});
console.log(`${right} photos; a right record called wrong: ${calledWrong} (${(100 * calledWrong / right).toFixed(2)} %)`);
console.log(`${wrong} wrong lays: found ${found} (${(100 * found / wrong).toFixed(2)} %), with its place ${named} (${(100 * named / wrong).toFixed(2)} %)`);
