// Charts of how many queries have which value, and of how much the lists of the two systems share.

import { barPlaces, drawLine, drawMeanDown, makePlot, plotArea, wholeTick } from "./drawing.js";
import { countOf, legendOf, numberCell, sentence, shortenText, systemLooks } from "./series.js";
import { element, putAt } from "../elements.js";
import { fixed } from "../format.js";

export const distributionChart = {
  name: "distribution",
  more: true,
  needs: ["distributions", "means"],
  fits: (facts) => facts.distributions[facts.state.measure] !== undefined && facts.order.length > 0,
  say: (frame, facts) => saySteps(frame, facts, stepsIn(frame, facts)),
  draw(frame, facts) {
    const steps = stepsIn(frame, facts);
    const { edges, systems } = steps;
    const plot = frame.keep(plotSteps(frame, facts, steps));
    const tell = (place) => tellStep(steps, place);
    frame.walk({ count: edges.length - 1, label: "Steps of the value", ...stepPlaces(plot, edges), tell });
    frame.below.append(...(facts.systems.length > 1 ? [legendOf(systems)] : []), quartileList(steps.words));
    tableSteps(frame, facts, steps);
  },
};

function stepsIn({ ink }, facts) {
  const { edges, counts, describe } = facts.distributions[facts.state.measure];
  const systems = systemLooks(facts, ink);
  const named = systems.filter((each) => each.role !== "other").reverse();
  return { edges, counts, systems, named, words: named.map(({ name }) => quartiles(name, describe, facts)) };
}

function tableSteps(frame, { systems }, { edges, counts }) {
  frame.tell(["From", "To", ...systems], edges.length - 1, (place) => [
    numberCell(edges[place]),
    numberCell(edges[place + 1]),
    ...systems.map((name) => numberCell(counts[name][place], `${counts[name][place]}`)),
  ]);
}

function saySteps(frame, facts, { edges, words }) {
  const { label } = facts.measure;
  frame.say(
    `Distribution of ${label}`,
    [`Number of queries by their value, in ${edges.length - 1} steps; two humps mean two kinds of queries.`],
    () => `Steps of ${label}: ${words.map(({ name, text }) => `${name}: ${text}`).join("; ")}.`,
  );
}

function quartiles(name, describe, facts) {
  const row = describe.find((each) => facts.systems.length === 1 || each.system === name);
  if (!row) return { name, text: "no values" };
  const { over, label } = facts.measure;
  const { mean } = facts.means.find((each) => each.measure === label && each.system === name);
  const [low, median, high] = ["25%", "50%", "75%"].map((key) => fixed(row[key]));
  const once = facts.queries.weight ? "; each query counted once: " : ", ";
  const middle = over === "median" ? "" : `${once}median ${median}`;
  return { name, text: `${over} ${fixed(mean)}${middle}, half of the queries from ${low} to ${high}` };
}

function quartileList(words) {
  return element("ul", { class: "chart-words" }, ...words.map(({ name, text }) => element("li", {}, element("bdi", {}, name), `: ${text}`)));
}

function plotSteps(frame, facts, steps) {
  const { ink } = frame;
  const { edges, counts, systems } = steps;
  const most = Math.max(1, ...Object.values(counts).flat());
  return makePlot(frame.picture, {
    width: frame.width,
    height: frame.height,
    ink,
    x: { low: edges[0], high: edges.at(-1), label: shortenText(facts.measure.label, 24), grid: false },
    y: { low: 0, high: most * 1.06, label: "queries", text: wholeTick },
    draw: (context, plot) => {
      for (const each of systems) drawSteps(context, plot, steps, each);
    },
  });
}

function drawSteps(context, plot, { edges, counts }, { name, colour, width, dash, role }) {
  const [y, zero] = [(value) => plot.valToPos(value, "y", true), plot.valToPos(0, "y", true)];
  const x = edges.map((edge) => plot.valToPos(edge, "x", true));
  const outline = counts[name].flatMap((count, i) => [
    [x[i], y(count)],
    [x[i + 1], y(count)],
  ]);
  const whole = [[x[0], zero], ...outline, [x.at(-1), zero]];
  if (role === "system") stepArea(context, whole, colour);
  drawLine(context, whole, colour, width, dash);
}

function stepArea(context, places, colour) {
  context.save();
  Object.assign(context, { fillStyle: colour, globalAlpha: 0.14 });
  context.beginPath();
  for (const [x, y] of places) context.lineTo(x, y);
  context.fill();
  context.restore();
}

function stepPlaces(plot, edges) {
  const around = plotArea(plot);
  const step = around.width / (edges.length - 1);
  return {
    box: (place) => ({ left: around.left + place * step, top: around.top, width: step, height: around.height }),
    find: (left) => {
      const place = Math.floor((left - around.left) / step);
      return place >= 0 && place < edges.length - 1 ? place : -1;
    },
  };
}

function tellStep({ edges, counts, named }, place) {
  const rows = named.map(({ name }) => [name, countOf(counts[name][place], "query", "queries")]);
  return { text: `${fixed(edges[place])} to ${fixed(edges[place + 1])}`, rows };
}

// Chart: how much the first results of the two systems share, as two histograms.

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
  say: (frame, facts) => sayOverlap(frame, facts, countOverlaps(facts)),
  draw(frame, facts) {
    const counted = countOverlaps(facts);
    const most = Math.max(...counted.flatMap(({ counts }) => counts));
    for (const kind of counted) plotOverlap(frame, kind, most);
    frame.tell(["From", "To", ...OVERLAPS.map(({ title }) => title)], SHARES, (place) => [
      numberCell(place / SHARES),
      numberCell((place + 1) / SHARES),
      ...counted.map(({ counts }) => numberCell(counts[place], `${counts[place]}`)),
    ]);
  },
};

function countOverlaps(facts) {
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
      ...sentence`Queries by how alike the ${first} of ${state.baseline} and ${state.system} are, from 0 to 1. `,
      "Jaccard: shared documents of all documents; RBO, rank-biased overlap, counts the top most.",
    ],
    () => `Two histograms of the overlap of the ${first}: ${over} ${means}.`,
  );
}

function plotOverlap(frame, kind, most) {
  const half = element("div", { class: "chart-half" });
  frame.picture.append(half);
  frame.picture.classList.add("chart-halves");
  const width = Math.floor(frame.narrow ? frame.width : (frame.width - 12) / 2);
  const plot = frame.keep(
    makePlot(half, {
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
      draw: (context, drawn) => drawOverlap(context, drawn, kind, frame.ink),
    }),
  );
  const over = element("div", { class: "chart-over" });
  frame.plot.append(over);
  const [from, to] = [frame.plot.getBoundingClientRect(), half.getBoundingClientRect()];
  putAt(over, { left: to.left - from.left, top: to.top - from.top, width: to.width, height: to.height });
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
  drawMeanDown(context, plot, { mean, over }, ink.ink);
}

function tellOverlap({ title, counts }, step) {
  return {
    text: `${title} ${fixed(step / SHARES)} to ${fixed((step + 1) / SHARES)}`,
    rows: [["queries", counts[step].toLocaleString("en")]],
  };
}
