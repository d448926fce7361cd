// Charts of a bar a query, sorted: the differences of two systems, the values of one.

import { turnInks } from "./colours.js";
import { barPlaces, drawBars, drawLine, drawMeanAcross, drawText, makePlot } from "./drawing.js";
import { countOf, queryTable, queryWalk, sentence, shortenText, spanOf, tallyOf, turnWords } from "./series.js";
import { fixed, glyph, minus, signedText } from "../format.js";

export const differencesChart = {
  name: "differences",
  needs: [],
  byQuery: true,
  everyQuery: true,
  fits: (facts) => facts.two && facts.order.length > 0,
  say: (frame, facts) => sayDifferences(frame, facts, tallyOf(facts)),
  draw(frame, facts) {
    const plot = frame.keep(plotDifferences(frame, facts, tallyOf(facts)));
    frame.walk(queryWalk(facts, { ...barPlaces(plot, facts.order.length), label: "Queries by difference" }));
    queryTable(frame, facts);
  },
};

function sayDifferences(frame, facts, { wins, ties, losses, left }) {
  const { order, difference, measure, state } = facts;
  const { gains, losses: lost, first } = turnWords(measure);
  const counted = [["▲", wins, gains], ["=", ties, ["tie", "ties"]], ["▼", losses, lost]];
  const counts = counted.map(([sign, count, nouns]) => `${sign}\u00a0${countOf(count, ...nouns)}`).join(", ");
  const out = left ? ` ${countOf(left, "query", "queries")} left out: no value for one of the two.` : "";
  const queries = countOf(order.length, "query", "queries");
  const [best, worst] = [order[0], order.at(-1)].map((q) => signedText(difference[q]));
  const says = sentence`Each bar is a query: ${measure.label} of ${state.system} minus that of ${state.baseline}, `;
  frame.say(
    measure.direction === "count" ? "Differences, query by query" : "Gains and losses, query by query",
    [...says, `${first}. ${counts}.${out}`],
    () => `Bars of ${queries}, ${measure.label}, ${state.system} minus ${state.baseline}: ${counts}; ${best} to ${worst}.`,
  );
}

function plotDifferences(frame, facts, tally) {
  const { ink } = frame;
  const { low, high } = differenceRange(facts);
  return makePlot(frame.picture, {
    width: frame.width,
    height: frame.tall,
    ink,
    x: {
      low: 0,
      high: facts.order.length,
      label: countOf(facts.order.length, "query", "queries"),
      splits: [],
      size: 6,
      grid: false,
    },
    y: { low, high, label: `difference in ${shortenText(facts.measure.label, 24)}`, text: signedTick, size: 54 },
    draw: (context, plot) => drawDifferences(context, plot, facts, ink, tally),
  });
}

function drawDifferences(context, plot, facts, ink, tally) {
  const colours = turnInks(ink, facts.measure);
  const { left, width } = plot.bbox;
  const zero = Math.round(plot.valToPos(0, "y", true)) + 0.5;
  drawLine(
    context,
    [
      [left, zero],
      [left + width, zero],
    ],
    ink.axis,
  );
  drawBars(context, plot, facts.order, facts.difference, (q) => colours[facts.turns[q]]);
  drawTally(context, plot, facts, ink, tally);
}

// Gains stand on the left, losses on the right: their counts stand opposite, where there is no bar.
function drawTally(context, { bbox }, { measure }, ink, { wins, losses }) {
  const bases = measure.direction === "lower" ? ["bottom", "top"] : ["top", "bottom"];
  const y = { top: bbox.top, bottom: bbox.top + bbox.height };
  const about = { size: 13, gap: 6 };
  if (wins) drawText(context, `${glyph(1)} ${wins.toLocaleString("en")}`, [bbox.left + bbox.width, y[bases[0]]], {
    ...about,
    colour: turnInks(ink, measure)[1],
    side: "right",
    base: bases[0],
  });
  if (losses) drawText(context, `${glyph(-1)} ${losses.toLocaleString("en")}`, [bbox.left, y[bases[1]]], {
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

// Chart: the value of every query of one system, sorted.

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
  const { left } = tallyOf(facts);
  const out = left ? ` ${countOf(left, "query", "queries")} left out: no value.` : "";
  const zeros = countOf(order.filter((q) => b[q] === 0).length, "query has", "queries have");
  const [best, worst] = [order[0], order.at(-1)].map((q) => fixed(b[q]));
  frame.say(
    "Values, query by query",
    [...sentence`Each bar is a query: ${measure.label} of ${state.system}, `, `${turnWords(measure).best} first. ${zeros} 0.${out}`],
    () =>
      `Bars of ${countOf(order.length, "query", "queries")}, ${measure.label} of ${state.system}: from ${best} to ` +
      `${worst}, ${measure.over} ${fixed(meanToDraw(facts))}.`,
  );
}

function plotValues(frame, facts) {
  const { ink } = frame;
  const { low, high } = spanOf([facts.b], 0, facts.measure.highest ?? 0);
  return makePlot(frame.picture, {
    width: frame.width,
    height: frame.tall,
    ink,
    x: {
      low: 0,
      high: facts.order.length,
      label: countOf(facts.order.length, "query", "queries"),
      splits: [],
      size: 6,
      grid: false,
    },
    y: { low, high, label: shortenText(facts.measure.label, 24) },
    draw: (context, plot) => {
      drawBars(context, plot, facts.order, facts.b, () => ink.system);
      drawMeanAcross(context, plot, { mean: meanToDraw(facts), over: facts.measure.over }, ink.ink);
    },
  });
}

function meanToDraw({ means, measure, state }) {
  return means.find((row) => row.measure === measure.label && row.system === state.system)?.mean ?? null;
}
