// Functions with which every page makes its elements; text is never markup.

export const at = (id) => document.getElementById(id);

const KNOWN = new Set(["red", "blue", "green", "yellow", "black", "white", "orange", "pink"]);

export function write(id, text) {
  if (at(id).textContent !== String(text)) at(id).textContent = text;
}

export function clear(element) {
  while (element.lastChild) element.lastChild.remove();
}

export function add(parent, name, kind, text) {
  const element = document.createElement(name);
  if (kind) element.className = kind;
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

export function colour(element, name) {
  element.dataset.colour = KNOWN.has(name) ? name : "other";
}

// Adds a button with this text, which calls `act` when it is tapped.
export function button(parent, kind, text, act) {
  const made = add(parent, "button", kind, text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}
