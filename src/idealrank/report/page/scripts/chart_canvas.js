// The canvas of the heat strip: only the rows in view are drawn.

import { chartElement } from "./chart_element.js";
import { gradeSpan, isHole } from "./chart_grades.js";
import { chartFont } from "./chart_ink.js";
import { chartPixels } from "./chart_pixels.js";
import { gradeInk, textInk } from "./chart_theme.js";
import { chartFit, chartQuery } from "./chart_words.js";

const STRIP_HEAD = 38;
const STRIP_GAP = 18;
const STRIP_BAND = 14;

/** Draws the rows of one or two systems below their names; rows are as high as asked for and scroll in a box. */
export class StripCanvas {
  constructor(frame, facts, { names, grades, height, box }) {
    Object.assign(this, { facts, names, grades, height, ink: frame.ink, count: facts.order.length, depth: facts.lists.depth });
    this.span = gradeSpan(facts.lists);
    this.ratio = chartPixels();
    this.whole = Math.ceil(this.count * height);
    this.view = Math.min(box, this.whole);
    this.build(frame);
    this.measure(frame.width);
    this.drawHead();
    this.drawRows();
  }

  build(frame) {
    this.head = chartElement(frame.picture, "canvas");
    this.scroll = chartElement(frame.plot, "div", "chart-scroll");
    this.content = chartElement(this.scroll, "div", "chart-content");
    this.rows = chartElement(this.content, "canvas", "chart-rows");
    this.rows.setAttribute("aria-hidden", "true");
    this.scroll.style.height = `${this.view}px`;
    this.content.style.height = `${this.whole}px`;
    this.scroll.addEventListener("scroll", () => {
      this.scrolled?.();
      requestAnimationFrame(() => this.drawRows());
    });
  }

  measure(width) {
    this.width = this.whole > this.view ? width - 16 : width;
    const labels = width >= 640 && this.height >= 12;
    this.label = STRIP_BAND + (labels ? Math.min(260, Math.floor(width * 0.24)) : 0);
    const sides = this.names.length;
    this.cell = Math.min(64, (this.width - this.label - (sides - 1) * STRIP_GAP) / (sides * this.depth));
    this.font = chartFont("", this.height >= 16 ? 12 : 11);
  }

  /** Where a panel begins. */
  panel(side) {
    return this.label + side * (this.depth * this.cell + STRIP_GAP);
  }

  drawHead() {
    const context = this.sized(this.head, STRIP_HEAD);
    context.textBaseline = "alphabetic";
    this.names.forEach((name, side) => {
      context.font = chartFont("600");
      Object.assign(context, { textAlign: "left", fillStyle: this.ink.ink });
      this.text(context, chartFit(context, name, this.depth * this.cell * this.ratio), this.panel(side), 14);
      context.font = chartFont("", 11);
      Object.assign(context, { textAlign: "center", fillStyle: this.ink.muted });
      for (let rank = 1; rank <= this.depth; rank += 1) {
        if (this.cell >= 16 || rank === 1 || rank % 5 === 0) this.text(context, `${rank}`, this.panel(side) + (rank - 0.5) * this.cell, 32);
      }
    });
  }

  drawRows() {
    const context = this.sized(this.rows, this.view);
    const top = this.scroll.scrollTop;
    this.hatch ??= hatchOf(context, this.ink, this.ratio);
    context.translate(0, -Math.round(top * this.ratio));
    const lines = this.height >= 1 ? this.rowsFrom(top) : this.pixelsFrom(top);
    for (const line of lines) this.drawLine(context, line);
  }

  /** Rows in view, one query each. */
  rowsFrom(top) {
    const first = Math.floor(top / this.height);
    const last = Math.min(this.count, Math.ceil((top + this.view) / this.height));
    const line = (place) => ({ from: place, to: place + 1, y: place * this.height, high: this.height });
    return Array.from({ length: last - first }, (_, i) => line(first + i));
  }

  /** Lines of device pixels in view, each of several queries. */
  pixelsFrom(top) {
    const step = this.height * this.ratio;
    const first = Math.floor(top * this.ratio);
    const last = Math.min(first + this.view * this.ratio, Math.ceil(this.count * step));
    const at = (pixel) => Math.min(this.count, Math.floor(pixel / step));
    const line = (pixel) => ({ from: Math.min(at(pixel), this.count - 1), to: Math.max(at(pixel) + 1, at(pixel + 1)), y: pixel / this.ratio, high: 1 / this.ratio });
    return Array.from({ length: last - first }, (_, i) => line(first + i));
  }

