// The frame of a chart: caption, picture, the numbers as a table.

import { chartElement } from "./element.js";
import { chartTable } from "./table.js";
import { ChartWalk } from "./walk.js";

/** One figure; a chart is drawn into it anew whenever something it shows has changed. */
export class ChartFrame {
  constructor(host, chart, tip) {
    Object.assign(this, { chart, tip, memory: {}, made: [], walks: [], table: null, picture: null });
    this.figure = chartElement(host, "figure", "chart");
    this.figure.dataset.chart = chart.name;
    const caption = chartElement(this.figure, "figcaption");
    this.title = chartElement(caption, "h3", "chart-title");
    this.words = chartElement(caption, "p", "chart-says");
    this.tools = chartElement(this.figure, "div", "chart-tools");
    this.plot = chartElement(this.figure, "div", "chart-plot");
    this.below = chartElement(this.figure, "div", "chart-below");
    this.details = chartElement(this.figure, "details", "chart-numbers");
    chartElement(this.details, "summary", "", "Show as table");
    this.details.addEventListener("toggle", () => this.tabulate());
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
    this.picture = chartElement(this.plot, "div", "chart-picture");
    this.picture.setAttribute("role", "img");
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
    const walk = new ChartWalk(over, this.tip, { ...about, label });
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
    this.details.append(chartTable(this.title.textContent, this.table));
  }
}
