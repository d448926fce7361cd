// Chart: the value of every query of one system, sorted.

import { fixed } from "../format.js";
import { barPlaces, chartBars } from "./parts/bars.js";
import { chartSpan, chartTally } from "./parts/facts.js";
import { chartMeanAcross } from "./parts/ink.js";
import { chartPlot } from "./parts/plot.js";
import { queryTable, queryWalk } from "./parts/queries.js";
import { chartCount, chartSaid, chartShort, chartTurns } from "./parts/words.js";

export const valuesChart = {
  name: "values",
  needs: ["means"],
  byQuery: true,
  everyQuery: true,
  fits: (facts) => !facts.two && facts.order.length > 0,
  say: sayValues,
  draw(frame, facts) {
    const plot = frame.keep(plotValues(frame, facts));
    frame.walk(queryWalk(facts, { ...barPlaces(plot, facts.order.length), label: "Queries by value" }));
    queryTable(frame, facts);
  },
};

function sayValues(frame, facts) {
  const { order, b, measure, state } = facts;
  const { left } = chartTally(facts);
  const out = left ? ` ${chartCount(left, "query", "queries")} left out: no value.` : "";
  const zeros = chartCount(order.filter((q) => b[q] === 0).length, "query has", "queries have");
  const [best, worst] = [order[0], order.at(-1)].map((q) => fixed(b[q]));
  frame.say(
    "Values, query by query",
    [...chartSaid`Each bar is a query: ${measure.label} of ${state.system}, `, `${chartTurns(measure).best} first. ${zeros} 0.${out}`],
    () =>
      `Bars of ${chartCount(order.length, "query", "queries")}, ${measure.label} of ${state.system}: from ${best} to ` +
      `${worst}, ${measure.over} ${fixed(meanDrawn(facts))}.`,
  );
}

function plotValues(frame, facts) {
  const { ink } = frame;
  const { low, high } = chartSpan([facts.b], 0, facts.measure.highest ?? 0);
  return chartPlot(frame.picture, {
    width: frame.width,
    height: frame.tall,
    ink,
    x: {
      low: 0,
      high: facts.order.length,
      label: chartCount(facts.order.length, "query", "queries"),
      splits: [],
      size: 6,
      grid: false,
    },
    y: { low, high, label: chartShort(facts.measure.label, 24) },
    draw: (context, plot) => {
      chartBars(context, plot, facts.order, facts.b, () => ink.system);
      chartMeanAcross(context, plot, { mean: meanDrawn(facts), over: facts.measure.over }, ink.ink);
    },
  });
}

function meanDrawn({ means, measure, state }) {
  return means.find((row) => row.measure === measure.label && row.system === state.system)?.mean ?? null;
}