  drawLine(context, line) {
    const space = line.high >= 6 ? 1 : 0;
    this.drawTurn(context, line, space);
    this.grades.forEach((grades, side) => {
      for (let rank = 1; rank <= this.depth; rank += 1) {
        const cell = grades.blend(line.from, Math.min(line.to, this.count), rank);
        const box = [this.panel(side) + (rank - 1) * this.cell, line.y, this.cell - (this.cell >= 6 ? 1 : 0), line.high - space];
        this.drawCell(context, cell, box);
      }
    });
  }

  drawCell(context, cell, [x, y, width, height]) {
    if (Number.isNaN(cell)) return;
    const share = (cell - this.span.low) / (this.span.high - this.span.low);
    context.fillStyle = isHole(cell) ? this.hatch : gradeInk(this.ink, share);
    const [left, top] = [x * this.ratio, y * this.ratio].map(Math.round);
    context.fillRect(left, top, Math.round((x + width) * this.ratio) - left, Math.round((y + height) * this.ratio) - top);
    if (height < 12 || width < 13 || isHole(cell)) return;
    Object.assign(context, { font: this.font, textAlign: "center", textBaseline: "middle", fillStyle: textInk(this.ink, share) });
    this.text(context, `${Number(cell.toPrecision(3))}`, x + width / 2, y + height / 2 + 0.5);
  }

  /** Beside a row: a mark of the difference's sign, and what the query is called where there is room. */
  drawTurn(context, { from, y, high }, space) {
    const q = this.facts.order[from];
    const turned = this.facts.two ? this.facts.turns[q] : 0;
    const colour = turned > 0 ? this.ink.gain : turned < 0 ? this.ink.loss : this.ink.tie;
    const { label, ratio } = this;
    context.fillStyle = colour;
    if (high >= 12 && this.facts.two) {
      Object.assign(context, { font: chartFont("", 9), textAlign: "center", textBaseline: "middle" });
      this.text(context, turned > 0 ? "▲" : turned < 0 ? "▼" : "=", label - STRIP_BAND / 2, y + high / 2);
    } else if (this.facts.two) context.fillRect((label - 10) * ratio, Math.round(y * ratio), 5 * ratio, Math.max(1, Math.round((high - space) * ratio)));
    if (label <= STRIP_BAND) return;
    const { id, text } = chartQuery(this.facts, q);
    Object.assign(context, { font: this.font, textAlign: "right", textBaseline: "middle", fillStyle: this.ink.muted });
    this.text(context, chartFit(context, text || id, (label - STRIP_BAND - 8) * this.ratio), label - STRIP_BAND - 4, y + high / 2);
  }

  text(context, text, x, y) {
    context.fillText(text, x * this.ratio, y * this.ratio);
  }

  sized(canvas, height) {
    canvas.width = Math.round(this.width * this.ratio);
    canvas.height = Math.round(height * this.ratio);
    Object.assign(canvas.style, { width: `${this.width}px`, height: `${height}px` });
    return canvas.getContext("2d");
  }

  /** Returns where the row of a query is. */
  rowBox(place) {
    const right = this.panel(this.names.length - 1) + this.depth * this.cell;
    return { left: this.label - STRIP_BAND, top: place * this.height - 1, width: right - this.label + STRIP_BAND, height: Math.max(3, this.height + 1) };
  }

  rowAt(top) {
    const place = Math.floor(top / this.height);
    return place >= 0 && place < this.count ? place : -1;
  }

  /** Returns the system and the rank that are pointed at; null beside the cells. */
  cellAt(left) {
    const side = this.names.length > 1 && left >= this.panel(1) ? 1 : 0;
    const rank = Math.floor((left - this.panel(side)) / this.cell) + 1;
    return rank >= 1 && rank <= this.depth ? { side, rank } : null;
  }

  /** Scrolls the row of a query into view. */
  reveal(place) {
    const top = place * this.height;
    if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
    else if (top + this.height > this.scroll.scrollTop + this.view) this.scroll.scrollTop = top + this.height - this.view;
  }

  destroy() {
    this.scroll.remove();
  }
}

function hatchOf(context, ink, ratio) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = Math.round(6 * ratio);
  const inner = tile.getContext("2d");
  inner.strokeStyle = ink.axis;
  inner.lineWidth = ratio;
  for (const shift of [-1, 0, 1]) {
    inner.moveTo(shift * tile.width, tile.height);
    inner.lineTo((shift + 1) * tile.width, 0);
  }
  inner.stroke();
  return context.createPattern(tile, "repeat");
}
