// Chart: the mean of the measure at k = 1, 2, …, a line a system.

import { drawLine, drawText, makePlot, pixelRatio, placeOf, plotArea } from "./drawing.js";
import { drawMarker, legendOf, numberCell, shortenSystem, shortenText, systemLooks } from "./series.js";
import { fixed, signedText } from "../format.js";

export const curvesChart = {
  name: "curves",
  needs: ["curves"],
  fits: (facts) => facts.order.length > 0 && facts.curves[facts.state.measure] !== undefined,
  say: (frame, facts) => sayCurves(frame, curveOf(frame, facts)),
  draw(frame, facts) {
    const curve = curveOf(frame, facts);
    const { k, means, systems } = curve;
    const plot = frame.keep(plotCurves(frame, facts, curve));
    const tell = (place) => tellCutoff(facts, curve, place);
    frame.walk({ count: k.length, label: "Cutoffs", ...cutoffPlaces(plot, k), tell });
    if (systems.some((each) => each.role === "other")) frame.below.append(legendOf(systems));
    frame.tell(["k", ...facts.systems], k.length, (place) => [
      `${k[place]}`,
      ...facts.systems.map((name) => numberCell(means[name][place])),
    ]);
  },
};

function curveOf({ ink }, facts) {
  const { k, systems: means } = facts.curves[facts.state.measure];
  const name = facts.state.measure.replace(/@\d+$/, "");
  return { k, means, systems: systemLooks(facts, ink), over: facts.measure.over, name };
}

function sayCurves(frame, { k, means, systems, over, name }) {
  const [first, last] = [k[0], k.at(-1)];
  const chosen = systems.filter((each) => each.chosen).reverse();
  const ends = chosen.map(
    (each) => `${each.name} ${fixed(means[each.name][0])} at ${first}, ${fixed(means[each.name].at(-1))} at ${last}`,
  );
  frame.say(
    `${name} at k = ${first} to ${last}`,
    [`The ${over} if lists were cut after k results; where lines cross, it matters how far people look.`],
    () => `Lines of the ${over} ${name} at cutoffs ${first} to ${last}: ${ends.join("; ")}.`,
  );
}

function plotCurves(frame, facts, curve) {
  const { ink } = frame;
  const labelled = facts.systems.length === 1 ? [] : curve.systems.filter((each) => each.role !== "other");
  const room = Math.min(frame.width * 0.3, 12 + Math.max(0, ...labelled.map((each) => nameWidth(each.name, facts.systems))));
  const { low, high } = curveSpan(curve);
  return makePlot(frame.picture, {
    width: frame.width,
    height: frame.height,
    ink,
    room,
    x: {
      low: curve.k[0],
      high: curve.k.at(-1),
      label: "cutoff k",
      splits: curve.k,
      text: (value) => `${value}`,
      grid: false,
    },
    y: { low, high, label: `${curve.over} ${shortenText(curve.name, 24)}` },
    draw: (context, plot) => {
      for (const each of curve.systems) drawCurve(context, plot, curve, each);
      drawNames(context, plot, curve, labelled, ink);
    },
  });
}

function curveSpan({ means }) {
  const all = Object.values(means)
    .flat()
    .filter((value) => value !== null);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const room = (high - low || 0.1) * 0.08;
  return { low: low - room < 0 && low >= 0 ? 0 : low - room, high: high + room };
}

function drawCurve(context, plot, { k, means }, { name, colour, width, dash, marker }) {
  const points = k.map((x, i) => [plot.valToPos(x, "x", true), means[name][i]]).filter(([, value]) => value !== null);
  const places = points.map(([x, value]) => [x, plot.valToPos(value, "y", true)]);
  drawLine(context, places, colour, width, dash);
  if (marker) for (const [x, y] of places) drawMarker(context, marker, x, y, 3.5 * pixelRatio(), colour);
}

// The names stand at the line ends, pushed apart where lines end close to each other.
function drawNames(context, plot, { means }, systems, ink) {
  const line = 15 * pixelRatio();
  const { left, top, width, height } = plot.bbox;
  const ends = systems
    .map((each) => ({ ...each, y: plot.valToPos(means[each.name].at(-1) ?? 0, "y", true) }))
    .sort((p, q) => p.y - q.y);
  ends.forEach((each, i) => {
    each.y = Math.max(each.y, i ? ends[i - 1].y + line : top);
  });
  const over = Math.max(0, (ends.at(-1)?.y ?? 0) - (top + height));
  for (const { name, chosen, colour, y } of ends) {
    const look = { colour: chosen ? colour : ink.muted, gap: 9 };
    drawText(context, shortenSystem(name, 18, Object.keys(means)), [left + width, y - over], look);
  }
}

function nameWidth(name, systems) {
  return 7.4 * shortenSystem(name, 18, systems).length;
}

function cutoffPlaces(plot, k) {
  const area = plotArea(plot);
  const at = (place) => placeOf(plot, k[place], "x");
  const step = k.length > 1 ? at(1) - at(0) : area.width;
  return {
    box: (place) => ({ left: at(place) - 1, top: area.top, width: 2, height: area.height }),
    find: (left) => {
      const place = Math.round((left - at(0)) / step);
      return place >= 0 && place < k.length ? place : -1;
    },
  };
}

function tellCutoff(facts, { k, means, systems, name }, place) {
  const shown = systems.filter((each) => each.role !== "other");
  const rows = shown.reverse().map((each) => [each.name, fixed(means[each.name][place])]);
  const two = facts.two ? [means[facts.state.baseline][place], means[facts.state.system][place]] : [null, null];
  if (two.every((value) => value !== null)) rows.push(["difference", signedText(two[1] - two[0])]);
  return { text: `${name}@${k[place]}`, rows };
}
