// Stepping through a chart, by pointer and by keys, and the tooltip: whatever a chart shows can be asked what it is.

import { shortName } from "./series.js";
import { element, putAt } from "../elements.js";

const WALKS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: 10, PageUp: -10 };

/**
 * Lies over a picture and steps through its places, 0 to `count` - 1.
 *
 * `box(place)` is where it is in the picture; `find(left, top)` the place there, -1 for none; `tell(place, at)` what
 * the tooltip says; `open(place)`, where there is one, what a click and Enter do. `ring` is the shape of the mark.
 */
export class Walk {
  constructor(plot, tip, { count, box, find, tell, open, label, ring = "box", reveal }) {
    Object.assign(this, { tip, count, box, find, tell, open, reveal, place: -1, chosenAt: -1 });
    this.chosen = element("div", { class: `chart-chosen chart-${ring}`, hidden: true });
    this.ring = element("div", { class: `chart-ring chart-${ring}`, hidden: true });
    const said = { role: "slider", tabindex: "0", "aria-label": label, "aria-valuemin": "1", "aria-valuemax": `${count}` };
    this.steps = element("div", { class: "chart-steps", ...said }, this.chosen, this.ring);
    plot.append(this.steps);
    this.say(0);
    this.listen();
  }

  listen() {
    this.steps.addEventListener("pointermove", (event) => this.point(event));
    this.steps.addEventListener("pointerleave", () => this.leave());
    this.steps.addEventListener("blur", () => this.leave());
    this.steps.addEventListener("focus", () => this.steps.matches(":focus-visible") && this.go(this.start()));
    this.steps.addEventListener("click", (event) => this.point(event) && this.open?.(this.place));
    this.steps.addEventListener("keydown", (event) => this.press(event));
  }

  /** Marks the chosen place; -1 for none. */
  choose(place) {
    this.chosenAt = place;
    this.put(this.chosen, place);
    if (place >= 0) this.reveal?.(place);
  }

  start() {
    return this.place >= 0 ? this.place : Math.max(0, this.chosenAt);
  }

  point(event) {
    const frame = this.steps.getBoundingClientRect();
    const at = { left: event.clientX - frame.left, top: event.clientY - frame.top };
    const place = this.find(at.left, at.top);
    if (place < 0) this.leave();
    else this.show(place, at);
    this.steps.classList.toggle("chart-opens", place >= 0 && this.open !== undefined);
    return place >= 0;
  }

  press(event) {
    const start = this.start();
    const ends = { Home: 0, End: this.count - 1 };
    if (event.key in WALKS) this.go(start + WALKS[event.key]);
    else if (event.key in ends) this.go(ends[event.key]);
    else if (event.key === "Enter" && this.open) this.open(start);
    else if (event.key === "Escape" && this.place >= 0) this.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  go(place) {
    const there = Math.max(0, Math.min(this.count - 1, place));
    this.reveal?.(there);
    this.say(there);
    this.show(there, null);
  }

  show(place, at) {
    if (place === this.place && at === null && !this.tip.element.hidden) return;
    this.place = place;
    this.put(this.ring, place);
    const frame = this.steps.getBoundingClientRect();
    const box = this.box(place);
    if (at) Object.assign(box, { left: at.left, width: 0 });
    this.tip.show({ ...box, left: frame.left + box.left, top: frame.top + box.top }, this.tell(place, at));
  }

  say(place) {
    const { id, text, rows } = this.tell(place, null);
    const named = [text, id].filter(Boolean).map((each) => each.slice(0, 120));
    this.steps.setAttribute("aria-valuenow", `${place + 1}`);
    this.steps.setAttribute(
      "aria-valuetext",
      [...named, ...rows.map(([name, value]) => `${name} ${value}`)].join(", "),
    );
  }

  leave() {
    this.place = -1;
    this.ring.hidden = true;
    this.tip.hide();
  }

  put(mark, place) {
    mark.hidden = place < 0;
    if (place < 0) return;
    putAt(mark, this.box(place));
  }
}

/** Says beside a point, a bar or a cell what it stands for: one for all charts. */
export class Tooltip {
  constructor(host) {
    this.element = element("div", { class: "chart-tip", "aria-hidden": "true", hidden: true });
    this.host = host;
    host.append(this.element);
  }

  /** @param {{id?: string, text: string, rows: [string, string][], hint?: string}} told */
  show({ left, top, width, height }, { id, text, rows, hint }) {
    this.element.replaceChildren(...tipHead(text, id), tipRows(rows), ...(hint ? [tipLine("chart-hint", hint)] : []));
    this.element.hidden = false;
    const [size, origin] = [this.element.getBoundingClientRect(), this.host.getBoundingClientRect()];
    const room = document.documentElement.clientWidth;
    const beside = left + width + 12;
    const x = beside + size.width < room - 4 ? beside : left - size.width - 12;
    const y = top + height / 2 - size.height / 2;
    this.element.style.left = `${Math.max(4, Math.min(x, room - size.width - 4)) - origin.left}px`;
    this.element.style.top = `${Math.max(4, Math.min(y, innerHeight - size.height - 4)) - origin.top}px`;
  }

  hide() {
    this.element.hidden = true;
  }
}

function tipHead(text, id) {
  const lines = text ? [tipLine("chart-tip-text", text)] : [];
  return id === undefined ? lines : [...lines, tipLine("chart-tip-id", id)];
}

function tipLine(name, text) {
  return element("div", { class: name }, shortName(text, 300));
}

function tipRows(rows) {
  return element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, shortName(name)), element("dd", {}, value)]));
}
