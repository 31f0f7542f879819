// Reads a photo in a worker, then shows it beside the record, or as the tiles that somebody holds. It
// changes nothing by itself: what it proposes is tapped, previewed and confirmed like anything else.

import { ROOT, add, at, button, clear, put, words } from "../elements.js";
import { face, same } from "../entry_keys.js";
import { Camera } from "./camera.js";
import { compared, joined, lineOf } from "./compare.js";
import { Frames } from "./frames.js";
import { median } from "./measure.js";
import { Unreadable, pixelsOf, tilesIn } from "./reading.js";

let shown = null;

// `further`: the photo shows what an earlier one, which is shown still, did not.
export async function photographed(file, what, keying, further = false) {
  panelOf(keying).begin(what, keying, further);
  let photo = null;
  try {
    photo = (await pixelsOf(file)).canvas;
    const tiles = await tilesIn(photo, (stop) => { shown.stop = stop; });
    if (tiles !== null) shown.show(photo, tiles);
  } catch (fault) {
    if (!(fault instanceof Unreadable)) throw fault;
    if (photo && fault.message === "photo.too-slow") shown.show(photo, [], fault.message);
    else shown.refuse(fault.message);
  }
}

// Shows the camera's picture, of which the photo is then taken; see `photographed`.
export function filmed(what, keying, further = false) {
  panelOf(keying).live(what, keying, further);
}

function panelOf(keying) {
  shown = shown ?? new Shown((rest) => photographed(rest, shown.what, shown.keying, true));
  keying.photo = shown;
  return shown;
}

// ------------------------------------------------------------------ result
// Shows on the page what a photo has: beside the record, or as the tiles that a seat holds.

const AGREED_MS = 2000;
const SMALL = 0.028;  // of the photo's longer side: tiles that are less wide are read poorly
const LACKING = new Set(["photo.camera-refused", "photo.camera-none"]);  // until the page is loaded again
const SHOWN = new Set(["compared", "holding", "none", "another"]);

export class Shown {
  // `takeMore` reads a further photo.
  constructor(takeMore) {
    Object.assign(this, { takeMore, stop: () => {}, taken: null, looked: [], camera: null, unread: new WeakMap() });
    const look = document.createElement("link");
    look.rel = "stylesheet";
    look.href = `${ROOT}/photo/photo.css`;
    document.head.append(look);
  }

  begin(what, keying, further) {
    const place = this.opened("reading", what, keying, further);
    add(place, "p", "", words("photo.reading"));
    add(place, "p", "because", words("photo.stays"));
    button(add(place, "p", "acts"), "act", words("photo.stop"), () => this.goBack());
    place.scrollIntoView({ block: "nearest" });
  }

  opened(state, what, keying, further) {
    this.stop();
    this.stop = () => {};
    clearTimeout(this.leaves);
    if (!further || !this.taken) Object.assign(this, { taken: null, right: new Set(), leftOut: new Set() });
    Object.assign(this, { what, keying, places: new Places(keying) });
    return this.emptied(state);
  }

  // Shows the camera's picture, and a key that takes the photo. A file may be chosen as well, and is what remains
  // if there is no picture; the line then says why.
  live(what, keying, further) {
    const place = this.opened("live", what, keying, further);
    const finder = add(place, "div", "finder"), beside = add(place, "div", "beside");
    const line = add(beside, "p", "because"), acts = add(beside, "p", "acts");
    line.setAttribute("role", "status");
    const take = button(acts, "act take", words("photo.take"), () => (this.camera.isOver ? start() : this.shoot(take)));
    const file = this.fileKey(acts, words("photo.choose"));
    button(acts, "act", words(this.taken ? "keying.back" : "photo.camera-close"), () => this.goBack());
    const start = () => {
      put(line, words("photo.starting"));
      put(take, words("photo.take"));
      take.disabled = true;
      finder.hidden = false;
      this.camera = new Camera(finder, () => {
        put(line, words("photo.hint"));
        take.disabled = false;
        if (place.contains(document.activeElement) || document.activeElement === document.body) take.focus({ preventScroll: true });
        place.scrollIntoView({ block: "nearest" });
      }, (why) => {
        put(line, words(why));
        finder.hidden = true;
        put(take, words("photo.camera-on"));
        take.disabled = false;
        if (!LACKING.has(why)) return;
        keying.noCamera = why;
        file.setAttribute("capture", "environment");
        take.remove();
      });
    };
    start();
    place.scrollIntoView({ block: "nearest" });
  }

