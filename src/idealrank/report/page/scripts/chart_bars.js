// Bars of many queries side by side: where there are more than pixels, one bar a pixel.

import { chartPixels } from "./chart_pixels.js";
import { chartArea } from "./chart_plot.js";

/** Draws bars from zero; `order` holds the queries from left to right, `colour(q)` says how a bar is painted. */
export function chartBars(context, plot, order, values, colour) {
  const { left, width } = plot.bbox;
  const step = width / order.length;
  const zero = plot.valToPos(0, "y", true);
  const least = Math.max(1, chartPixels());
  const bars = Math.min(order.length, Math.ceil(width));
  const edge = (bar) => Math.round(left + (bar * width) / bars);
  const gap = step >= 4 * least ? Math.max(least, Math.round(step * 0.16)) : 0;
  for (let bar = 0; bar < bars; bar += 1) {
    const q = order[bars === order.length ? bar : Math.floor((bar * order.length) / bars)];
    const end = plot.valToPos(values[q], "y", true);
    const high = Math.max(Math.abs(end - zero), 2 * least);
    context.fillStyle = colour(q);
    const top = Math.abs(end - zero) < high ? zero - high / 2 : Math.min(zero, end);
    context.fillRect(edge(bar), top, Math.max(1, edge(bar + 1) - edge(bar) - gap), high);
  }
}

/** Returns box and find of bars side by side, for walking through them. */
export function barPlaces(plot, count) {
  const area = chartArea(plot);
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
