// What accessibility.py finds out in a page: window.checks.

window.checks = (() => {
  const shown = (one) => one.getClientRects().length > 0 && one.checkVisibility({ visibilityProperty: true });
  const said = (one) => one.outerHTML.slice(0, 120);
  const letters = (text) => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join("");

  // The text of a control that can be read on the screen.
  function label(control) {
    const walker = document.createTreeWalker(control, NodeFilter.SHOW_TEXT), texts = [];
    while (walker.nextNode()) {
      const text = walker.currentNode, range = new Range();
      range.selectNode(text);
      if (range.getClientRects().length && !text.parentElement.closest(".unseen")) texts.push(text.data);
    }
    return texts.join(" ").trim();
  }

  // The controls whose accessible name lacks their visible text (WCAG 2.5.3): somebody who speaks to the
  // computer says what is to be read.
  function misnamed() {
    axe.setup(document.documentElement);
    const controls = [...document.querySelectorAll("a[href], button, summary, [role=button], [role=switch]")];
    const named = controls.filter(shown).map((one) => [label(one), axe.commons.text.accessibleText(one)]);
    axe.teardown();
    return named.filter(([seen, name]) => !letters(name).includes(letters(seen)))
      .map(([seen, name]) => `“${seen}” is named “${name}”`);
  }

  // In forced colours axe compares the system's background with the page's own colour of a text.
  async function violations() {
    const forced = matchMedia("(forced-colors: active)").matches;
    const rules = { "color-contrast": { enabled: !forced } };
    const { violations: found } = await axe.run({ resultTypes: ["violations"], rules });
    return [...found.map((one) => `${one.id}: ${one.nodes.map(({ html }) => html.slice(0, 120))}`), ...misnamed()];
  }

  // Waits until transitions have ended, such as those of a change of colours.
  function settled() {
    const short = document.getAnimations().filter((one) => one.effect.getComputedTiming().endTime < 10_000);
    return Promise.allSettled(short.map((one) => one.finished)).then(() => null);
  }

  function moving() {
    return document.getAnimations().filter((one) => one.playState === "running")
      .map((one) => `${one.animationName ?? one.transitionProperty} moves ${said(one.effect.target)}`);
  }

  const STATES = ["aria-pressed", "aria-checked", "aria-selected", "aria-current"];
  const FIELDS = [
    "borderColor", "borderWidth", "borderStyle", "outlineColor", "outlineWidth", "outlineStyle",
    "backgroundColor", "color", "fontWeight", "textDecorationLine", "opacity",
  ];

  function look(one) {
    const style = getComputedStyle(one), beside = ["::before", "::after"].map((part) => getComputedStyle(one, part).content);
    return [...FIELDS.map((name) => style[name]), ...beside].join();
  }

  // What is chosen and looks like what isn't.
  function alike() {
    const found = [];
    for (const state of STATES) {
      for (const on of document.querySelectorAll(`[${state}]:not([${state}="false"])`)) {
        const isOff = (one) => one !== on && shown(one) && one.tagName === on.tagName && one.className === on.className;
        const off = [...on.parentElement.children].find((one) => isOff(one) && (one.getAttribute(state) ?? "false") === "false");
        if (off && shown(on) && look(on) === look(off)) found.push(`${state} can't be seen: ${said(on)}`);
      }
    }
    return found;
  }

  // ---------------------------------------------------------------- the keyboard

  let stops = new Set();

  function fromTheTop() {
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
    scrollTo(0, 0);
    stops = new Set();
  }

  // Where the focus is: whether it was there before, and what is wrong there; null: it has left the page.
  function stop() {
    const one = document.activeElement, root = document.documentElement;
    if (!one || one === document.body || one === root) return null;
    const again = stops.has(one), wrong = [];
    stops.add(one);
    const seen = one.matches(".unseen") && one.labels?.[0] || one;
    const style = getComputedStyle(seen), { left, top, width, height } = seen.getBoundingClientRect();
    if (style.outlineStyle === "none" || !parseFloat(style.outlineWidth)) wrong.push(`the focus can't be seen: ${said(seen)}`);
    const parts = [0.1, 0.5, 0.9], points = parts.flatMap((x) => parts.map((y) => [left + x * width, top + y * height]));
    const isSeen = ([x, y]) => {
      const there = document.elementFromPoint(x, y);
      return there && (seen.contains(there) || there.contains(seen) && there !== root && there !== document.body);
    };
    if (!points.some(isSeen)) wrong.push(`the focus is covered: ${said(seen)}`);
    return { again, wrong };
  }

  // The controls that neither Tab reaches nor, from a neighbour, an arrow key.
  function missed() {
    const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")];
    const all = [...stops], isNeighbour = (one) => all.some((stop) => one.closest("[role=group]")?.contains(stop));
    return controls
      .filter((one) => shown(one) && !one.disabled && !stops.has(one))
      .filter((one) => !(one.tabIndex < 0 && isNeighbour(one)) && !(one.type === "radio" && all.some((stop) => stop.name === one.name)))
      .map((one) => `Tab never comes to ${said(one)}`);
  }

  // Opens what can be unfolded.
  function unfold() {
    for (const one of document.querySelectorAll("details")) one.open = true;
  }

  return { unfold, violations, settled, moving, alike, fromTheTop, stop, missed };
})();