  async shoot(take) {
    take.disabled = true;
    const photo = await this.camera.photo();
    if (photo) this.takeMore(photo);
  }

  // Shows why nothing can be said of the photo; what an earlier one showed is kept.
  refuse(key) {
    const place = this.emptied("refused");
    add(place, "p", "", words(key));
    const acts = add(place, "p", "acts");
    this.further(acts, words("photo.again"));
    button(acts, "act", words(this.taken ? "keying.back" : "photo.close"), () => this.goBack());
  }

  // `why`: the key of the sentence that says why the photo wasn't read; people can tap its tiles all the same.
  show(photo, tiles, why = null) {
    this.stop = () => {};
    const { keys, moment } = this.keying;
    if (!keys || !moment.table) {
      this.taken = null;
      this.refuse("photo.moved-on");
      return;
    }
    if (why) this.unread.set(photo, why);
    const now = tiles.map((one) => ({ ...one, photo })), line = lineOf(moment.table), before = this.taken;
    if (before) Object.assign(before, { photos: [...before.photos, photo], tiles: joined(before.tiles, now) });
    else this.taken = { photos: [photo], tiles: now, hand: moment.hand, seat: keys.seat, line, then: `${line}` };
    this.render();
  }

  render() {
    const { state } = at("photo").dataset;
    if (!this.taken.tiles.length) this.nothing();
    else if (this.what === "line") this.besideRecord();
    else this.asHolding();
    if (state === "reading") at("photo").scrollIntoView({ block: "nearest" });
  }

  // The table has moved on: compares anew, so that what was put right is no longer asked, and leaves if the
  // photo is of no use any more.
  renew() {
    const { state } = at("photo").dataset, { keys, moment } = this.keying;
    if (at("photo").hidden || !SHOWN.has(state)) return;
    const { hand, seat, then } = this.taken;
    if (!keys || !moment.table || moment.hand !== hand) this.leave();
    else if (this.what === "holding" && (keys.asks !== "show" || keys.seat !== seat)) this.leave();
    else if (this.what === "line" && `${lineOf(moment.table)}` !== then) this.render();
  }

  emptied(state) {
    const place = at("photo");
    for (const one of this.looked) one.stop();
    this.camera?.stop();
    Object.assign(this, { looked: [], camera: null });
    clear(place);
    place.hidden = false;
    place.dataset.state = state;
    return place;
  }

  goBack() {
    this.stop();
    this.stop = () => {};
    if (this.taken) this.render();
    else this.leave();
  }

  leave() {
    this.stop();
    this.emptied("left");
    Object.assign(this, { stop: () => {}, taken: null });
    at("photo").hidden = true;
  }

  // The ways on from what is shown: a further photo, or none.
  close(place, label = words("photo.rest")) {
    const acts = add(place, "p", "acts");
    this.further(acts, label);
    button(acts, "act", words("photo.close"), () => this.leave());
  }

  further(acts, text) {
    const input = this.fileKey(acts, text);
    input.setAttribute("capture", "environment");
    input.addEventListener("click", (event) => {
      if (this.keying.noCamera) return;
      event.preventDefault();
      this.live(this.what, this.keying, true);
    });
  }

  fileKey(acts, text) {
    const label = add(acts, "label", "act photograph", text), input = add(label, "input", "unseen");
    Object.assign(input, { type: "file", accept: "image/*" });
    input.addEventListener("change", () => input.files[0] && this.takeMore(input.files[0]));
    return input;
  }

  // ------------------------------------------------------------ what was looked at

