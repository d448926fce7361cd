// Bars of many queries side by side: where there are more than pixels, one bar a pixel.

import { chartPixels } from "./pixels.js";
import { chartArea } from "./plot.js";

const BAR_WIDEST = 72;

/** Draws bars from zero; `order` holds the queries from left to right, `colour(q)` says how a bar is painted. */
export function chartBars(context, plot, order, values, colour) {
  const { left, width } = plot.bbox;
  const pixel = Math.max(1, chartPixels());
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
