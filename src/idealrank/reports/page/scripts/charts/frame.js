// The figures of the page: each is drawn when it comes near, and anew when something it shows has changed.

import { inkOf } from "./colours.js";
import { drawForPaper } from "./drawing.js";
import { Tooltip, Walk } from "./interaction.js";
import { factsOf } from "./series.js";
import { choice, element } from "../elements.js";
import { numbersTable } from "../tables.js";

const PARTS = ["systems", "measures", "queries", "values", "ledger"];
const STATE = ["measure", "system", "baseline"]; // of the state; the query is only marked

/** Holds the figures, and knows which are to be drawn. */
export class Gallery {
  constructor(host, part, view, charts) {
    Object.assign(this, { host, part, view, parts: {}, due: new Set(), near: new Set(), busy: false, still: false });
    host.classList.add("charts");
    this.tip = new Tooltip(host);
    this.grid = element("div", { class: "chart-grid" });
    const further = element("div", { class: "chart-grid" });
    this.more = element("details", { class: "chart-more" }, element("summary", {}, "More charts: grades, overlap, distribution"), further);
    host.append(element("h2", {}, "Charts"), this.grid, this.more);
    this.frames = charts.map((chart) => new Frame(chart.more ? further : this.grid, chart, this.tip));
  }

  /** Draws what can be seen, and begins to watch. */
  async begin() {
    for (const name of PARTS) this.parts[name] = await this.part(name);
    if (this.parts.queries.note) this.more.firstChild.textContent = "More charts: distribution";
    this.watch();
    this.renew();
    for (const name of new Set(this.frames.flatMap(({ chart }) => chart.needs))) {
      this.facts[name] = this.parts[name] = await this.part(name);
      this.queue(this.frames.filter(({ chart }) => chart.needs.includes(name)));
    }
  }

  watch() {
    const seen = new IntersectionObserver((entries) => this.meet(entries), { rootMargin: "600px 0px" });
    for (const { figure } of this.frames) seen.observe(figure);
    const redrawn = (changed) => STATE.some((name) => changed.has(name));
    this.view.listen((state, changed) => (redrawn(changed) ? this.renew() : this.choose()));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.renew());
    new MutationObserver(() => this.renew()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    new ResizeObserver(() => this.resize()).observe(this.grid);
    addEventListener("dppxchange", () => this.renew()); // the chart library tells that the screen has become finer
    addEventListener("beforeprint", () => this.print(true));
    addEventListener("afterprint", () => this.print(false));
  }

  /** What is shown follows from the state anew. */
  renew() {
    const state = { ...this.view.state };
    this.ink = inkOf(this.host);
    this.facts = { ...factsOf(this.parts, state), open: (query) => this.view.change({ query }) };
    this.queue(this.frames);
  }

  /** Puts charts down for drawing, and hides those that have nothing to show. */
  queue(frames) {
    for (const frame of frames) {
      frame.figure.hidden = this.ready(frame) && !this.fits(frame.chart);
      this.due.add(frame);
      if (frame.figure.hidden) this.leaveOut(frame);
      else if (this.ready(frame) && !frame.table) frame.announce(this.facts, this.ink);
    }
    this.draw();
  }

  /** Charts that need the values of every query are left out where only some queries are shown. */
  fits(chart) {
    return !(chart.everyQuery && this.facts.queries.note) && chart.fits(this.facts);
  }

  leaveOut(frame) {
    this.due.delete(frame);
    frame.clear();
  }

  choose() {
    this.facts = { ...this.facts, state: { ...this.view.state } };
    for (const frame of this.frames) if (!frame.figure.hidden && !this.due.has(frame)) frame.choose(this.facts);
  }

  meet(entries) {
    for (const { target, isIntersecting } of entries) {
      const frame = this.frames.find(({ figure }) => figure === target);
      if (isIntersecting) this.near.add(frame);
      else this.near.delete(frame);
    }
    this.draw();
  }

  resize() {
    const width = this.grid.clientWidth;
    if (width === this.width || this.still) return;
    const first = this.width === undefined;
    this.width = width;
    if (!first) this.renew();
  }

  /** Draws what is due and near, one chart a frame. */
  async draw() {
    if (this.busy) return;
    this.busy = true;
    await new Promise(requestAnimationFrame);
    for (let next = this.next(); next; next = this.next()) {
      this.paint(next);
      await new Promise(requestAnimationFrame);
    }
    this.busy = false;
  }

  /** Those near come first, then those that show what no longer holds; the others wait until they are near. */
  next() {
    const due = this.still ? [] : this.frames.filter((frame) => this.due.has(frame) && this.ready(frame));
    return due.find((frame) => this.near.has(frame)) ?? due.find((frame) => frame.table !== null);
  }

