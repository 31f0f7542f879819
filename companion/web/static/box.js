// The box on the page: its display pixel by pixel, and its sixteen keys for mouse, touch and keyboard.

import { words } from "./elements.js";

const WIDTH = 128;
const HEIGHT = 64;
const PICTURE = (WIDTH / 8) * HEIGHT;  // bytes; one more for the panel's brightness
const LIT = "#cfeeff";
const DARK = "#04070a";
const KEYBOARD = {
  Enter: "OK", Backspace: "BACK", Escape: "BACK", d: "DRAW", p: "PASS", b: "BOGUS", m: "MENU",
  "+": "DRAW", "-": "PASS", "*": "BOGUS", "/": "MENU", ",": "BACK",  // a number pad's
  ArrowUp: "UP", ArrowDown: "DOWN", ArrowLeft: "LEFT", ArrowRight: "RIGHT", " ": "PRESS",
};

const KEYS = [
  ["1"], ["2"], ["3"], ["DRAW", "draw", "D"],
  ["4"], ["5"], ["6"], ["PASS", "pass", "P"],
  ["7"], ["8"], ["9"], ["BOGUS", "bogus", "B"],
  ["BACK", "back", "Backspace Escape"], ["0"], ["OK", "ok", "Enter"], ["MENU", "menu", "M"],
];

// Puts the box into the element `box`. `isThere` returns whether the box is shown now, so that it gets the
// keyboard. `aloud`: screen readers read changes of the display. Returns the callbacks for a Connection.
export function placeBox(box, isThere = () => true, { aloud = false } = {}) {
  const glass = make("div", "window");
  const canvas = make("canvas");
  canvas.id = "oled";
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", words("box.display"));
  const status = make("p", "status");
  status.id = "status";
  status.setAttribute("role", "status");
  status.textContent = words("link.connecting");
  const heard = make("p", "unseen");
  heard.setAttribute("role", "status");
  heard.setAttribute("aria-label", words("box.says"));
  glass.append(canvas, status);
  if (aloud) glass.append(heard);
  const keys = make("div", "keys");
  keys.setAttribute("role", "group");
  keys.setAttribute("aria-label", words("box.keys"));
  const buttons = new Map();
  for (const [name, kind, shortcut] of KEYS) {
    const button = make("button", kind ? `key word ${kind}` : "key");
    button.type = "button";
    button.dataset.key = name;
    button.setAttribute("aria-keyshortcuts", shortcut ?? name);
    button.textContent = name;
    buttons.set(name, button);
    keys.append(button);
  }
  box.append(glass, keys);
  const holders = new Map();  // key name → what holds it down: pointer ids and keyboard codes
  let picture = new Uint8Array(PICTURE);
  let connection = null;

  // -------------------------------------------------------------- the display

  // Every pixel of the panel is a square of whole screen pixels, with a thin gap where there is room.
  function draw() {
    const ratio = window.devicePixelRatio || 1;
    const scale = Math.max(1, Math.floor((glass.clientWidth * 0.97 * ratio) / WIDTH));
    if (canvas.width !== WIDTH * scale) {
      canvas.width = WIDTH * scale;
      canvas.height = HEIGHT * scale;
    }
    canvas.style.width = `${(WIDTH * scale) / ratio}px`;
    canvas.style.height = `${(HEIGHT * scale) / ratio}px`;
    canvas.dataset.scale = scale;
    const dot = scale >= 5 ? scale - 1 : scale;
    const pen = canvas.getContext("2d");
    pen.fillStyle = DARK;
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = LIT;
    for (let y = 0; y < HEIGHT; y += 1) {
      for (let x = 0; x < WIDTH; x += 1) {
        if (picture[y * (WIDTH / 8) + (x >> 3)] & (0x80 >> (x & 7))) pen.fillRect(x * scale, y * scale, dot, dot);
      }
    }
  }

  new ResizeObserver(draw).observe(glass);

  const on = {
    listenTo(other) {
      connection = other;
    },
    onPicture(bytes) {
      picture = bytes.subarray(0, PICTURE);
      canvas.style.filter = `brightness(${brightness(bytes[PICTURE])})`;
      const text = new TextDecoder().decode(bytes.subarray(PICTURE + 1));
      canvas.setAttribute("aria-label", text ? `${words("box.display")}: ${text}` : words("box.display"));
      heard.textContent = text;
      draw();
    },
    onState(name, text) {
      box.dataset.state = name;
      status.textContent = text;
      for (const button of buttons.values()) button.setAttribute("aria-disabled", name !== "connected");
      if (name !== "connected") forget();
    },
  };

  // -------------------------------------------------------------- the keys

  function press(key, holder, letter) {
    const holding = holders.get(key) ?? new Set();
    if (holding.size === 0 && !connection.move(key, true, letter)) return;
    holders.set(key, holding.add(holder));
    buttons.get(key)?.classList.add("down");
  }

  function release(holder) {
    for (const [key, holding] of holders) {
      if (holding.delete(holder) && holding.size === 0) {
        holders.delete(key);
        buttons.get(key)?.classList.remove("down");
        connection.move(key, false);
      }
    }
  }

  function releaseAll() {
    for (const holding of [...holders.values()]) for (const holder of [...holding]) release(holder);
  }

  // Forgets all held keys after the connection was lost, since the box has released them itself.
  function forget() {
    holders.clear();
    for (const button of buttons.values()) button.classList.remove("down");
  }

  for (const [key, button] of buttons) {
    button.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      button.setPointerCapture(event.pointerId);
      press(key, `pointer ${event.pointerId}`);
    });
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      button.addEventListener(end, (event) => release(`pointer ${event.pointerId}`));
    }
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    // A screen reader clicks without a pointer.
    button.addEventListener("click", (event) => {
      if (event.detail !== 0) return;
      press(key, "click");
      release("click");
    });
  }

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !isThere()) return;
    const focused = document.activeElement;
    const other = focused?.closest("a, summary, button:not(.key)");
    if (other && (event.key === "Enter" || event.key === " ")) return;
    const pressed = event.key === " " ? focused?.dataset.key : undefined;
    // The decimal key of the number pad is a comma or a point.
    const key = pressed ?? (event.code === "NumpadDecimal" ? "BACK" : keyOf(event.key));
    const letter = !pressed && /^[\p{L} ]$/u.test(event.key) ? event.key : undefined;
    if (!key && letter && !event.repeat) connection.type(letter);
    if (!key) return;
    event.preventDefault();
    if (!event.repeat) press(key, `keyboard ${event.code}`, letter);
  });
  addEventListener("keyup", (event) => release(`keyboard ${event.code}`));
  addEventListener("blur", releaseAll);
  document.addEventListener("visibilitychange", () => document.hidden && releaseAll());
  return on;
}

function make(name, kind) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  return element;
}

// The apparent brightness of a panel with a contrast of 1 to 255: at a third of the contrast it looks far
// more than a third as bright.
function brightness(contrast = 255) {
  return contrast ? (0.7 + 0.3 * Math.sqrt(contrast / 255)).toFixed(2) : 1;
}

function keyOf(name) {
  if (/^[0-9]$/.test(name)) return name;
  return KEYBOARD[name] ?? KEYBOARD[name.toLowerCase()];
}
