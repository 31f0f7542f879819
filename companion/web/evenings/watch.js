// Replays the game whose data are in this file. All its texts are shown as plain text; only the drawings,
// made by the program that wrote the file, are markup.
(() => {
  "use strict";
  const STEP_MS = 1400;
  const MARKED_MS = 3200;
  // Milliseconds for which a saved picture stays available to the browser.
  const KEPT_MS = 60000;
  const KNOWN = new Set(["red", "blue", "green", "yellow", "black", "white", "orange", "pink"]);

  const at = (id) => document.getElementById(id);
  const game = JSON.parse(at("game").textContent);
  const { moments, seats, shared, stands, sides = [] } = game;
  const last = moments.length;
  const marked = moments.map((moment, index) => (moment.marks.length ? index + 1 : 0)).filter(Boolean);
  const embedded = window.parent !== window;  // whether it is shown in a frame of another page
  let now = 0;
  let playing = 0;
  document.body.classList.toggle("embedded", embedded);

  const write = (id, text) => {
    at(id).textContent = text ?? "";
    at(id).hidden = !text && text !== 0;
  };

  function words(key, parts = {}) {
    return game.words[key].replace(/\{(\w+)\}/g, (_, name) => parts[name]);
  }

  function add(parent, name, kind, text) {
    const element = document.createElement(name);
    if (kind) element.className = kind;
    if (text !== undefined) element.textContent = text;
    parent.append(element);
    return element;
  }

  const clear = (element) => {
    while (element.lastChild) element.lastChild.remove();
  };

  const colour = (element, name) => {
    element.dataset.colour = KNOWN.has(name) ? name : "other";
  };

  const colourOf = (name) => seats.find((seat) => seat.seat === name)?.colour;

  // ---------------------------------------------------------------- a moment

  function show(number) {
    const moment = moments[number - 1];
    if (number === now) return;
    now = number;
    write("where", [moment.where, words("again.entry", { entry: now, entries: last })].join(" · "));
    write("said", moment.said ?? moment.asked);
    write("next", moment.said ? moment.asked : "");
    write("sentence", moment.sentence);
    tell("");
    at("count").hidden = !moment.count;
    if (moment.count) {
      at("number").textContent = moment.count.number;
      at("count").dataset.scores = moment.count.scores;
    }
    at("why").textContent = moment.count?.why ?? "";
    showSeats(moment);
    showMarks(moment.marks);
    draw(moment.drawing);
    showDispute(moment.dispute);
    showPayments();
    showEntries();
    showPlace();
  }

  function showSeats(moment) {
    const list = at("seats");
    clear(list);
    const of = (seat) => stands[moment.seats[seats.indexOf(seat)]];
    const partners = sides.length > 0;
    const cards = partners
      ? sides.map((side) => side.map((name) => seats.find((one) => one.seat === name)))
      : seats.map((seat) => [seat]);
    list.dataset.many = cards.length;
    list.classList.toggle("partners", partners);
    for (const side of cards) {
      const card = add(list, "li", "seat"), stand = of(side[0]);
      colour(card, side[0].colour);
      card.classList.toggle("to-move", side.some((seat) => of(seat).to_move));
      card.classList.toggle("won", Boolean(stand.won));
      for (const seat of side) {
        const name = add(card, "p", "name");
        colour(name, seat.colour);
        name.classList.toggle("moves", partners && Boolean(of(seat).to_move));
        add(name, "span", "sign", seat.sign).setAttribute("aria-hidden", "true");
        add(name, "span", "who", seat.shown);
        if (of(seat).tiles) add(name, "span", "tiles", of(seat).tiles);
      }
      add(card, "p", "score", stand.score);
      if (stand.to_win !== null) {
        const race = add(card, "p", "race");
        race.setAttribute("aria-hidden", "true");
        const done = Math.max(0, stand.score) / Math.max(1, stand.score + stand.to_win);
        add(race, "span").style.width = `${Math.min(100, done * 100)}%`;
      }
      const more = add(card, "p", "more");
      for (const label of stand.labels) add(more, "span", "label", label);
      for (const seat of side) {
        const shown = moment.shown[seat.seat];
        if (shown) add(more, "span", "shown", partners ? `${seat.shown}: ${shown}` : shown);
      }
    }
  }

  function showMarks(marks) {
    clear(at("marks"));
    for (const mark of marks) add(at("marks"), "li", "", mark.words).dataset.kind = mark.kind;
  }

  function draw(drawing) {
    at("board").hidden = !drawing;
    clear(at("board"));
    if (!drawing) return;
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("class", "drawing");
    svg.setAttribute("role", "img");
    svg.setAttribute("viewBox", shared[drawing.view]);
    svg.innerHTML = drawn(drawing);
    for (const [name, text] of [["desc", told(drawing.text)], ["title", shared[drawing.title]]]) {
      const said = document.createElementNS("http://www.w3.org/2000/svg", name);
      said.textContent = text;
      svg.prepend(said);
    }
    at("board").append(svg);
  }

  const drawn = (drawing) => drawing.parts.map((part) => shared[part]).join("");

  const told = (sentences) => sentences.map((sentence) => shared[sentence]).join(" ");

  function showDispute(dispute) {
    at("dispute").hidden = !dispute;
    if (!dispute) return;
    at("dispute").dataset.verdict = dispute.kind;
    write("charge", dispute.charge ?? dispute.ruling);
    write("verdict", dispute.verdict);
    write("evidence", dispute.evidence);
    write("ruling", dispute.charge ? dispute.ruling : "");
  }

  function showPayments() {
    let paid = now;
    while (paid > 0 && !moments[paid - 1].pays.length) paid -= 1;
    at("paid").hidden = !paid;
    if (!paid) return;
    at("paid").classList.toggle("past", paid !== now);
    clear(at("payments"));
    for (const payment of moments[paid - 1].pays) {
      const line = add(at("payments"), "li");
      colour(line, colourOf(payment.to));
      add(line, "span", "pays", payment.said);
      if (payment.chips) add(line, "span", "pieces", payment.chips);
    }
    write("reason", moments[paid - 1].why);
  }

  function showEntries() {
    const list = at("entries");
    clear(list);
    let hand = moments[now - 1].hand;
    for (let number = now; number > 0; number -= 1) {
      const moment = moments[number - 1];
      if (!moment.said) continue;
      if (moment.hand !== hand) add(list, "li", "hand", words("label.hand", { hand: moment.hand }));
      hand = moment.hand;
      const line = add(list, "li");
      if (number === now) line.setAttribute("aria-current", "step");
      const said = add(line, "button", "said", moment.said);
      said.type = "button";
      said.addEventListener("click", () => go(number));
      if (moment.why) add(line, "span", "because", moment.why);
      for (const payment of moment.pays) add(line, "span", "pays", payment.said);
      for (const notice of moment.notices) add(line, "span", "notice", notice);
      for (const mark of moment.marks) {
        if (!moment.notices.includes(mark.words)) add(line, "span", "mattered", mark.words).dataset.kind = mark.kind;
      }
    }
    list.scrollTop = 0;
  }

  function showPlace() {
    const slider = at("slider");
    slider.value = now;
    slider.setAttribute("aria-valuetext", words("again.entry", { entry: now, entries: last }));
    slider.style.setProperty("--done", `${last > 1 ? ((now - 1) / (last - 1)) * 100 : 100}%`);
    at("before").disabled = now === 1;
    at("after").disabled = now === last;
    at("mark-before").disabled = !marked.some((number) => number < now);
    at("mark-after").disabled = !marked.some((number) => number > now);
    const here = now === 1 ? location.pathname + location.search : `#${now}`;
    if (!embedded) history.replaceState(null, "", here);
    for (const way of document.querySelectorAll("a[data-same-moment]")) {
      const there = new URL(way.href);
      there.searchParams.set("entry", now);
      way.href = there;
    }
  }

  // ---------------------------------------------------------------- a picture to send

  // The moment's picture as SVG; null in `picture` is the placeholder for the drawing.
  const pictured = ({ picture, drawing }) =>
    picture.map((piece) => (piece === null ? drawn(drawing) : shared[piece])).join("");

  const tell = (text) => (at("saved").textContent = text);

  function save() {
    const name = `${game.file}-${now}.png`;
    const image = new Image();
    const failed = () => tell(words("again.not-saved"));
    image.onerror = failed;
    image.onload = () => {
      const canvas = document.createElement("canvas");
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      canvas.getContext("2d").drawImage(image, 0, 0);
      canvas.toBlob((blob) => (blob ? hand(blob, name) : failed()), "image/png");
    };
    image.src = `data:image/svg+xml,${encodeURIComponent(pictured(moments[now - 1]))}`;
  }

  function hand(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
    tell(words("again.saved", { name }));
  }

  // ---------------------------------------------------------------- moving

  // Shows a moment that somebody has chosen, and stops playing.
  function go(number) {
    pause();
    show(Math.min(last, Math.max(1, number)));
  }

  const markBefore = () => go(marked.filter((number) => number < now).pop() ?? now);
  const markAfter = () => go(marked.find((number) => number > now) ?? now);

  function pause() {
    clearTimeout(playing);
    playing = 0;
    showPlaying();
  }

  function play() {
    if (now === last) show(1);
    wait();
    showPlaying();
  }

  function wait() {
    playing = setTimeout(() => {
      show(Math.min(last, now + 1));
      if (now === last) pause();
      else wait();
    }, moments[now - 1].marks.length ? MARKED_MS : STEP_MS);
  }

  function showPlaying() {
    at("play").setAttribute("aria-pressed", String(playing !== 0));
    at("play-word").textContent = words(playing ? "again.pause" : "again.play");
    // While the game plays by itself, screen readers don't read every moment.
    at("sentence").setAttribute("aria-live", playing ? "off" : "polite");
  }

  const KEYS = {
    ArrowRight: () => go(now + 1),
    ArrowLeft: () => go(now - 1),
    ArrowUp: markBefore,
    ArrowDown: markAfter,
    Home: () => go(1),
    End: () => go(last),
    " ": () => (playing ? pause() : play()),
  };

  document.addEventListener("keydown", (event) => {
    const held = event.ctrlKey || event.altKey || event.metaKey;
    const ownSpace = event.key === " " && event.target.closest("button");
    if (held || ownSpace || !(event.key in KEYS)) return;
    event.preventDefault();
    KEYS[event.key]();
  });

  at("slider").addEventListener("input", () => go(Number(at("slider").value)));
  at("before").addEventListener("click", () => go(now - 1));
  at("after").addEventListener("click", () => go(now + 1));
  at("mark-before").addEventListener("click", markBefore);
  at("mark-after").addEventListener("click", markAfter);
  at("save").addEventListener("click", save);
  at("play").addEventListener("click", () => (playing ? pause() : play()));

  function asked() {
    const known = (number) => Number.isInteger(number) && number > 0 && number <= last;
    return [Number(location.hash.slice(1)), game.begin_at].find(known) ?? 1;
  }
  addEventListener("hashchange", () => go(asked()));

  document.documentElement.dataset.state = "shown";
  write("about", game.about);
  at("slider").max = last;
  for (const number of marked) {
    const only = moments[number - 1].marks.every((mark) => mark.kind === "hand");
    const tick = add(at("ticks"), "i");
    tick.dataset.kind = only ? "hand" : "";
    tick.style.left = `${last > 1 ? ((number - 1) / (last - 1)) * 100 : 100}%`;
  }
  go(asked());
})();
