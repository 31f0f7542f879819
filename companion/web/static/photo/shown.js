// Shows on the page what a photo has: beside the record, or as the tiles that a seat holds.

import { ROOT, add, at, button, clear } from "../parts.js";
import { face, same } from "../tray.js";
import { words } from "../parts.js";
import { compared, lineOf } from "./compare.js";
import { cut } from "./crops.js";
import { Places } from "./places.js";

const AGREED_MS = 2000;

export class Shown {
  constructor() {
    this.stop = () => {};
    const look = document.createElement("link");
    look.rel = "stylesheet";
    look.href = `${ROOT}/photo/photo.css`;
    document.head.append(look);
  }

  begin(what, keying) {
    this.stop();
    clearTimeout(this.leaves);
    Object.assign(this, { what, keying, places: new Places(keying), right: new Set(), leftOut: new Set() });
    const place = this.emptied("reading");
    add(place, "p", "", words("photo.reading"));
    this.close(place, words("photo.stop"));
    place.scrollIntoView({ block: "nearest" });
  }

  // Shows why nothing can be said of the photo.
  refuse(key) {
    const place = this.emptied("refused");
    add(place, "p", "", words(key));
    this.close(place);
  }

  show(photo, tiles) {
    this.stop = () => {};
    const { keys, moment } = this.keying;
    if (!keys || !moment.table) this.refuse("photo.moved-on");
    else if (!tiles.length) this.refuse("photo.none");
    else {
      const line = lineOf(moment.table);
      this.taken = { photo, tiles, hand: moment.hand, seat: keys.seat, line, then: `${line}` };
      if (this.what === "line") this.besideRecord();
      else this.asHolding(photo, tiles);
    }
    at("photo").scrollIntoView({ block: "nearest" });
  }

  // The table has moved on: compares anew, so that what was put right is no longer asked, and leaves if the
  // photo is of no use any more.
  renew() {
    const { state } = at("photo").dataset, { keys, moment } = this.keying;
    if (at("photo").hidden || (state !== "compared" && state !== "holding")) return;
    const { hand, seat, then } = this.taken;
    if (!keys || !moment.table || moment.hand !== hand) this.leave();
    else if (state === "holding" && (keys.asks !== "show" || keys.seat !== seat)) this.leave();
    else if (state === "compared" && `${lineOf(moment.table)}` !== then) this.besideRecord();
  }

  emptied(state) {
    const place = at("photo");
    clear(place);
    place.hidden = false;
    place.dataset.state = state;
    return place;
  }

  leave() {
    this.stop();
    this.stop = () => {};
    clear(at("photo"));
    at("photo").hidden = true;
  }

  close(place, label = words("photo.close")) {
    button(add(place, "p", "acts"), "act", label, () => this.leave());
  }

  // ------------------------------------------------------------ the line

  // Shows the differences from the record. Tiles that were laid after the photo was taken don't count as
  // missing in it.
  besideRecord() {
    const { photo, tiles, line: before } = this.taken, now = lineOf(this.keying.moment.table);
    const line = now.filter((tile) => before.includes(tile) || tiles.some((seen) => seen.tile === tile));
    this.taken.then = `${now}`;
    const found = this.asked(compared(tiles, line));
    if (found.other) {
      this.refuse("photo.another");
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
    for (const { record, photo: seen } of found.differ) this.difference(place, photo, record, seen);
    for (const seen of found.more) this.forgotten(place, photo, seen);
    for (const seen of found.unsure) this.unsure(place, photo, seen);
    if (found.unseen.length) {
      const one = add(place, "div", "one");
      add(one, "p", "", words("photo.unseen"));
      const row = add(one, "p", "tiles");
      for (const tile of found.unseen) row.append(face(tile));
      add(one, "p", "because", words("photo.unseen-what"));
    }
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

  difference(place, photo, record, seen) {
    const one = add(place, "div", "one differs");
    add(one, "p", "", words("photo.differs", { record, photo: seen.tile }));
    this.pair(one, photo, record, seen);
    const acts = add(one, "p", "acts"), said = add(one, "p", "because");
    button(acts, "act", words("photo.correct", { record, photo: seen.tile }), async () => {
      const opened = await this.places.open(record);
      if (opened) this.keying.history.asTile(seen.tile);
      else said.textContent = words("photo.by-history", { record });
    });
    button(acts, "act", words("photo.record-right", { record }), () => this.answered(one, this.right, record));
  }

  forgotten(place, photo, seen) {
    const one = add(place, "div", "one forgotten");
    add(one, "p", "", words("photo.more", { photo: seen.tile }));
    this.pair(one, photo, null, seen);
    const acts = add(one, "p", "acts");
    for (const { text, deed, place: number, label } of this.places.fitting(seen.tile)) {
      button(acts, "act", label, () => this.keying.offer({ deed, at: number, text, label: "", begun: deed === "enter" }));
    }
    button(acts, "act", words("photo.leave-out"), () => this.answered(one, this.leftOut, seen.tile));
  }

  unsure(place, photo, seen) {
    const one = add(place, "div", "one unsure");
    add(one, "p", "", words("photo.unsure", { photo: seen.tile }));
    this.pair(one, photo, null, seen);
    button(add(one, "p", "acts"), "act", words("photo.leave-out"), () => this.answered(one, this.leftOut, seen.tile));
  }

  answered(one, answers, tile) {
    answers.add(tile);
    one.remove();
  }

  // Both pictures side by side: the record's drawn, the photo's cut out.
  pair(place, photo, record, seen) {
    const both = add(place, "div", "pair");
    for (const [label, picture] of [["photo.of-record", record && face(record)], ["photo.of-photo", cut(photo, seen.corners)]]) {
      if (!picture) continue;
      const part = add(both, "figure");
      part.append(picture);
      add(part, "figcaption", "", words(label));
    }
  }

  // ------------------------------------------------------------ a holding

  // Shows the tiles that a seat holds and chooses them; the picker beside them puts right what is wrong.
  asHolding(photo, tiles) {
    const { keying } = this, lies = Object.entries(keying.keys.tiles).filter(([, how]) => how === "laid").map(([tile]) => tile);
    const isLaid = ({ tile }) => lies.some((one) => same(one, tile));
    const held = tiles.filter((one) => !isLaid(one)), names = [...new Set(held.map(({ tile }) => tile))];
    const place = this.emptied("holding");
    add(place, "p", "", words("photo.holds"));
    const row = add(place, "div", "held");
    for (const seen of tiles) this.heldTile(row, photo, seen, isLaid(seen));
    this.close(place);
    keying.tray.choose(names);
  }

  heldTile(row, photo, seen, isLaid) {
    const { keying } = this, key = button(row, "held-tile", "", () => {
      if (!isLaid) keying.tray.collect(seen.tile);
    });
    key.append(cut(photo, seen.corners), face(seen.tile));
    key.dataset.asks = seen.asks;
    const { tile } = seen;
    add(key, "span", "", isLaid ? words("photo.lies", { tile }) : seen.asks ? words("photo.look", { tile }) : tile);
  }
}
