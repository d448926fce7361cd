// Chart: quality against latency, a point a system, with both intervals.

import { drawLine, drawText, makePlot, pixelRatio, placeOf } from "./drawing.js";
import { drawMarker, legendOf, numberCell, shortenSystem, shortenText, systemLooks } from "./series.js";
import { fixed, milliseconds } from "../format.js";

const FEW_POINTS = 8; // so many have their names beside them
const NEAR = 28; // so many pixels from a point the pointer still finds it

export const latencyChart = {
  name: "latency",
  needs: ["latency", "means"],
  fits: (facts) => timedPoints(facts).length > 0,
  say: (frame, facts) => sayLatency(frame, facts),
  draw(frame, facts) {
    const points = timedPoints(facts);
    const looks = systemLooks(facts, frame.ink);
    const plot = frame.keep(plotLatency(frame, facts, points, looks));
    frame.walk({
      count: points.length,
      label: "Systems",
      ring: "point",
      ...timedPlaces(plot, points),
      tell: (place) => tellTimed(facts, points[place]),
    });
    if (looks.length > FEW_POINTS) frame.below.append(legendOf(looks));
    const heads = ["System", `${facts.latency.p95} (ms)`, "low", "high", facts.state.measure, "low", "high"];
    frame.tell(heads, points.length, (place) => timedCells(points[place]));
  },
};

// The systems that have a time and a mean; an end that is not known is null.
function timedPoints({ latency, means, state }) {
  if (latency === null) return [];
  const { p95 } = latency;
  return latency.systems
    .map((row) => ({
      name: row.system,
      x: { value: row[p95], low: row[`${p95} low`], high: row[`${p95} high`] },
      y: timedMean(means.find((each) => each.system === row.system && each.measure === state.measure)),
    }))
    .filter(({ x, y }) => x.value !== null && y.value !== null);
}

function timedMean({ mean, low, high }) {
  return { value: mean, low, high };
}

function sayLatency(frame, facts) {
  const points = timedPoints(facts);
  const { measure, latency } = facts;
  const best = measure.direction === "lower" ? "bottom" : "top";
  frame.say(
    "Quality against latency",
    [
      `Each point is a system: the 95th percentile of its ${wallOf(latency)} on the x-axis, its ${measure.over} ${measure.label} on the y-axis. `,
      `The best systems are at the ${best} left. The lines are intervals; one that runs to the edge has no bound there.`,
    ],
    () =>
      `Points of ${measure.label} against p95 in milliseconds: ` +
      `${points.map(({ name, x, y }) => `${name} ${fixed(y.value)} at ${milliseconds(x.value)} ms`).join("; ")}.`,
  );
}

function wallOf({ clock, meaning }) {
  return clock === "latency" ? meaning : "engine's own time";
}

function plotLatency(frame, facts, points, looks) {
  const { ink } = frame;
  const label = `${facts.measure.over} ${shortenText(facts.measure.label, 24)}`;
  return makePlot(frame.picture, {
    width: frame.width,
    height: frame.height,
    ink,
    x: { ...timedSpan(points, "x"), label: `p95 ${facts.latency.clock === "latency" ? "latency" : "engine time"} (ms)` },
    y: { ...timedSpan(points, "y"), label },
    draw: (context, plot) => {
      for (const look of looks) {
        const point = points.find(({ name }) => name === look.name);
        if (point) drawTimed(context, plot, point, look);
      }
      if (looks.length <= FEW_POINTS) timedNames(context, plot, points, ink);
    },
  });
}

// From the lowest to the highest end that is known, with room; times do not begin below 0.
function timedSpan(points, axis) {
  const known = points.flatMap((each) => Object.values(each[axis])).filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const room = (high - low || Math.abs(high) * 0.2 || 1) * 0.12;
  return { low: low >= 0 ? Math.max(0, low - room) : low - room, high: high + room };
}

function drawTimed(context, plot, { x, y }, { colour, marker, width }) {
  const { left, top, width: wide, height } = plot.bbox;
  const [cx, cy] = [plot.valToPos(x.value, "x", true), plot.valToPos(y.value, "y", true)];
  const end = (value, scale, edge) => (value === null ? edge : plot.valToPos(value, scale, true));
  const across = [end(x.low, "x", left), end(x.high, "x", left + wide)];
  const up = [end(y.low, "y", top + height), end(y.high, "y", top)];
  drawLine(context, across.map((at) => [at, cy]), colour, width);
  if (y.low !== null) drawLine(context, up.map((at) => [cx, at]), colour, width);
  drawMarker(context, marker ?? "disc", cx, cy, 5 * pixelRatio(), colour);
}

// Of few systems each has its name above its point, on the side that has room.
function timedNames(context, plot, points, ink) {
  const { left, width } = plot.bbox;
  for (const { name, x, y } of points) {
    const [cx, cy] = [plot.valToPos(x.value, "x", true), plot.valToPos(y.value, "y", true)];
    const side = cx > left + width / 2 ? "right" : "left";
    const look = { colour: ink.ink, side, base: "bottom", gap: 7 };
    drawText(context, shortenSystem(name, 18, points.map((each) => each.name)), [cx, cy], look);
  }
}

function timedPlaces(plot, points) {
  const at = ({ x, y }) => [placeOf(plot, x.value, "x"), placeOf(plot, y.value, "y")];
  return {
    box: (place) => {
      const [left, top] = at(points[place]);
      return { left: left - 9, top: top - 9, width: 18, height: 18 };
    },
    find: (left, top) => {
      const far = points.map((point) => Math.hypot(at(point)[0] - left, at(point)[1] - top));
      const nearest = far.indexOf(Math.min(...far));
      return far[nearest] <= NEAR ? nearest : -1;
    },
  };
}

function tellTimed({ state }, { name, x, y }) {
  return {
    text: name,
    rows: [
      ["p95", `${milliseconds(x.value)} ms`],
      ["interval", `${milliseconds(x.low)} to ${milliseconds(x.high)}`],
      [state.measure, fixed(y.value)],
      ["interval", `${fixed(y.low)} to ${fixed(y.high)}`],
    ],
  };
}

function timedCells({ name, x, y }) {
  const times = [x.value, x.low, x.high].map((value) => numberCell(value, milliseconds(value)));
  return [name, ...times, ...[y.value, y.low, y.high].map((value) => numberCell(value))];
}
