// Drawing on a canvas: axes, lines, words, bars and points; widths, dashes and sizes are in CSS pixels.

import { fixed, minus } from "../format.js";

const PAPER_PIXELS = 3; // in one CSS pixel
const BAR_WIDEST = 72;
const BUCKET_SIDE = 12;
const CORNER_STEPS = [0, 0.14, 0.28];
const CORNER_HEIGHT = 20;
const CORNER_GAP = 8;
const FAR = 5; // so many times the middles' spread and a middling interval beyond the middles

let sharp = 1; // how many times finer than the screen is drawn

/**
 * Draws two axes with the chart library, and calls `draw(context, plot)` for what lies between them.
 *
 * @param {Element} host - where the plot is put
 * @param {{width: number, height: number, ink: object, x: object, y: object, draw: Function, room?: number}} about
 *   an axis has `low`, `high`, `label`, and may have `splits` (places of its ticks), `text` (of a tick), `size`, `down`
 *   and `grid`; `room` is left free on the right
 * @returns the plot
 */
export function makePlot(host, { width, height, ink, x, y, draw, room = 12 }) {
  const options = {
    width: width * sharp,
    height: height * sharp,
    padding: [10 * sharp, room * sharp, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    select: { show: false },
    scales: { x: plotScale(x), y: plotScale(y) },
    series: [{}, { paths: () => null, points: { show: false } }],
    axes: [plotAxis(x, ink, 34, 60), plotAxis(y, ink, 46, 34)],
    hooks: { draw: [(plot) => drawInside(plot, draw)] },
  };
  const plot = new uPlot(options, [[x.low, x.high], [null, null]], host);
  plot.batch(() => {}); // the library would draw a moment later: places are asked for now
  plot.root.style.zoom = 1 / sharp;
  return plot;
}

function plotScale({ low, high, down = false }) {
  return { time: false, range: [low, high], dir: down ? -1 : 1 };
}

function plotAxis({ label, splits, text, size, grid = true }, ink, usual, space) {
  const font = `${12 * sharp}px system-ui, sans-serif`;
  return {
    label,
    font,
    labelFont: font,
    labelSize: 22 * sharp,
    labelGap: 2 * sharp,
    gap: 6 * sharp,
    size: (size ?? usual) * sharp,
    space: space * sharp,
    stroke: ink.muted,
    grid: { show: grid, stroke: ink.grid, width: sharp },
    ticks: { show: false },
    border: { show: false },
    ...(splits && { splits: () => splits }),
    values: (_, places) => places.map(text ?? plainTick),
  };
}

function plainTick(value) {
  return value === null ? "" : minus(`${Number(value.toPrecision(6))}`);
}

function drawInside(plot, draw) {
  plot.ctx.save();
  draw(plot.ctx, plot);
  plot.ctx.restore();
}

/** Returns where the plot lies inside its element, in CSS pixels. */
export function plotArea(plot) {
  const sides = Object.entries(plot.bbox).map(([name, value]) => [name, value / pixelRatio()]);
  return Object.fromEntries(sides);
}

/** Returns where a value lies inside the element of its plot, in CSS pixels. */
export function placeOf(plot, value, scale) {
  return plot.valToPos(value, scale, true) / pixelRatio();
}

/** Returns the ticks of a count: whole numbers only. */
export function wholeTick(value) {
  return Number.isInteger(value) ? value.toLocaleString("en") : "";
}

/** Draws for paper from now on, or for the screen. */
export function drawForPaper(paper) {
  sharp = paper ? Math.max(1, PAPER_PIXELS / devicePixelRatio) : 1;
}

/** Returns the pixels of a canvas in one CSS pixel. */
export function pixelRatio() {
  return uPlot.pxRatio * sharp;
}

/** Returns the font of the charts for a canvas. */
export function canvasFont(weight = "", size = 12) {
  return `${weight} ${size * pixelRatio()}px system-ui, sans-serif`;
}

/** Draws a line through places of the canvas. */
export function drawLine(context, places, colour, width = 1, dash = []) {
  context.save();
  context.strokeStyle = colour;
  context.lineWidth = width * pixelRatio();
  context.setLineDash(dash.map((each) => each * pixelRatio()));
  context.lineJoin = "round";
  context.beginPath();
  for (const [x, y] of places) context.lineTo(x, y);
  context.stroke();
  context.restore();
}

/** Draws words at a place of the canvas, `gap` beside it; `side` and `base` say which of their ends stands there. */
export function drawText(context, text, [x, y], look) {
  const { colour, side = "left", base = "middle", weight = "600", size = 12, gap = 0 } = look;
  const away = gap * pixelRatio();
  const to = { left: away, right: -away, center: 0, top: away, bottom: -away, middle: 0 };
  Object.assign(context, { font: canvasFont(weight, size), fillStyle: colour, textAlign: side, textBaseline: base });
  context.fillText(text, x + to[side], y + to[base]);
}

/** Draws a mean as a dashed line down a plot, with its word and its number at the top. */
export function drawMeanDown(context, plot, { mean, over }, colour) {
  if (mean === null) return;
  const { left, top, width, height } = plot.bbox;
  const x = plot.valToPos(mean, "x", true);
  const side = x > left + width / 2 ? "right" : "left";
  drawLine(context, [[x, top], [x, top + height]], colour, 1.5, [5, 4]);
  drawText(context, `${over} ${fixed(mean)}`, [x, top], { colour, side, base: "top", gap: 5 });
}

/** Draws a mean as a dashed line across a plot, with its word and its number on the right; a sum lies elsewhere. */
export function drawMeanAcross(context, plot, { mean, over }, colour) {
  if (mean === null || over === "sum") return;
  const { left, top, width } = plot.bbox;
  const y = plot.valToPos(mean, "y", true);
  const base = y - top < 20 * pixelRatio() ? "top" : "bottom";
  drawLine(context, [[left, y], [left + width, y]], colour, 1.5, [5, 4]);
  drawText(context, `${over} ${fixed(mean)}`, [left + width, y], { colour, side: "right", base, gap: 4 });
}

/**
 * Writes a word where no point lies: in the corner, else along the sides that meet there; nowhere if all are taken.
 *
 * @param {number} corner - 1: on the upper left; -1: on the lower right
 * @param {[number, number][]} points - places on the canvas
 */
export function writeInCorner(context, plot, text, { corner, points, colour }) {
  const box = cornerBoxes(context, plot, text, corner).find((each) => !points.some((point) => within(each, point)));
  if (!box) return;
  const gap = CORNER_GAP * pixelRatio();
  drawText(context, text, [box.left + gap, box.top + box.height / 2], { colour });
}

function cornerBoxes(context, { bbox }, text, corner) {
  const [pixels, { left, top }] = [pixelRatio(), bbox];
  context.font = canvasFont("600");
  const [width, height] = [context.measureText(text).width + 2 * CORNER_GAP * pixels, (CORNER_HEIGHT + CORNER_GAP) * pixels];
  const [right, down] = [bbox.width - width, bbox.height - height];
  const moves = CORNER_STEPS.flatMap((step) => [[step, 0], [0, step]]);
  return moves
    .map(([x, y]) => (corner > 0 ? [x * bbox.width, y * bbox.height] : [right - x * bbox.width, down - y * bbox.height]))
    .map(([x, y]) => ({ left: left + x, top: top + y, width, height }));
}

function within({ left, top, width, height }, [x, y]) {
  const near = 4 * pixelRatio();
  return x > left - near && x < left + width + near && y > top - near && y < top + height + near;
}

/**
 * Draws bars from zero side by side: where there are more than pixels, one bar a pixel.
 *
 * `order` holds the queries from left to right, `colour(q)` says how a bar is painted.
 */
export function drawBars(context, plot, order, values, colour) {
  const { left, width } = plot.bbox;
  const pixel = Math.max(1, pixelRatio());
  const bars = Math.min(order.length, Math.ceil(width));
  const step = width / bars;
  const gap = step < 4 * pixel ? 0 : Math.round(Math.max(pixel, step * 0.16, step - BAR_WIDEST * pixel));
  for (let bar = 0; bar < bars; bar += 1) {
    const q = longestOf(order, values, (bar * order.length) / bars, ((bar + 1) * order.length) / bars);
    const [from, to] = [bar, bar + 1].map((edge) => Math.round(left + edge * step));
    const { top, high } = barSpan(plot, values[q], 2 * pixel);
    context.fillStyle = colour(q);
    context.fillRect(from + (gap >> 1), top, Math.max(1, to - from - gap), high);
  }
}

// Of sorted queries that share a pixel the first or the last has the longest bar.
function longestOf(order, values, from, to) {
  const [first, last] = [order[Math.floor(from)], order[Math.ceil(to) - 1]];
  return Math.abs(values[first]) >= Math.abs(values[last]) ? first : last;
}

// A bar that would not be seen is a mark on the line of zero.
function barSpan(plot, value, least) {
  const [zero, end] = [0, value].map((each) => plot.valToPos(each, "y", true));
  if (Math.abs(end - zero) < least) return { top: zero - least / 2, high: least };
  return { top: Math.min(zero, end), high: Math.abs(end - zero) };
}

/** Returns box and find of bars side by side, for walking through them. */
export function barPlaces(plot, count) {
  const area = plotArea(plot);
  const step = area.width / count;
  return {
    box: (place) => ({
      left: area.left + place * step + Math.min(0, step - 3) / 2,
      top: area.top,
      width: Math.max(step, 3),
      height: area.height,
    }),
    find: (left, top) => {
      const place = Math.floor((left - area.left) / step);
      return place >= 0 && place < count && top >= area.top && top <= area.top + area.height ? place : -1;
    },
  };
}

/** Squares of pixels, each with a list of its points: finds the nearest of tens of thousands without looking at all. */
export class PointBuckets {
  /** @param {Float64Array} x @param {Float64Array} y - where the points are, in CSS pixels */
  constructor(x, y) {
    Object.assign(this, { x, y, first: new Map(), next: new Int32Array(x.length).fill(-1), counts: new Map() });
    for (let point = x.length - 1; point >= 0; point -= 1) {
      const bucket = bucketOf(x[point], y[point]);
      this.next[point] = this.first.get(bucket) ?? -1;
      this.first.set(bucket, point);
      this.counts.set(this.place(point), this.at(point) + 1);
    }
  }

  /** Returns the nearest point within some pixels, the first of those at one place; -1 for none. */
  nearest(left, top) {
    let [best, least] = [-1, 2 * BUCKET_SIDE * BUCKET_SIDE];
    for (const dx of [-BUCKET_SIDE, 0, BUCKET_SIDE]) {
      for (const dy of [-BUCKET_SIDE, 0, BUCKET_SIDE]) {
        for (let point = this.first.get(bucketOf(left + dx, top + dy)) ?? -1; point >= 0; point = this.next[point]) {
          const far = (this.x[point] - left) ** 2 + (this.y[point] - top) ** 2;
          if (far < least || (far === least && point < best)) [best, least] = [point, far];
        }
      }
    }
    return best;
  }

  /** Counts the points at the place of one, itself among them. */
  at(point) {
    return this.counts.get(this.place(point)) ?? 0;
  }

  /** Returns a number that stands for the place of a point. */
  place(point) {
    return this.x[point] * 65536 + this.y[point];
  }
}

function bucketOf(x, y) {
  return Math.floor(x / BUCKET_SIDE) * 65536 + Math.floor(y / BUCKET_SIDE);
}

/**
 * Returns the ends of the axis for rows of value, low and high; intervals may go on beyond them.
 *
 * What cannot be, or stands far out, is not shown whole: it would squash all others.
 */
export function axisLimits(rows, measure, differs) {
  const middles = hull(rows, ["value"], differs);
  const all = hull(rows, ["value", "low", "high"], differs);
  const most = possible(measure, differs) ?? sensible(rows, middles);
  const low = Math.min(middles.low, Math.max(all.low, most.low));
  const high = Math.max(middles.high, Math.min(all.high, most.high));
  const room = (high - low || 1) * 0.06;
  return { low: low - room, high: high + room };
}

function hull(rows, names, differs) {
  const known = rows.flatMap((row) => names.map((name) => row[name])).filter((value) => value !== null);
  const numbers = differs ? [0, ...known] : known;
  return { low: Math.min(...numbers), high: Math.max(...numbers) };
}

/** Says whether an interval goes on beyond the axis, to the left (-1) and to the right (1). */
export function beyondAxis({ low, high }, span) {
  return low === null ? [] : [low < span.low ? -1 : 0, high > span.high ? 1 : 0];
}

function possible({ lowest, highest }, differs) {
  if (lowest === null || highest === null) return null;
  return differs ? { low: lowest - highest, high: highest - lowest } : { low: lowest, high: highest };
}

function sensible(rows, { low, high }) {
  const halves = rows.filter((row) => row.low !== null).map((row) => (row.high - row.low) / 2);
  const middling = halves.sort((p, q) => p - q)[(halves.length - 1) >> 1] ?? 0;
  const reach = FAR * (high - low + middling);
  return { low: low - reach, high: high + reach };
}
