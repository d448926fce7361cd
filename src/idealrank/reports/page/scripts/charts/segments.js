// Chart: difference or mean by segment, with its interval.

import { turnInks } from "./colours.js";
import { axisLimits, beyondAxis, drawLine, makePlot, pixelRatio, placeOf, plotArea } from "./drawing.js";
import { putChooser } from "./frame.js";
import { drawMarker, numberCell, sentence, shortenText } from "./series.js";
import { changeText, fixed, signedText, turn } from "../format.js";

const SEGMENT_HEIGHT = 34;

export const segmentsChart = {
  name: "segments",
  needs: ["segments", "compared"],
  fits: (facts) => segmentRows(facts).rows.length > 0,
  say: (frame, facts) => saySegments(frame, facts, shownSegments(frame, facts)),
  draw(frame, facts) {
    const segments = shownSegments(frame, facts);
    const { shown, differs } = segments;
    const plot = frame.keep(plotSegments(frame, facts, segments));
    const tell = (place) => ({ text: shown[place].segment, rows: segmentTip(shown[place], facts, differs) });
    frame.walk({ count: shown.length, label: "Segments", ...segmentPlaces(plot, shown.length), tell });
    tableSegments(frame, shown, differs);
  },
};

// The segments of the attribute chosen, and how far their axis goes.
function shownSegments(frame, facts) {
  const { rows, differs } = segmentRows(facts);
  const names = [...new Set(rows.map((row) => row.attribute))];
  frame.memory.attribute = names.includes(frame.memory.attribute) ? frame.memory.attribute : names[0];
  putChooser(frame, "Segments by", names, "attribute");
  const shown = rows.filter((row) => row.attribute === frame.memory.attribute);
  return { shown, differs, span: axisLimits(shown, facts.measure, differs) };
}

// The differences of the pair, where it is compared; else the means of the system. `value` is what is drawn.
function segmentRows({ segments, state, two, measure }) {
  const ours = (row) => row.measure === measure.label && row.system === state.system;
  const differences = two ? segments.differences.filter((row) => ours(row) && row.baseline === state.baseline) : [];
  const differs = differences.length > 0;
  const rows = differs ? differences : segments.means.filter(ours);
  return { differs, rows: rows.map((row) => ({ ...row, value: differs ? row.difference : row.mean })) };
}

function saySegments(frame, facts, { shown: rows, differs, span }) {
  const { measure, state, segments, compared } = facts;
  const level = Number((100 * (compared?.level ?? 0.95)).toPrecision(4));
  const made = Object.hasOwn(segments.made, frame.memory.attribute) ? segments.made[frame.memory.attribute] : "";
  const number = differs ? signedText : fixed;
  const told = rows.map((row) => `${shortenText(row.segment, 40)} ${number(row.value)}`).join(", ");
  frame.say(
    differs ? `Difference in ${measure.label} by segment` : `${measure.label} by segment`,
    [
      ...(differs ? sentence`${state.system} minus ${state.baseline}` : sentence`${state.system}`),
      `: the ${segmentOver(facts, differs)} of each segment with its ${level}% interval`,
      differs ? ". A hollow mark: the interval includes 0." : ".",
      rows.some((row) => beyondAxis(row, span).some(Boolean)) ? " An arrow: the interval goes on beyond the axis." : "",
      made ? ` Segments: ${made}.` : "",
    ],
    () => `${differs ? "Differences" : "Means"} in ${measure.label} by ${frame.memory.attribute}: ${told}.`,
  );
}

// A difference is a mean, whatever the measure's own values are averaged by.
function segmentOver({ measure, queries }, differs) {
  return differs ? (queries.weight ? "weighted mean" : "mean") : measure.over;
}

