// All charts of the page: each is drawn when it comes near, and anew when something it shows has changed.

import { chartElement } from "./element.js";
import { chartFacts } from "./facts.js";
import { ChartFrame } from "./frame.js";
import { drawForPaper } from "./pixels.js";
import { chartInk } from "./theme.js";
import { ChartTip } from "./tip.js";

const CHART_PARTS = ["systems", "measures", "queries", "values", "ledger"];
const CHART_STATE = ["measure", "system", "baseline"]; // of the state; the query is only marked

/** Holds the figures, and knows which are to be drawn. */
export class ChartGallery {
  constructor(host, part, view, charts) {
    Object.assign(this, { host, part, view, parts: {}, due: new Set(), near: new Set(), busy: false, still: false });
    host.classList.add("charts");
    this.tip = new ChartTip(host);
    chartElement(host, "h2", "", "Charts");
    this.grid = chartElement(host, "div", "chart-grid");
    this.more = chartElement(host, "details", "chart-more");
    chartElement(this.more, "summary", "", "More charts: grades, overlap, distribution");
    const further = chartElement(this.more, "div", "chart-grid");
    this.frames = charts.map((chart) => new ChartFrame(chart.more ? further : this.grid, chart, this.tip));
  }

  /** Draws what can be seen, and begins to watch. */
  async begin() {
    for (const name of CHART_PARTS) this.parts[name] = await this.part(name);
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
    const redrawn = (changed) => CHART_STATE.some((name) => changed.has(name));
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
    this.ink = chartInk(this.host);
    this.facts = { ...chartFacts(this.parts, state), open: (query) => this.view.change({ query }) };
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
    this.ink = chartInk(this.host);
    drawForPaper(still);
    const shown = this.frames.filter((frame) => !frame.figure.hidden && this.ready(frame));
    if (still) for (const frame of shown) this.paint(frame);
    else this.renew();
  }
}
