// Chart: the difference of every query, sorted, gains and losses around zero.

import { glyph, minus, signed } from "../format.js";
import { barPlaces, chartBars } from "./parts/bars.js";
import { chartTally } from "./parts/facts.js";
import { chartLine, chartWords } from "./parts/ink.js";
import { chartPlot } from "./parts/plot.js";
import { queryTable, queryWalk } from "./parts/queries.js";
import { turnInks } from "./parts/theme.js";
import { chartCount, chartSaid, chartShort, chartTurns } from "./parts/words.js";

export const differencesChart = {
  name: "differences",
  needs: [],
  byQuery: true,
  everyQuery: true,
  fits: (facts) => facts.two && facts.order.length > 0,
  say: (frame, facts) => sayDifferences(frame, facts, chartTally(facts)),
  draw(frame, facts) {
    const plot = frame.keep(plotDifferences(frame, facts, chartTally(facts)));
    frame.walk(queryWalk(facts, { ...barPlaces(plot, facts.order.length), label: "Queries by difference" }));
    queryTable(frame, facts);
  },
};

function sayDifferences(frame, facts, { wins, ties, losses, left }) {
  const { order, difference, measure, state } = facts;
  const { gains, losses: lost, first } = chartTurns(measure);
  const counted = [["▲", wins, gains], ["=", ties, ["tie", "ties"]], ["▼", losses, lost]];
  const counts = counted.map(([sign, count, nouns]) => `${sign}\u00a0${chartCount(count, ...nouns)}`).join(", ");
  const out = left ? ` ${chartCount(left, "query", "queries")} left out: no value for one of the two.` : "";
  const queries = chartCount(order.length, "query", "queries");
  const [best, worst] = [order[0], order.at(-1)].map((q) => signed(difference[q]));
  const says = chartSaid`Each bar is a query: ${measure.label} of ${state.system} minus that of ${state.baseline}, `;
  frame.say(
    measure.direction === "count" ? "Differences, query by query" : "Gains and losses, query by query",
    [...says, `${first}. ${counts}.${out}`],
    () => `Bars of ${queries}, ${measure.label}, ${state.system} minus ${state.baseline}: ${counts}; ${best} to ${worst}.`,
  );
}

function plotDifferences(frame, facts, tally) {
  const { ink } = frame;
  const { low, high } = differenceRange(facts);
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
    y: { low, high, label: `difference in ${chartShort(facts.measure.label, 24)}`, text: signedTick, size: 54 },
    draw: (context, plot) => drawDifferences(context, plot, facts, ink, tally),
  });
}

function drawDifferences(context, plot, facts, ink, tally) {
  const colours = turnInks(ink, facts.measure);
  const { left, width } = plot.bbox;
  const zero = Math.round(plot.valToPos(0, "y", true)) + 0.5;
  chartLine(
    context,
    [
      [left, zero],
      [left + width, zero],
    ],
    ink.axis,
  );
  chartBars(context, plot, facts.order, facts.difference, (q) => colours[facts.turns[q]]);
  drawTally(context, plot, facts, ink, tally);
}

// Gains stand on the left, losses on the right: their counts stand opposite, where there is no bar.
function drawTally(context, { bbox }, { measure }, ink, { wins, losses }) {
  const bases = measure.direction === "lower" ? ["bottom", "top"] : ["top", "bottom"];
  const y = { top: bbox.top, bottom: bbox.top + bbox.height };
  const about = { size: 13, gap: 6 };
  if (wins) chartWords(context, `${glyph(1)} ${wins.toLocaleString("en")}`, [bbox.left + bbox.width, y[bases[0]]], {
    ...about,
    colour: turnInks(ink, measure)[1],
    side: "right",
    base: bases[0],
  });
  if (losses) chartWords(context, `${glyph(-1)} ${losses.toLocaleString("en")}`, [bbox.left, y[bases[1]]], {
    ...about,
    colour: turnInks(ink, measure)[-1],
    side: "left",
    base: bases[1],
  });
}

function differenceRange(facts) {
  const ends = [facts.order[0], facts.order.at(-1)].map((q) => facts.difference[q]);
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const room = (high - low || 0.2) * 0.06;
  return { low: low - room, high: high + room };
}

function signedTick(value) {
  return Math.abs(value) < 1e-9 ? "0" : minus(`${value > 0 ? "+" : ""}${Number(value.toPrecision(6))}`);
}