function plotSegments(frame, facts, { shown: rows, differs, span }) {
  const { ink, narrow } = frame;
  const names = rows.map((row) => `${shortenText(row.segment, narrow ? 12 : 20)} (${row.queries.toLocaleString("en")})`);
  const longest = Math.max(...names.map((name) => name.length));
  return makePlot(frame.picture, {
    width: frame.width,
    height: Math.max(narrow ? 160 : 200, rows.length * SEGMENT_HEIGHT + 60),
    ink,
    x: {
      ...span,
      label: `${differs ? "difference in" : facts.measure.over} ${shortenText(facts.measure.label, 24)}`,
    },
    y: {
      low: -0.6,
      high: rows.length - 0.4,
      down: true,
      splits: [...names.keys()],
      text: (i) => names[i],
      grid: false,
      size: 10 + 6.4 * longest,
    },
    draw: (context, plot) => {
      const { top, height } = plot.bbox;
      const zero = plot.valToPos(0, "x", true);
      if (differs) drawLine(context, [[zero, top], [zero, top + height]], ink.axis, 1.25);
      rows.forEach((row, i) => drawSegment(context, plot, { row, i, span }, segmentInk(row, facts, ink, differs)));
    },
  });
}

// A mark is hollow where the interval of a difference holds 0, or where there is none.
function segmentInk({ value, low, high }, { measure }, ink, differs) {
  const turned = turn(value, measure.direction);
  const hollow = differs && (low === null || (low <= 0 && high >= 0));
  const colour = differs ? turnInks(ink, measure)[turned] : ink.system;
  return { colour, inner: hollow ? ink.ground : colour };
}

function drawSegment(context, plot, { row, i, span }, { colour, inner }) {
  const { value, low, high } = row;
  if (value === null) return;
  const pixels = pixelRatio();
  const [x, y] = [(number) => plot.valToPos(number, "x", true), plot.valToPos(i, "y", true)];
  const line = (places) => drawLine(context, places, colour, 1.75);
  if (low !== null) {
    const ends = [Math.max(low, span.low), Math.min(high, span.high)].map(x);
    line(ends.map((end) => [end, y]));
    beyondAxis(row, span).forEach((beyond, at) => line(segmentEnd(ends[at], y, beyond, 4 * pixels)));
  }
  drawMarker(context, "disc", x(value), y, 5.5 * pixels, colour);
  drawMarker(context, "disc", x(value), y, 3.5 * pixels, inner);
}

// A bar across; where the interval goes on, the head of an arrow.
function segmentEnd(x, y, beyond, size) {
  const back = x - 2 * beyond * size;
  return [[back, y - size], [x, y], [back, y + size]];
}

function segmentPlaces(plot, count) {
  const { left, width, height } = plotArea(plot);
  const at = (place) => placeOf(plot, place, "y");
  const step = count > 1 ? at(1) - at(0) : height;
  return {
    box: (place) => ({ left, top: at(place) - SEGMENT_HEIGHT / 2, width, height: SEGMENT_HEIGHT }),
    find: (_, top) => {
      const place = Math.floor((top - at(0)) / step + 0.5);
      return place >= 0 && place < count ? place : -1;
    },
  };
}

function segmentTip(row, { measure }, differs) {
  const number = differs ? signedText : fixed;
  const interval = row.low === null ? row.note || "none" : `${number(row.low)} to ${number(row.high)}`;
  const shared = [
    ["interval", interval],
    ["queries", row.queries.toLocaleString("en")],
  ];
  if (!differs) return [[measure.over, fixed(row.value)], ...shared];
  return [
    [row.baseline, fixed(row["baseline mean"])],
    [row.system, fixed(row.mean)],
    ["difference", changeText(row.value, turn(row.value, measure.direction))],
    ...shared,
    ["▲ = ▼", `${row.wins}, ${row.ties}, ${row.losses}`],
  ];
}

function tableSegments(frame, rows, differs) {
  const number = differs ? signedText : fixed;
  const heads = differs ? [rows[0].baseline, rows[0].system, "Difference"] : ["Mean"];
  frame.tell(["Segment", "Queries", ...heads, "Low", "High"], rows.length, (i) => {
    const row = rows[i];
    const means = differs ? [numberCell(row["baseline mean"]), numberCell(row.mean)] : [];
    const drawn = [row.value, row.low, row.high].map((value) => numberCell(value, number(value)));
    return [row.segment, numberCell(row.queries, `${row.queries}`), ...means, ...drawn];
  });
}
