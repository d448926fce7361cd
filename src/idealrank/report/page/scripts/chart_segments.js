// Chart: difference or mean by segment, with its interval.

import { fixed, glyph, signed, turn } from "./format.js";
import { chartLine } from "./chart_ink.js";
import { chartPixels } from "./chart_pixels.js";
import { chartArea, chartAt, chartPlot } from "./chart_plot.js";
import { chartChooser } from "./chart_chooser.js";
import { chartMarker } from "./chart_systems.js";
import { chartCell, chartName, chartShort } from "./chart_words.js";

const SEGMENT_HEIGHT = 34;

export const segmentsChart = {
  name: "segments",
  needs: ["segments", "compared"],
  fits: (facts) => Object.keys(segmentRows(facts)).length > 0,
  draw(frame, facts) {
    const found = segmentRows(facts);
    const names = Object.keys(found);
    frame.memory.attribute = names.includes(frame.memory.attribute) ? frame.memory.attribute : names[0];
    chartChooser(frame, "Segments by", names, "attribute");
    const rows = found[frame.memory.attribute];
    const differs = rows[0].difference !== undefined;
    saySegments(frame, facts, rows, differs);
    const plot = frame.keep(plotSegments(frame, facts, rows, differs));
    frame.walk({ count: rows.length, label: "Segments", ...segmentPlaces(plot, rows.length), tell: (place) => tellSegment(rows[place], facts) });
    tableSegments(frame, rows, differs);
  },
};

// Rows by attribute: of the pair, where it is compared; else the means of the system.
function segmentRows({ segments, state, two, measure }) {
  const ours = (row) => row.measure === measure.label && row.system === state.system;
  const differences = two ? segments.differences.filter((row) => ours(row) && row.baseline === state.baseline) : [];
  const rows = differences.length ? differences : segments.means.filter(ours);
  const groups = Object.create(null); // an attribute may be called like what every object has
  for (const row of rows) (groups[row.attribute] ??= []).push(row);
  return groups;
}

function saySegments(frame, facts, rows, differs) {
  const { measure, state, segments } = facts;
  const level = Math.round(100 * (facts.compared?.level ?? 0.95));
  const made = Object.hasOwn(segments.made, frame.memory.attribute) ? segments.made[frame.memory.attribute] : "";
  const of = differs ? [chartName(state.system), " minus ", chartName(state.baseline)] : [chartName(state.system)];
  const told = rows.map((row) => `${row.segment} ${differs ? signed(row.difference) : fixed(row.mean)}`).join(", ");
  frame.say(
    differs ? `Difference in ${measure.label} by segment` : `${measure.label} by segment`,
    [...of, `: the mean of each segment with its ${level}% interval`, ...(differs ? ["; a hollow mark has 0 within its interval"] : []), `.${made ? ` Segments: ${made}.` : ""}`],
    `${differs ? "Differences" : "Means"} in ${measure.label} by ${frame.memory.attribute}: ${told}.`,
  );
}

function plotSegments(frame, facts, rows, differs) {
  const { ink } = frame;
  const most = frame.narrow ? 12 : 20;
  const names = rows.map((row) => `${chartShort(row.segment, most)} (${row.queries.toLocaleString("en")})`);
  const { low, high } = spanOfRows(rows, differs);
  return chartPlot(frame.picture, {
    width: frame.width, height: Math.max(frame.narrow ? 160 : 200, rows.length * SEGMENT_HEIGHT + 60), ink,
    x: { low, high, label: `${differs ? "difference in" : "mean"} ${chartShort(facts.measure.label, 24)}` },
    y: { low: -0.6, high: rows.length - 0.4, down: true, splits: names.map((_, i) => i), text: (i) => names[i] ?? "", grid: false, size: 10 + 6.4 * Math.max(...names.map((name) => name.length)) },
    draw: (context, plot) => {
      const [zero, { top, height }] = [plot.valToPos(0, "x", true), plot.bbox];
      if (differs) chartLine(context, [[zero, top], [zero, top + height]], ink.axis, 1.25);
      rows.forEach((row, i) => drawSegment(context, plot, row, i, facts, ink));
    },
  });
}

function spanOfRows(rows, differs) {
  const all = rows.flatMap((row) => [row.low, row.high, differs ? row.difference : row.mean]).filter((value) => value !== null);
  const [low, high] = [Math.min(...all, ...(differs ? [0] : [])), Math.max(...all, ...(differs ? [0] : []))];
  const room = (high - low || 0.1) * 0.06;
  return { low: low - room, high: high + room };
}

function drawSegment(context, plot, row, i, facts, ink) {
  const ratio = chartPixels();
  const [x, y] = [(value) => plot.valToPos(value, "x", true), plot.valToPos(i, "y", true)];
  const value = row.difference ?? row.mean;
  const clear = row.difference === undefined || (row.low !== null && (row.low > 0 || row.high < 0));
  const turned = row.difference === undefined ? null : turn(value, facts.measure.direction);
  const colour = turned === null ? ink.system : turned > 0 ? ink.gain : turned < 0 ? ink.loss : ink.tie;
  if (value === null) return;
  if (row.low !== null) {
    chartLine(context, [[x(row.low), y], [x(row.high), y]], colour, 1.75);
    for (const end of [row.low, row.high]) chartLine(context, [[x(end), y - 4 * ratio], [x(end), y + 4 * ratio]], colour, 1.75);
  }
  chartMarker(context, "disc", x(value), y, 5.5 * ratio, colour);
  if (!clear) chartMarker(context, "disc", x(value), y, 3.5 * ratio, ink.ground);
}

function segmentPlaces(plot, count) {
  const area = chartArea(plot);
  const at = (place) => chartAt(plot, place, "y");
  return {
    box: (place) => ({ left: area.left, top: at(place) - SEGMENT_HEIGHT / 2, width: area.width, height: SEGMENT_HEIGHT }),
    find: (_, top) => {
      const place = Math.floor((top - at(0)) / (count > 1 ? at(1) - at(0) : area.height) + 0.5);
      return place >= 0 && place < count ? place : -1;
    },
  };
}

function tellSegment(row, facts) {
  const without = row.low === null ? row.note || "none" : null;
  if (row.difference === undefined) {
    return { text: row.segment, rows: [["mean", fixed(row.mean)], ["interval", without ?? `${fixed(row.low)} to ${fixed(row.high)}`], ["queries", row.queries.toLocaleString("en")]] };
  }
  return {
    text: row.segment,
    rows: [
      [row.baseline, fixed(row["baseline mean"])],
      [row.system, fixed(row.mean)],
      ["difference", `${glyph(turn(row.difference, facts.measure.direction))} ${signed(row.difference)}`],
      ["interval", without ?? `${signed(row.low)} to ${signed(row.high)}`],
      ["queries", row.queries.toLocaleString("en")],
      ["▲ = ▼", `${row.wins}, ${row.ties}, ${row.losses}`],
    ],
  };
}

function tableSegments(frame, rows, differs) {
  const means = (row) => (differs ? [chartCell(row["baseline mean"]), chartCell(row.mean), chartCell(row.difference, signed(row.difference))] : [chartCell(row.mean)]);
  const heads = differs ? [rows[0].baseline, rows[0].system, "Difference"] : ["Mean"];
  const sign = differs ? signed : fixed;
  frame.tell(["Segment", "Queries", ...heads, "Low", "High"], rows.length, (i) => {
    const row = rows[i];
    return [row.segment, chartCell(row.queries, `${row.queries}`), ...means(row), chartCell(row.low, sign(row.low)), chartCell(row.high, sign(row.high))];
  });
}
