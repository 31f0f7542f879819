// An earlier entry that was tapped, and what may be done to it.

import { at, write } from "./parts.js";

export class History {
  constructor(keying) {
    this.keying = keying;
    this.opened = null;
    at("change").addEventListener("submit", (event) => {
      event.preventDefault();
      this.change(event.submitter?.value ?? "change");
    });
    at("entries").addEventListener("click", (event) => {
      const line = event.target.closest("[data-at]");
      if (line) this.open(Number(line.dataset.at));
    });
  }

  // An entry that is looked at stays open as long as it is the same one.
  told(moment) {
    const same = moment.latest.find((one) => one.at === this.opened?.at);
    if (this.opened && same?.entry !== this.opened.entry) this.opened = null;
  }

  close() {
    this.opened = null;
  }

  open(number) {
    const { keying } = this;
    const entry = keying.moment.latest.find((one) => one.at === number);
    if (!keying.ready || !entry || entry.entry === null) return;
    keying.forget();
    write("answer", "");
    this.opened = this.opened?.at === number ? null : entry;
    if (this.opened) at("written").value = entry.entry;
    keying.render();
    if (this.opened) at("opened").scrollIntoView({ block: "nearest" });
  }

  change(deed) {
    if (!this.opened) return;
    const deletes = deed === "delete";
    const text = deletes || deed === "rewind" ? "" : at("written").value.trim();
    if (!text && !deletes && deed !== "rewind") return;
    const label = deletes ? `Delete “${this.opened.said.words}”` : text;
    this.keying.offer({ deed: deletes ? "change" : deed, at: this.opened.at - 1, text, label });
  }

  render() {
    at("opened").hidden = this.opened === null;
    if (this.opened) write("opened-said", this.opened.said.words);
    for (const line of at("entries").querySelectorAll("[data-at]")) {
      line.classList.toggle("open", Number(line.dataset.at) === this.opened?.at);
    }
  }
}
