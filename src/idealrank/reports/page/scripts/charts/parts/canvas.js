// The canvas of the heat strip: only the rows in view are drawn.

import { chartElement } from "./element.js";
import { gradeSpan, isHole } from "./grades.js";
import { GradeHues } from "./hues.js";
import { chartWords } from "./ink.js";
import { StripLanes, TURN_WIDTH } from "./lanes.js";
import { chartPixels } from "./pixels.js";
import { StripRows } from "./rows.js";
import { turnInks } from "./theme.js";
import { chartFit, chartQuery } from "./words.js";
import { glyph } from "../../format.js";

const STRIP_HEAD = 38;
const STRIP_BAR = 16;

/** Draws the grades of one or two systems below their names; rows are as high as asked for and scroll in a box. */
export class StripCanvas {
  constructor(frame, facts, { names, grades, height, box }) {
    Object.assign(this, { facts, names, grades, ink: frame.ink, pixels: chartPixels() });
    this.rows = new StripRows(facts.order.length, height, this.pixels);
    this.view = Math.min(box, this.rows.whole);
    this.width = frame.width - (this.rows.whole > this.view ? STRIP_BAR : 0);
    this.lanes = new StripLanes(this.width, { sides: names.length, depth: facts.lists.depth, named: height >= 12 });
    this.hues = new GradeHues(frame.ink, gradeSpan(facts.lists), this.pixels);
    this.build(frame);
    this.drawHead();
    this.drawRows();
  }

  build(frame) {
    this.head = chartElement(frame.picture, "canvas");
    this.scroll = chartElement(frame.plot, "div", "chart-scroll");
    this.content = chartElement(this.scroll, "div", "chart-content");
    this.body = chartElement(this.content, "canvas", "chart-rows");
    this.body.setAttribute("aria-hidden", "true");
    this.scroll.style.height = `${this.view}px`;
    this.content.style.height = `${this.rows.whole}px`;
    this.scroll.addEventListener("scroll", () => {
      this.scrolled?.();
      requestAnimationFrame(() => this.drawRows());
    });
  }

  drawHead() {
    const context = this.sized(this.head, STRIP_HEAD);
    const { cell, depth } = this.lanes;
    const shown = (rank) => cell >= 16 || rank === 1 || rank % 5 === 0;
    this.names.forEach((name, side) => {
      const left = this.lanes.left(side);
      this.write(context, name, left, 9, { colour: this.ink.ink, room: depth * cell - 8 });
      for (let rank = 1; rank <= depth; rank += 1) {
        if (shown(rank))
          this.write(context, `${rank}`, left + (rank - 0.5) * cell, 28, {
            colour: this.ink.muted,
            side: "center",
            weight: "",
            size: 12,
          });
      }
    });
  }

  drawRows() {
    const context = this.sized(this.body, this.view);
    const top = this.scroll.scrollTop;
    context.translate(0, -Math.round(top * this.pixels));
    for (const line of this.rows.inView(top, this.view)) this.drawLine(context, line);
  }

  drawLine(context, line) {
    if (this.facts.two) this.drawTurn(context, line);
    if (this.lanes.names) this.drawName(context, line);
    this.grades.forEach((grades, side) => {
      for (let rank = 1; rank <= this.lanes.depth; rank += 1) {
        const cell = grades.blend(line.from, line.to, rank);
        if (!Number.isNaN(cell))
          this.drawCell(context, cell, this.lanes.left(side) + (rank - 1) * this.lanes.cell, line);
      }
    });
  }

  drawCell(context, cell, left, { top, high }) {
    const width = this.lanes.cell - this.lanes.gap;
    context.fillStyle = isHole(cell) ? this.hues.hatch : this.hues.fill(cell);
    this.fill(context, left, top, width, high - this.rows.gap);
    const text = `${Number(cell.toPrecision(3))}`;
    const size = 12;
    if (high < 14 || isHole(cell) || width < 2 + 0.62 * size * text.length) return;
    this.write(context, text, left + width / 2, top + high / 2, {
      colour: this.hues.text(cell),
      side: "center",
      weight: "",
      size,
    });
  }

  /** Beside a row: the sign of its difference; a coloured band where rows are too low for signs. */
  drawTurn(context, { from, top, high }) {
    const turned = this.facts.turns[this.facts.order[from]];
    const colour = turnInks(this.ink, this.facts.measure)[turned];
    const left = this.lanes.begin - TURN_WIDTH;
    context.fillStyle = colour;
    if (high < 12) this.fill(context, left + 4, top, 5, high);
    else
      this.write(context, glyph(turned), left + TURN_WIDTH / 2, top + high / 2, {
        colour,
        side: "center",
        weight: "",
        size: 12,
      });
  }

  drawName(context, { from, top, high }) {
    const { id, text } = chartQuery(this.facts, this.facts.order[from]);
    const size = 12;
    this.write(context, text || id, this.lanes.names - 4, top + high / 2, {
      colour: this.ink.muted,
      side: "right",
      weight: "",
      size,
      room: this.lanes.names - 8,
    });
  }

  write(context, text, left, top, { room, ...look }) {
    const words = room ? chartFit(context, text, room * this.pixels, { weight: "600", size: 12, ...look }) : text;
    chartWords(context, words, [left * this.pixels, top * this.pixels], look);
  }

  fill(context, left, top, width, height) {
    const [x, y] = [left, top].map((each) => Math.round(each * this.pixels));
    const [right, bottom] = [left + width, top + height].map((each) => Math.round(each * this.pixels));
    context.fillRect(x, y, right - x, Math.max(1, bottom - y));
  }

  sized(canvas, height) {
    canvas.width = Math.round(this.width * this.pixels);
    canvas.height = Math.round(height * this.pixels);
    Object.assign(canvas.style, { width: `${this.width}px`, height: `${height}px` });
    return canvas.getContext("2d");
  }

  /** Returns where the row of a query is. */
  box(place) {
    const left = this.lanes.begin - TURN_WIDTH;
    const { height } = this.rows;
    return { left, top: place * height - 1, width: this.lanes.end - left, height: Math.max(3, height + 1) };
  }

  /** Scrolls the row of a query into view. */
  reveal(place) {
    const { height } = this.rows;
    const top = place * height;
    if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
    else if (top + height > this.scroll.scrollTop + this.view) this.scroll.scrollTop = top + height - this.view;
  }

  destroy() {
    this.scroll.remove();
  }
}