  ready({ chart }) {
    return chart.needs.every((name) => name in this.facts);
  }

  paint(frame) {
    this.due.delete(frame);
    frame.draw(this.facts, this.ink, this.still);
  }

  /** On paper everything is there, light, as wide as a page; afterwards it is as it was. */
  print(still) {
    if (still && document.documentElement.dataset.print !== "all") return;
    if (still) this.more.open = true;
    this.host.toggleAttribute("data-print", still);
    this.still = still;
    this.ink = inkOf(this.host);
    drawForPaper(still);
    const shown = this.frames.filter((frame) => !frame.figure.hidden && this.ready(frame));
    if (still) for (const frame of shown) this.paint(frame);
    else this.renew();
  }
}

/** One figure: caption, picture, the numbers as a table. */
class Frame {
  constructor(host, chart, tip) {
    Object.assign(this, { chart, tip, memory: {}, made: [], walks: [], table: null, picture: null });
    this.title = element("h3", { class: "chart-title" });
    this.words = element("p", { class: "chart-says" });
    this.tools = element("div", { class: "chart-tools" });
    this.plot = element("div", { class: "chart-plot" });
    this.below = element("div", { class: "chart-below" });
    this.details = element("details", { class: "chart-numbers", ontoggle: () => this.tabulate() }, element("summary", {}, "Show as table"));
    const caption = element("figcaption", {}, this.title, this.words);
    this.figure = element("figure", { class: "chart", "data-chart": chart.name }, caption, this.tools, this.plot, this.below, this.details);
    host.append(this.figure);
  }

  /** Says what the chart shows; the drawing waits until it is near. */
  announce(facts, ink) {
    Object.assign(this, { facts, ink });
    this.chart.say(this, facts);
  }

  /** Draws the chart; `still` says that nobody can scroll or point, as on paper. */
  draw(facts, ink, still) {
    this.clear();
    Object.assign(this, { facts, ink, still });
    this.width = Math.max(240, Math.floor(this.plot.clientWidth));
    this.narrow = this.width < 420;
    this.height = this.narrow ? 260 : 320;
    this.tall = this.narrow ? 280 : 370;
    this.picture = element("div", { class: "chart-picture", role: "img" });
    this.plot.append(this.picture);
    this.chart.say(this, facts);
    this.chart.draw(this, facts);
    this.choose(facts);
    this.tabulate();
  }

  /** Takes away what was drawn. */
  clear() {
    for (const plot of this.made) plot.destroy();
    Object.assign(this, { made: [], walks: [], table: null, picture: null });
    this.tip.hide();
    this.plot.replaceChildren();
    this.below.replaceChildren();
  }

  /** Draws the same again: something was chosen that belongs to this chart alone. */
  redraw() {
    this.draw(this.facts, this.ink, this.still);
  }

  /** Sets title, how to read the chart (texts and elements), and what is drawn, for those who do not see it. */
  say(title, words, summarised) {
    this.title.textContent = title;
    this.words.replaceChildren(...words);
    this.picture?.setAttribute("aria-label", summarised());
  }

  /** Keeps a plot, to be taken away before the next drawing. */
  keep(plot) {
    this.made.push(plot);
    return plot;
  }

  /** Opens what is drawn to pointer and keys. */
  walk(about, over = this.plot) {
    const label = `${about.label}: ${this.title.textContent}`;
    const walk = new Walk(over, this.tip, { ...about, label });
    this.walks.push(walk);
    return walk;
  }

  /** Marks the chosen query. */
  choose(facts) {
    this.facts = facts;
    if (!this.chart.byQuery) return;
    const { order } = this.chart.shown?.(this, facts) ?? facts;
    const place = facts.state.query === null ? -1 : order.indexOf(facts.state.query);
    for (const walk of this.walks) walk.choose(place);
  }

  /** Says what the table holds: names of columns, the number of rows, and `row(place)` with the cells of one. */
  tell(heads, count, row) {
    this.table = { heads, count, row };
  }

  tabulate() {
    if (!this.details.open || !this.table) return;
    this.details.querySelector(".chart-table")?.remove(); // not the summary: it would lose the keyboard
    this.details.append(numbersTable(this.title.textContent, this.table));
  }
}

/** Puts a chooser over a chart, or none where there is only one answer; the frame remembers what is chosen. */
export function putChooser(frame, label, names, key) {
  const same = frame.tools.dataset.names === names.join("\n");
  if (same) return;
  frame.tools.dataset.names = names.join("\n");
  frame.tools.replaceChildren();
  if (names.length < 2) return;
  const options = names.map((name) => [name, name]);
  const told = (name) => {
    frame.memory[key] = name;
    frame.redraw();
  };
  frame.tools.append(element("label", {}, `${label} `, choice(null, options, frame.memory[key], told)));
}
