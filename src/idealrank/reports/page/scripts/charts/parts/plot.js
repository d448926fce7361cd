// A plot with axes; what stands in it is drawn by the chart itself.

import { minus } from "../../format.js";
import { chartPixels, chartSharp } from "./pixels.js";

/**
 * Draws two axes with the chart library, and calls `draw(context, plot)` for what lies between them.
 *
 * @param {Element} element - where the plot is put
 * @param {{width: number, height: number, ink: object, x: object, y: object, draw: Function, room?: number}} about
 *   an axis has `low`, `high`, `label`, and may have `splits` (places of its ticks), `text` (of a tick), `size`, `down`
 *   and `grid`; `room` is left free on the right
 * @returns the plot
 */
export function chartPlot(element, { width, height, ink, x, y, draw, room = 12 }) {
  const sharp = chartSharp();
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
  const plot = new uPlot(
    options,
    [
      [x.low, x.high],
      [null, null],
    ],
    element,
  );
  plot.batch(() => {}); // the library would draw a moment later: places are asked for now
  plot.root.style.zoom = 1 / sharp;
  return plot;
}

/** Returns where the plot lies inside its element, in CSS pixels. */
export function chartArea(plot) {
  const sides = Object.entries(plot.bbox).map(([name, value]) => [name, value / chartPixels()]);
  return Object.fromEntries(sides);
}

/** Returns where a value lies inside the element of its plot, in CSS pixels. */
export function chartAt(plot, value, scale) {
  return plot.valToPos(value, scale, true) / chartPixels();
}

/** Returns the ticks of a count: whole numbers only. */
export function wholeTick(value) {
  return Number.isInteger(value) ? value.toLocaleString("en") : "";
}

function plainTick(value) {
  return value === null ? "" : minus(`${Number(value.toPrecision(6))}`);
}

function drawInside(plot, draw) {
  plot.ctx.save();
  draw(plot.ctx, plot);
  plot.ctx.restore();
}

function plotScale({ low, high, down = false }) {
  return { time: false, range: [low, high], dir: down ? -1 : 1 };
}

function plotAxis({ label, splits, text, size, grid = true }, ink, usual, space) {
  const sharp = chartSharp();
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