  // Shows each photo with a frame around what was read; `isDiffering` says of which tiles the record has others.
  pictures(place, isDiffering = () => false) {
    const { photos, tiles } = this.taken;
    for (const photo of photos) {
      const seen = tiles.filter((one) => one.photo === photo && !this.leftOut.has(one.tile))
        .map((one) => ({ ...one, frame: one.asks ? "asks" : isDiffering(one) ? "differs" : "sure" }));
      if (this.unread.has(photo)) add(place, "p", "", words(this.unread.get(photo)));
      const isPoor = seen.some(({ asks }) => asks) || this.missing().length > 0;
      if (seen.length && isPoor && isSmall(seen, photo)) add(place, "p", "", words("photo.nearer"));
      this.looked.push(new Frames(place, photo, seen, { offered: () => this.missing(), said: (tile, before) => this.isSaid(tile, before) }));
    }
  }

  // The tiles of the record that aren't seen, which a tile that can't be read may be.
  missing() {
    return this.what === "line" ? lineOf(this.keying.moment.table).filter((name) => !this.taken.tiles.some(({ tile }) => tile === name)) : [];
  }

  // People say that this tile lies there (null: none does), where `before` was read.
  isSaid(tile, before) {
    const { tiles } = this.taken, others = tiles.filter((one) => !(before && one.tile === before.tile && one.photo === before.photo));
    this.taken.tiles = tile ? [...others.filter((one) => one.tile !== tile.tile), tile] : others;
    if (tile) this.leftOut.delete(tile.tile);
    this.render();
  }

  nothing() {
    const place = this.emptied("none");
    add(place, "p", "", words("photo.none"));
    this.pictures(place);
    this.close(place, words("photo.again"));
  }

  // ------------------------------------------------------------ the line

  // Shows the differences from the record. Tiles that were laid after the photo was taken don't count as
  // missing in it.
  besideRecord() {
    const { tiles, line: before } = this.taken, now = lineOf(this.keying.moment.table);
    const line = now.filter((tile) => before.includes(tile) || tiles.some((seen) => seen.tile === tile));
    this.taken.then = `${now}`;
    const found = this.asked(compared(tiles, line));
    if (found.other) {
      const place = this.emptied("another");
      add(place, "p", "", words("photo.another"));
      this.pictures(place);
      this.close(place, words("photo.again"));
      return;
    }
    const place = this.emptied("compared");
    if (!found.differ.length && !found.more.length && !found.unsure.length && !found.unseen.length) {
      place.dataset.state = "agreed";
      add(place, "p", "agreed", words("photo.agreed", { number: line.length }));
      this.leaves = setTimeout(() => place.dataset.state === "agreed" && this.leave(), AGREED_MS);
      return;
    }
    if (found.agree.length) add(place, "p", "", words("photo.agree-so-far", { number: found.agree.length, all: line.length }));
    for (const { record, photo: seen } of found.differ) this.difference(place, record, seen);
    for (const seen of found.more) this.forgotten(place, seen);
    for (const seen of found.unsure) this.unsure(place, seen);
    if (found.unseen.length) {
      const one = add(place, "div", "one");
      add(one, "p", "", words("photo.unseen"));
      const row = add(one, "p", "tiles");
      for (const tile of found.unseen) row.append(face(tile));
      add(one, "p", "because", words("photo.unseen-what"));
    }
    this.pictures(place, (seen) => [...found.differ.map(({ photo }) => photo), ...found.more].some((one) => one.tile === seen.tile));
    this.close(place);
  }

  // The findings without those that people have answered.
  asked(found) {
    const isOpen = ({ tile }) => !this.leftOut.has(tile);
    return {
      ...found, differ: found.differ.filter(({ record }) => !this.right.has(record)),
      more: found.more.filter(isOpen), unsure: found.unsure.filter(isOpen),
    };
  }

  difference(place, record, seen) {
    const one = add(place, "div", "one differs");
    add(one, "p", "", words("photo.differs", { record, photo: seen.tile }));
    this.pair(one, record, seen);
    const acts = add(one, "p", "acts"), said = add(one, "p", "because");
    button(acts, "act", words("photo.correct", { record, photo: seen.tile }), async () => {
      const opened = await this.places.open(record);
      if (opened) this.keying.history.asTile(seen.tile);
      else said.textContent = words("photo.by-history", { record });
    });
    button(acts, "act", words("photo.record-right", { record }), () => this.answered(one, this.right, record));
  }

