// Lines and words on a canvas; widths, dashes and sizes are in CSS pixels.

import { fixed } from "../../format.js";
import { chartPixels } from "./pixels.js";

/** Returns the font of the charts for a canvas. */
export function chartFont(weight = "", size = 12) {
  return `${weight} ${size * chartPixels()}px system-ui, sans-serif`;
}

/** Draws a line through places of the canvas. */
export function chartLine(context, places, colour, width = 1, dash = []) {
  context.save();
  context.strokeStyle = colour;
  context.lineWidth = width * chartPixels();
  context.setLineDash(dash.map((each) => each * chartPixels()));
  context.lineJoin = "round";
  context.beginPath();
  for (const [x, y] of places) context.lineTo(x, y);
  context.stroke();
  context.restore();
}

/** Draws words at a place of the canvas, `gap` beside it; `side` and `base` say which of their ends stands there. */
export function chartWords(context, text, [x, y], look) {
  const { colour, side = "left", base = "middle", weight = "600", size = 12, gap = 0 } = look;
  const away = gap * chartPixels();
  const to = { left: away, right: -away, center: 0, top: away, bottom: -away, middle: 0 };
  Object.assign(context, { font: chartFont(weight, size), fillStyle: colour, textAlign: side, textBaseline: base });
  context.fillText(text, x + to[side], y + to[base]);
}

/** Draws a mean as a dashed line down a plot, with its word and its number at the top. */
export function chartMeanDown(context, plot, { mean, over }, colour) {
  if (mean === null) return;
  const { left, top, width, height } = plot.bbox;
  const x = plot.valToPos(mean, "x", true);
  const side = x > left + width / 2 ? "right" : "left";
  chartLine(context, [[x, top], [x, top + height]], colour, 1.5, [5, 4]);
  chartWords(context, `${over} ${fixed(mean)}`, [x, top], { colour, side, base: "top", gap: 5 });
}

/** Draws a mean as a dashed line across a plot, with its word and its number on the right; a sum lies elsewhere. */
export function chartMeanAcross(context, plot, { mean, over }, colour) {
  if (mean === null || over === "sum") return;
  const { left, top, width } = plot.bbox;
  const y = plot.valToPos(mean, "y", true);
  const base = y - top < 20 * chartPixels() ? "top" : "bottom";
  chartLine(context, [[left, y], [left + width, y]], colour, 1.5, [5, 4]);
  chartWords(context, `${over} ${fixed(mean)}`, [left + width, y], { colour, side: "right", base, gap: 4 });
}
