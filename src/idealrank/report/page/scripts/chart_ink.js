// Lines and words on a canvas; widths, dashes and sizes are in CSS pixels.

import { fixed } from "./format.js";
import { chartPixels } from "./chart_pixels.js";

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
export function chartWords(
  context,
  text,
  [x, y],
  { colour, side = "left", base = "middle", weight = "600", size = 12, gap = 0 },
) {
  const away = gap * chartPixels();
  const to = { left: away, right: -away, center: 0, top: away, bottom: -away, middle: 0 };
  Object.assign(context, { font: chartFont(weight, size), fillStyle: colour, textAlign: side, textBaseline: base });
  context.fillText(text, x + to[side], y + to[base]);
}

/** Draws the mean as a dashed line across a plot of bars that stand on its lower edge, with its number. */
export function chartMean(context, plot, mean, scale, colour) {
  if (mean === null) return;
  const { left, top, width, height } = plot.bbox;
  const at = plot.valToPos(mean, scale, true);
  const flat = scale === "y";
  chartLine(
    context,
    flat
      ? [
          [left, at],
          [left + width, at],
        ]
      : [
          [at, top],
          [at, top + height],
        ],
    colour,
    1.5,
    [5, 4],
  );
  const side = flat || at > left + width / 2 ? "right" : "left";
  chartWords(context, `mean ${fixed(mean)}`, flat ? [left + width, at] : [at, top], {
    colour,
    side,
    base: flat ? "bottom" : "top",
    gap: flat ? 3 : 5,
  });
}
