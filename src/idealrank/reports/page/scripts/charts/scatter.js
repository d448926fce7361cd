// Chart: one system against the other, a point a query.

import { turnInks } from "./colours.js";
import { drawLine, makePlot, pixelRatio, placeOf, PointBuckets, writeInCorner } from "./drawing.js";
import { countOf, queryTable, queryWalk, sentence, shortenSystem, shortenText, spanOf, tallyOf, turnWords } from "./series.js";

const MANY_POINTS = 2000;

export const scatterChart = {
  name: "scatter",
  needs: [],
  byQuery: true,
  everyQuery: true,
  fits: (facts) => facts.two && facts.order.length > 0,
  say: (frame, facts) => sayScatter(frame, facts, tallyOf(facts)),
  draw(frame, facts) {
    const found = {};
    frame.keep(plotScatter(frame, facts, found));
    frame.walk(queryWalk(facts, pointPlaces(found)));
    queryTable(frame, facts);
  },
};

function sayScatter(frame, facts, { wins, ties, losses }) {
  const [a, b] = [facts.state.baseline, facts.state.system];
  const { better } = turnWords(facts.measure);
  const side = facts.measure.direction === "lower" ? "Below" : "Above";
  const queries = countOf(facts.order.length, "query", "queries");
  frame.say(
    "One against the other",
    [
      ...sentence`Each point is a query: ${a} on the x-axis, ${b} on the y-axis. ${side} the diagonal ${b} is ${better}; `,
      "a large point is several queries.",
    ],
    () =>
      `Points of ${queries}, ${facts.measure.label} of ${a} across and of ${b} up: ` +
      `${wins} ${better} with ${b}, ${ties} equal, ${losses} ${better} with ${a}.`,
  );
}

function plotScatter(frame, facts, found) {
  const { ink } = frame;
  const { low, high } = squareSpan(facts);
  const room = (high - low) * 0.04;
  const axis = { low: low - room, high: high + room };
  const label = shortenText(facts.measure.label, 24);
  return makePlot(frame.picture, {
    width: frame.width,
    height: frame.tall,
    ink,
    x: { ...axis, label: `${shortenSystem(facts.state.baseline, 24, facts.systems)}, ${label}` },
    y: { ...axis, label: `${shortenSystem(facts.state.system, 24, facts.systems)}, ${label}` },
    draw: (context, plot) => {
      found.buckets ??= new PointBuckets(...pointPixels(plot, facts));
      drawScatter(context, plot, facts, ink, found.buckets);
    },
  });
}

// Both axes are alike, and end at tenths of what they span.
function squareSpan({ a, b }) {
  const { low, high } = spanOf([a, b]);
  const step = 10 ** Math.floor(Math.log10(high - low));
  return { low: Math.floor(low / step + 1e-9) * step, high: Math.ceil(high / step - 1e-9) * step };
}

function drawScatter(context, plot, facts, ink, buckets) {
  const { left, top, width, height } = plot.bbox;
  const corners = [
    [left, top + height],
    [left + width, top],
  ];
  drawLine(context, corners, ink.axis, 1.25, [5, 4]);
  const names = [facts.state.system, facts.state.baseline].map(
    (name) => `${shortenSystem(name, 20, facts.systems)} ${turnWords(facts.measure).better}`,
  );
  if (facts.measure.direction === "lower") names.reverse();
  const points = Array.from(buckets.x, (x, i) => [x * pixelRatio(), buckets.y[i] * pixelRatio()]);
  [1, -1].forEach((corner, i) => writeInCorner(context, plot, names[i], { corner, points, colour: ink.muted }));
  drawPoints(context, plot, facts, ink, buckets);
}

// Many points are small and let those below shine through.
function drawPoints(context, plot, facts, ink, buckets) {
  const ratio = pixelRatio();
  const many = facts.order.length > MANY_POINTS;
  const colours = turnInks(ink, facts.measure);
  context.save();
  context.globalAlpha = many ? 0.4 : 0.75;
  const seen = new Set();
  facts.order.forEach((q, place) => {
    const [x, y] = [buckets.x[place] * ratio, buckets.y[place] * ratio];
    if (seen.has(buckets.place(place))) return;
    seen.add(buckets.place(place));
    const radius = (many ? 1.6 : 3.5) * ratio * Math.min(3.5, Math.sqrt(Math.sqrt(buckets.at(place))));
    context.fillStyle = colours[facts.turns[q]];
    if (many && radius < 3 * ratio) context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
    else drawDisc(context, x, y, radius);
  });
  context.restore();
}

function drawDisc(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

// To halves of a pixel: points that cannot be told apart are one.
function pointPixels(plot, { order, a, b }) {
  const pixels = (values, scale) => {
    const [zero, one] = [0, 1].map((value) => placeOf(plot, value, scale));
    return Float64Array.from(order, (q) => Math.round(2 * (zero + values[q] * (one - zero))) / 2);
  };
  return [pixels(a, "x"), pixels(b, "y")];
}

function pointPlaces(found) {
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
