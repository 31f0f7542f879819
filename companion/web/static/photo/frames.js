// The photo as it was looked at, with a frame around each tile that was read. People tap a tile that has no frame, or
// a wrong one, drag the frame's corners onto the tile's where it is read wrong, and say which tile it is.

import { add, button, clear, words } from "../elements.js";
import { Unreadable, tileIn } from "./reading.js";

const SVG = "http://www.w3.org/2000/svg";
const SHARPEST = 960;  // pixels across that the picture has at most
const AROUND = 2.2, FLAT = 0.75;  // how much is shown around a tile, in its lengths, and how high beside its width
const USUAL = 0.13;  // a tile's length, in widths of the photo, where none was read
const CORNER = 9, REACH = 22;  // of a corner, in pixels of the page: what is seen of it, and what a finger finds
const STEP = 3;  // pixels of the page by which an arrow key moves
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Frames {
  // `tiles`: those of this photo, each with a `frame` (“sure”, “asks” or “differs”). `offered` gives the names that a
  // tile may have that can't be read. `said` is called with the tile that people say lies there, or null, and with
  // the one of `tiles` that they tapped, or null.
  constructor(place, photo, tiles, { offered, said }) {
    Object.assign(this, { photo, tiles, offered, said, stop: () => {}, quad: null });
    this.place = add(place, "div", "looked");
    this.picture = add(this.place, "div", "picture");
    this.canvas = add(this.picture, "canvas", "");
    this.svg = shape(this.picture, "svg", { role: "group", tabindex: 0, "aria-label": words("photo.picture") });
    this.svg.addEventListener("click", (event) => this.quad || this.point(this.placeOf(event)));
    this.svg.addEventListener("keydown", ({ key, target }) => {
      if (key === "Enter" && target === this.svg && !this.quad) this.point([photo.width / 2, photo.height / 2]);
    });
    this.status = add(this.place, "p", "prompt");
    this.status.setAttribute("role", "status");
    this.acts = add(this.place, "p", "acts");
    this.showAll();
  }

  // ------------------------------------------------------------ the whole photo

  showAll() {
    this.stop();
    this.quad = this.tapped = null;
    this.place.dataset.state = "all";
    this.place.ariaBusy = "false";
    this.look({ x: 0, y: 0, wide: this.photo.width, high: this.photo.height });
    this.status.textContent = words("photo.looked");
    clear(this.acts);
    for (const seen of this.tiles) {
      const frame = shape(this.svg, "polygon", { class: `frame ${seen.frame}`, points: seen.corners.join(" "), role: "button", tabindex: 0, "aria-label": seen.tile });
      const open = (event) => {
        event.stopPropagation();
        this.open(seen.corners, seen);
        this.offer(seen);
      };
      frame.addEventListener("click", open);
      frame.addEventListener("keydown", (event) => event.key === "Enter" && open(event));
    }
  }

  // Shows that part of the photo.
  look(view) {
    this.view = view;
    const wide = Math.min(SHARPEST, Math.max(this.photo.width, this.photo.height));
    this.canvas.width = wide;
    this.canvas.height = Math.round((wide * view.high) / view.wide);
    const pen = this.canvas.getContext("2d");
    pen.imageSmoothingQuality = "high";
    pen.drawImage(this.photo, view.x, view.y, view.wide, view.high, 0, 0, this.canvas.width, this.canvas.height);
    clear(this.svg);
    this.svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.wide} ${view.high}`);
  }

  // How many pixels of the photo one of the page is.
  get scale() {
    return this.view.wide / Math.max(1, this.svg.getBoundingClientRect().width);
  }

  placeOf({ clientX, clientY }) {
    const { left, top } = this.svg.getBoundingClientRect();
    return [this.view.x + (clientX - left) * this.scale, this.view.y + (clientY - top) * this.scale];
  }

  // ------------------------------------------------------------ one tile

  point([x, y]) {
    this.open(this.around(x, y), null);
    this.read({ x, y });
  }

  // A frame around that place, like that of the nearest tile.
  around(x, y) {
    const far = ({ corners }) => Math.hypot(middleOf(corners)[0] - x, middleOf(corners)[1] - y);
    const [near] = [...this.tiles].sort((one, other) => far(one) - far(other));
    if (near) {
      const [mx, my] = middleOf(near.corners);
      return near.corners.map(([cx, cy]) => [cx - mx + x, cy - my + y]);
    }
    const long = (USUAL * this.photo.width) / 2;
    return [[-1, 0.5], [-1, -0.5], [1, -0.5], [1, 0.5]].map(([a, b]) => [x + a * long, y + b * long]);
  }

  open(corners, tapped) {
    this.quad = corners.map((one) => [...one]);
    this.tapped = tapped;
    this.place.dataset.state = "one";
    this.zoom();
    this.wait();
  }

  zoom() {
    const [x, y] = middleOf(this.quad), { width, height } = this.photo;
    const reach = Math.max(...this.quad.map(([cx, cy]) => Math.hypot(cx - x, cy - y)));
    const wide = Math.min(width, 2 * reach * AROUND, height / FLAT), high = wide * FLAT;
    this.look({ x: within(x - wide / 2, width - wide), y: within(y - high / 2, height - high), wide, high });
    this.frame = shape(this.svg, "polygon", { class: "frame chosen", tabindex: 0, role: "button", "aria-label": words("photo.frame") });
    this.handle(this.frame, ([dx, dy]) => this.quad.forEach((corner) => moved(corner, dx, dy)));
    this.corners = this.quad.map((corner, number) => {
      const made = shape(this.svg, "g", { class: "corner", tabindex: 0, role: "button", "aria-label": words("photo.corner", { number: number + 1 }) });
      for (const [kind, r] of [["reach", REACH], ["dot", CORNER]]) shape(made, "circle", { class: kind, r: r * this.scale });
      this.handle(made, ([dx, dy]) => moved(corner, dx, dy));
      return made;
    });
    this.draw();
  }

  draw() {
    this.frame.setAttribute("points", this.quad.join(" "));
    this.corners.forEach((corner, number) => corner.setAttribute("transform", `translate(${this.quad[number].join(" ")})`));
  }

  // Lets people drag a part of the frame, or move it by the arrow keys; the tile is read anew afterwards.
  handle(part, move) {
    let from = null;
    const by = (step) => {
      move(step);
      this.draw();
    };
    part.addEventListener("pointerdown", (event) => {
      part.setPointerCapture(event.pointerId);
      from = this.placeOf(event);
    });
    part.addEventListener("pointermove", (event) => {
      if (!from) return;
      const to = this.placeOf(event);
      by([to[0] - from[0], to[1] - from[1]]);
      from = to;
    });
    for (const end of ["pointerup", "pointercancel"]) {
      part.addEventListener(end, () => {
        if (from) this.read({ corners: this.quad });
        from = null;
      });
    }
    part.addEventListener("keydown", (event) => {
      const way = WAYS[event.key];
      if (!way) return;
      event.preventDefault();
      by(way.map((one) => one * STEP * this.scale));
      this.read({ corners: this.quad });
    });
  }

  // Reads what lies in the frame, or around a place: then the frame is put around what was found.
  async read(where) {
    this.stop();
    this.wait();
    let stopped = false, told = null;
    this.stop = () => { stopped = true; };
    try {
      told = await tileIn(this.photo, where, this.tiles, (stop) => {
        this.stop = () => {
          stopped = true;
          stop();
        };
      });
    } catch (fault) {
      if (!(fault instanceof Unreadable)) throw fault;
    }
    if (stopped) return;
    if (told && !where.corners) {
      this.quad = told.corners;
      this.zoom();
    }
    this.offer(told);
  }

  wait() {
    this.place.ariaBusy = "true";
    this.status.textContent = words("photo.reading-place");
    clear(this.acts);
    this.back();
  }

  // The names that the tile may have, each to be tapped.
  offer(told) {
    this.place.ariaBusy = "false";
    this.status.textContent = words(told ? "photo.which" : "photo.not-read");
    clear(this.acts);
    const names = [told, this.tapped].flatMap((one) => (one ? [one.tile, ...one.others] : []));
    for (const name of new Set([...names, ...(told ? [] : this.offered())])) {
      button(this.acts, "act", words("photo.is", { tile: name }), () => this.say(name));
    }
    if (this.tapped) button(this.acts, "act", words("photo.no-tile"), () => this.said(null, this.tapped));
    this.back();
  }

  back() {
    button(this.acts, "act", words("keying.back"), () => this.showAll());
  }

  say(tile) {
    this.stop();
    this.said({ tile, halves: tile.split("-").map(Number), others: [], corners: this.quad, fit: 1, doubts: [], asks: false, photo: this.photo }, this.tapped);
  }
}

function middleOf(corners) {
  return [0, 1].map((side) => corners.reduce((sum, corner) => sum + corner[side] / corners.length, 0));
}

function moved(corner, dx, dy) {
  corner[0] += dx;
  corner[1] += dy;
}

function within(value, most) {
  return Math.max(0, Math.min(most, value));
}

function shape(parent, name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  parent.append(made);
  return made;
}
