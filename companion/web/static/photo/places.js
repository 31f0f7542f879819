// Finds the place in the record of a tile in the photo: the entry that laid it, or where an entry may be
// missing.

import { same } from "../tray.js";
import { words } from "../parts.js";

const MOST_OLDER = 8, OLDER_WITHIN_MS = 2500, STEP_MS = 50;
const TILE = /^(\d)-(\d)$/;

export class Places {
  constructor(keying) {
    this.keying = keying;
  }

  // Opens the entry of the history that laid this tile; false: it isn't found there.
  async open(tile) {
    const { history } = this.keying;
    for (let asked = 0; asked <= MOST_OLDER; asked += 1) {
      const found = history.entries.find((one) => laidBy(one, tile));
      if (found) {
        if (history.opened?.at !== found.at) history.open(found.at);
        return history.opened?.at === found.at;
      }
      const [before] = history.entries.slice(-1);
      if (!(before?.at > 1) || !history.entries.some(({ entry }) => entry !== null && !startsHand(entry))) return false;
      history.askOlder();
      for (let waited = 0; waited < OLDER_WITHIN_MS && history.entries.slice(-1)[0] === before; waited += STEP_MS) {
        await new Promise((done) => setTimeout(done, STEP_MS));
      }
      if (history.entries.slice(-1)[0] === before) return false;
    }
    return false;
  }

  // The entries by which a tile that lies on the table may have been forgotten: now, or just before the lay
  // of a tile with a half in common. Each is previewed before it counts.
  fitting(tile) {
    const { keys, moment, history } = this.keying, order = moment.seats.map(({ seat }) => seat), found = [];
    if (keys.asks === "lay" && keys.seat && keys.tiles[tile] === "fits") {
      found.push({ deed: "enter", place: 0, text: `${keys.seat} ${tile}`, label: words("photo.lay-now", { seat: this.keying.named(keys.seat), tile }) });
    }
    for (const { entry, at } of history.entries) {
      if (entry === null || startsHand(entry)) break;
      const [seat, laid] = entry.split(" ");
      if (!TILE.test(laid ?? "") || !order.includes(seat) || !touches(laid, tile)) continue;
      const before = order[(order.indexOf(seat) + order.length - 1) % order.length];
      found.push({ deed: "insert", place: at - 1, text: `${before} ${tile}`, label: words("photo.lay-before", { seat: this.keying.named(before), tile, laid }) });
    }
    return found.slice(0, 4);
  }
}

function laidBy({ entry }, tile) {
  const laid = entry?.split(" ")[1] ?? "";
  return TILE.test(laid) && same(laid, tile);
}

function startsHand(entry) {
  return entry.split(" ")[0] === "hand";
}

function touches(one, other) {
  return one.split("-").some((half) => other.split("-").includes(half));
}
