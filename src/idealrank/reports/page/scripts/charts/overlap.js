// Chart: how much the first results of the two systems share, as two histograms.

import { fixed } from "../format.js";
import { chartElement, chartPut } from "./parts/element.js";
import { chartMeanDown } from "./parts/ink.js";
import { chartPlot, wholeTick } from "./parts/plot.js";
import { barPlaces } from "./parts/bars.js";
import { chartCell, chartSaid } from "./parts/words.js";

const SHARES = 20;
const OVERLAPS = [
  { key: "jaccard", title: "Jaccard" },
  { key: "rbo", title: "RBO" },
];

export const overlapChart = {
  name: "overlap",
  more: true,
  needs: ["overlap", "lists"],
  everyQuery: true,
  fits: (facts) => facts.two && overlapOf(facts) !== undefined,
  say: (frame, facts) => sayOverlap(frame, facts, countedOverlaps(facts)),
  draw(frame, facts) {
    const counted = countedOverlaps(facts);
    const most = Math.max(...counted.flatMap(({ counts }) => counts));
    for (const kind of counted) plotOverlap(frame, kind, most);
    frame.tell(["From", "To", ...OVERLAPS.map(({ title }) => title)], SHARES, (place) => [
      chartCell(place / SHARES),
      chartCell((place + 1) / SHARES),
      ...counted.map(({ counts }) => chartCell(counts[place], `${counts[place]}`)),
    ]);
  },
};

function countedOverlaps(facts) {
  const found = overlapOf(facts);
  const over = facts.queries.weight ? "weighted mean" : "mean";
  return OVERLAPS.map(({ key, title }) => ({ title, over, mean: found.summary[key], counts: histogram(found[key]) }));
}

function overlapOf({ overlap, state }) {
  const names = [state.baseline, state.system];
  return overlap.find((each) => names.includes(each.baseline) && names.includes(each.system));
}

// A step holds its lower end, whatever the product makes of its last bits; the last one holds 1, too.
function histogram(values) {
  const counts = new Array(SHARES).fill(0);
  for (const value of values) if (value !== null) counts[Math.min(SHARES - 1, Math.floor(value * SHARES + 1e-9))] += 1;
  return counts;
}

function sayOverlap(frame, { lists, state }, counted) {
  const means = counted.map(({ title, mean }) => `${title} ${fixed(mean)}`).join(", ");
  const first = `first ${lists.depth} results`;
  const [{ over }] = counted;
  frame.say(
    "What the two lists share",
    [
      ...chartSaid`Queries by how alike the ${first} of ${state.baseline} and ${state.system} are, from 0 to 1. `,
      "Jaccard: shared documents of all documents; RBO, rank-biased overlap, counts the top most.",
    ],
    () => `Two histograms of the overlap of the ${first}: ${over} ${means}.`,
  );
}

function plotOverlap(frame, kind, most) {
  const half = chartElement(frame.picture, "div", "chart-half");
  frame.picture.classList.add("chart-halves");
  const width = Math.floor(frame.narrow ? frame.width : (frame.width - 12) / 2);
  const plot = frame.keep(
    chartPlot(half, {
      width,
      height: frame.narrow ? 180 : frame.height,
      ink: frame.ink,
      x: {
        low: 0,
        high: 1,
        label: kind.title,
        splits: [0, 0.25, 0.5, 0.75, 1],
        grid: false,
        text: (value) => `${value}`,
      },
      y: { low: 0, high: most * 1.15, label: "queries", text: wholeTick },
      draw: (context, plot) => drawOverlap(context, plot, kind, frame.ink),
    }),
  );
  const over = chartElement(frame.plot, "div", "chart-over");
  const [from, to] = [frame.plot.getBoundingClientRect(), half.getBoundingClientRect()];
  chartPut(over, { left: to.left - from.left, top: to.top - from.top, width: to.width, height: to.height });
  frame.walk(
    {
      count: SHARES,
      label: `Steps of ${kind.title}`,
      ...barPlaces(plot, SHARES),
      tell: (step) => tellOverlap(kind, step),
    },
    over,
  );
}

function drawOverlap(context, plot, { counts, mean, over }, ink) {
  const { left, top, width, height } = plot.bbox;
  const step = width / SHARES;
  context.fillStyle = ink.muted;
  counts.forEach((count, i) => {
    const y = plot.valToPos(count, "y", true);
    context.fillRect(left + i * step + 0.08 * step, y, 0.84 * step, top + height - y);
  });
  chartMeanDown(context, plot, { mean, over }, ink.ink);
}

function tellOverlap({ title, counts }, step) {
  return {
    text: `${title} ${fixed(step / SHARES)} to ${fixed((step + 1) / SHARES)}`,
    rows: [["queries", counts[step].toLocaleString("en")]],
  };
}