  forgotten(place, seen) {
    const one = add(place, "div", "one forgotten");
    add(one, "p", "", words("photo.more", { photo: seen.tile }));
    this.pair(one, null, seen);
    const acts = add(one, "p", "acts");
    for (const { text, deed, place: number, label } of this.places.fitting(seen.tile)) {
      button(acts, "act", label, () => this.keying.offer({ deed, at: number, text, label: "", begun: deed === "enter" }));
    }
    button(acts, "act", words("photo.leave-out"), () => this.answered(one, this.leftOut, seen.tile));
  }

  unsure(place, seen) {
    const one = add(place, "div", "one unsure");
    add(one, "p", "", words("photo.unsure", { photo: seen.tile }));
    this.pair(one, null, seen);
    const acts = add(one, "p", "acts");
    for (const tile of [seen.tile, ...seen.others.slice(0, 2)]) {
      button(acts, "act", words("photo.is", { tile }), () => this.isSaid({ ...seen, tile, asks: false, doubts: [] }, seen));
    }
    button(acts, "act", words("photo.leave-out"), () => this.answered(one, this.leftOut, seen.tile));
  }

  answered(one, answers, tile) {
    answers.add(tile);
    one.remove();
  }

  // Both pictures side by side: the record's drawn, the photo's cut out.
  pair(place, record, seen) {
    const both = add(place, "div", "pair");
    for (const [label, picture] of [["photo.of-record", record && face(record)], ["photo.of-photo", cut(seen.photo, seen.corners)]]) {
      if (!picture) continue;
      const part = add(both, "figure");
      part.append(picture);
      add(part, "figcaption", "", words(label));
    }
  }

  // ------------------------------------------------------------ a holding

  // Shows the tiles that a seat holds and chooses those that were not shown yet; the picker beside them puts right
  // what is wrong.
  asHolding() {
    const { keying } = this, { tiles } = this.taken, lies = Object.entries(keying.keys.tiles).filter(([, how]) => how === "laid").map(([tile]) => tile);
    const isLaid = ({ tile }) => lies.some((one) => same(one, tile));
    const names = [...new Set(tiles.filter((one) => !isLaid(one)).map(({ tile }) => tile))];
    const place = this.emptied("holding");
    add(place, "p", "", words("photo.holds"));
    const row = add(place, "div", "held");
    for (const seen of tiles) this.heldTile(row, seen, isLaid(seen));
    this.pictures(place);
    this.close(place);
    const before = this.taken.chosen ?? [], chosen = keying.tray.chosen.filter((one) => !before.some((name) => same(name, one)) || names.some((name) => same(name, one)));
    keying.tray.choose([...chosen, ...names.filter((name) => !before.includes(name) && !chosen.some((one) => same(one, name)))]);
    this.taken.chosen = names;
  }

  heldTile(row, seen, isLaid) {
    const { keying } = this, key = button(row, "held-tile", "", () => {
      if (!isLaid) keying.tray.collect(seen.tile);
    });
    key.append(cut(seen.photo, seen.corners), face(seen.tile));
    key.dataset.asks = seen.asks;
    const { tile } = seen;
    add(key, "span", "", isLaid ? words("photo.lies", { tile }) : seen.asks ? words("photo.look", { tile }) : tile);
  }
}

// Whether the tiles are small in the photo.
function isSmall(seen, { width, height }) {
  const wide = seen.map(({ corners: [a, b] }) => Math.hypot(b[0] - a[0], b[1] - a[1]));
  return median(wide) < SMALL * Math.max(width, height);
}

// ------------------------------------------------------------------ places in the record
// Finds the place in the record of a tile in the photo: the entry that laid it, or where an entry may be
// missing.

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

// ------------------------------------------------------------------ pictures of tiles
// Pictures of single tiles: cut out of the photo, turned as tiles are drawn.

const WIDE = 88, HIGH = 44, AROUND_TILE = 1.12;

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
  const scale = (vector, size) => vector.map((one) => (one * AROUND_TILE) / size);
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
