// Chart: one system against the other, a point a query.

import { ChartBuckets } from "./chart_buckets.js";
import { chartRange, chartTally } from "./chart_facts.js";
import { chartArea, chartFont, chartLine, chartPlot } from "./chart_plot.js";
import { queryTable, queryWalk } from "./chart_queries.js";
import { chartCount, chartName, chartShort } from "./chart_words.js";

const MANY_POINTS = 2000;

export const scatterChart = {
  name: "scatter",
  needs: [],
  byQuery: true,
  fits: (facts) => facts.two && facts.order.length > 0,
  draw(frame, facts) {
    sayScatter(frame, facts, chartTally(facts));
    const found = {};
    frame.keep(plotScatter(frame, facts, found));
    frame.walk(queryWalk(facts, placesOf(found)));
    queryTable(frame, facts);
  },
};

function sayScatter(frame, facts, { wins, ties, losses }) {
  const [a, b] = [facts.state.baseline, facts.state.system];
  const better = facts.measure.direction === "lower" ? "below" : "above";
  frame.say(
    "One against the other",
    ["One point a query: ", chartName(a), " across, ", chartName(b), ` up. ${better[0].toUpperCase()}${better.slice(1)} the diagonal `, chartName(b), " is better; large points are several queries."],
    `Points of ${chartCount(facts.order.length, "query", "queries")}, ${facts.measure.label} of ${a} across and of ${b} up: ` +
      `${wins} better with ${b}, ${ties} equal, ${losses} better with ${a}.`,
  );
}

function plotScatter(frame, facts, found) {
  const { ink } = frame;
  const side = Math.min(frame.width, frame.height + 90);
  const { low, high } = chartRange(facts, [...facts.a, ...facts.b]);
  const room = (high - low) * 0.04;
  const axis = { low: low - room, high: high + room };
  const label = chartShort(facts.measure.label, 24);
  return chartPlot(frame.picture, {
    width: side, height: frame.height, ink,
    x: { ...axis, label: `${chartShort(facts.state.baseline, 24)}, ${label}` },
    y: { ...axis, label: `${chartShort(facts.state.system, 24)}, ${label}` },
    draw: (context, plot) => {
      found.buckets ??= new ChartBuckets(...pixelsOf(plot, facts));
      drawScatter(context, plot, facts, ink, found.buckets);
    },
  });
}

function drawScatter(context, plot, facts, ink, buckets) {
  const { left, top, width, height } = plot.bbox;
  const gap = 8 * uPlot.pxRatio;
  chartLine(context, [[left, top + height], [left + width, top]], ink.axis, 1.25, [5, 4]);
  context.font = chartFont("600");
  const upper = facts.measure.direction === "lower" ? facts.state.baseline : facts.state.system;
  const lower = upper === facts.state.system ? facts.state.baseline : facts.state.system;
  cornerWords(context, `${chartShort(upper, 20)} better`, "left", "top", left + gap, top + gap, ink.muted);
  cornerWords(context, `${chartShort(lower, 20)} better`, "right", "bottom", left + width - gap, top + height - gap, ink.muted);
  drawPoints(context, plot, facts, ink, buckets);
}

function cornerWords(context, text, side, base, x, y, colour) {
  Object.assign(context, { textAlign: side, textBaseline: base, fillStyle: colour });
  context.fillText(text, x, y);
}

// Many points are small and let those below shine through.
function drawPoints(context, plot, facts, ink, buckets) {
  const ratio = uPlot.pxRatio;
  const many = facts.order.length > MANY_POINTS;
  const colours = { "1": ink.gain, "0": ink.tie, "-1": ink.loss };
  context.globalAlpha = many ? 0.4 : 0.75;
  const seen = new Set();
  facts.order.forEach((q, place) => {
    const [x, y] = [buckets.x[place] * ratio, buckets.y[place] * ratio];
    const key = buckets.x[place] * 65536 + buckets.y[place];
    if (seen.has(key)) return;
    seen.add(key);
    const radius = (many ? 1.6 : 3.5) * ratio * Math.min(3.5, Math.sqrt(Math.sqrt(buckets.at(place))));
    context.fillStyle = colours[facts.turns[q]];
    if (many && radius < 3 * ratio) context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
    else disc(context, x, y, radius);
  });
}

function disc(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

function pixelsOf(plot, facts) {
  const area = chartArea(plot);
  const pixels = (values, scale, from) => Float64Array.from(facts.order, (q) => Math.round(2 * (from + plot.valToPos(values[q], scale))) / 2);
  return [pixels(facts.a, "x", area.left), pixels(facts.b, "y", area.top)];
}

function placesOf(found) {
  return {
    label: "Queries by difference",
    ring: "point",
    box: (place) => ({ left: found.buckets.x[place] - 7, top: found.buckets.y[place] - 7, width: 14, height: 14 }),
    find: (left, top) => found.buckets.nearest(left, top),
    more: (place) => {
      const here = found.buckets.at(place);
      return here > 1 ? [["queries at this point", here.toLocaleString("en")]] : [];
    },
  };
}
