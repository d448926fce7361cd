// Chart: how many queries have which value, a line a system.

import { fixed } from "../format.js";
import { chartLine } from "./parts/ink.js";
import { chartArea, chartPlot, wholeTick } from "./parts/plot.js";
import { chartLegend, chartSystems } from "./parts/systems.js";
import { chartCell, chartCount, chartShort } from "./parts/words.js";

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
    frame.below.append(...(facts.systems.length > 1 ? [chartLegend(systems)] : []), quartileList(steps.words));
    tableSteps(frame, facts, steps);
  },
};

function stepsIn({ ink }, facts) {
  const { edges, counts, describe } = facts.distributions[facts.state.measure];
  const systems = chartSystems(facts, ink);
  const named = systems.filter((each) => each.role !== "other").reverse();
  return { edges, counts, systems, named, words: named.map(({ name }) => quartiles(name, describe, facts)) };
}

function tableSteps(frame, { systems }, { edges, counts }) {
  frame.tell(["From", "To", ...systems], edges.length - 1, (place) => [
    chartCell(edges[place]),
    chartCell(edges[place + 1]),
    ...systems.map((name) => chartCell(counts[name][place], `${counts[name][place]}`)),
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
  const list = document.createElement("ul");
  list.className = "chart-words";
  for (const { name, text } of words) {
    const [item, inner] = [document.createElement("li"), document.createElement("bdi")];
    inner.textContent = name;
    item.append(inner, `: ${text}`);
    list.append(item);
  }
  return list;
}

function plotSteps(frame, facts, steps) {
  const { ink } = frame;
  const { edges, counts, systems } = steps;
  const most = Math.max(1, ...Object.values(counts).flat());
  return chartPlot(frame.picture, {
    width: frame.width,
    height: frame.height,
    ink,
    x: { low: edges[0], high: edges.at(-1), label: chartShort(facts.measure.label, 24), grid: false },
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
  chartLine(context, whole, colour, width, dash);
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
  const around = chartArea(plot);
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
  const rows = named.map(({ name }) => [name, chartCount(counts[name][place], "query", "queries")]);
  return { text: `${fixed(edges[place])} to ${fixed(edges[place + 1])}`, rows };
}
