// What the charts draw: values query by query, the systems and how they look, and what both are called.

import { canvasFont } from "./drawing.js";
import { element, splitAt } from "../elements.js";
import { changeText, fixed, glyph, signedText, turn } from "../format.js";

/**
 * Returns the parts of the report with what follows from the state.
 *
 * `two` says whether two systems are compared; `a` and `b` are (Q,) values of baseline and system, NaN where a query is
 * left out; `difference` is b - a and `turns` its sign as a gain; `order` holds the queries that have a number, best
 * gain first (one system: highest value first).
 */
export function factsOf(parts, state) {
  const measure = parts.measures.find((each) => each.label === state.measure);
  const two = state.baseline !== null && state.baseline !== state.system;
  const columns = parts.values[state.measure];
  const b = numbersOf(columns[state.system]);
  const a = two ? numbersOf(columns[state.baseline]) : b;
  const difference = b.map((value, q) => value - a[q]);
  const turns = Int8Array.from(difference, (value) => turn(Number.isNaN(value) ? null : value, measure.direction));
  const key = two ? difference : b;
  return { ...parts, state, measure, two, a, b, difference, turns, order: orderOf(key, measure.direction) };
}

// Numbers as an array that holds NaN for what is missing.
function numbersOf(values) {
  return Float64Array.from(values, (value) => value ?? Number.NaN);
}

/** Counts the gains, ties and losses, and the queries left out, but for those left out on request. */
export function tallyOf(facts) {
  const tally = { wins: 0, ties: 0, losses: 0, left: facts.b.length - facts.order.length - facts.ledger.measures[0].left_out };
  for (const q of facts.order) tally[facts.turns[q] > 0 ? "wins" : facts.turns[q] < 0 ? "losses" : "ties"] += 1;
  return tally;
}

/** Returns the lowest and the highest of some numbers, those asked for among them; NaN is passed over. */
export function spanOf(columns, low = Number.POSITIVE_INFINITY, high = Number.NEGATIVE_INFINITY) {
  for (const values of columns) {
    for (const value of values) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return { low, high: high > low ? high : low + 1 };
}

function orderOf(key, direction) {
  const known = Int32Array.from(key.keys()).filter((q) => !Number.isNaN(key[q]));
  return direction === "lower" ? known.sort((p, q) => key[p] - key[q]) : known.sort((p, q) => key[q] - key[p]);
}

// What charts whose marks stand for queries have in common: steps, tooltip, opening, the table of numbers.

/** Returns how to walk through the queries of a chart, in the order of the facts. */
export function queryWalk(facts, { box, find, label, ring, reveal, more = () => [] }) {
  return {
    count: facts.order.length,
    box,
    find,
    label,
    ring,
    reveal,
    tell: (place, at) => ({
      ...queryTip(facts, place),
      rows: [...valueRows(facts, facts.order[place]), ...more(place, at)],
    }),
    open: (place) => facts.open(facts.order[place]),
  };
}

function queryTip(facts, place) {
  return { ...queryNames(facts, facts.order[place]), hint: "Click or Enter opens the query" };
}

/** Puts the numbers behind the queries into the table of a chart. */
export function queryTable(frame, facts) {
  const named = facts.queries.text ? ["Query", "Id"] : ["Id"];
  const values = facts.two ? [facts.state.baseline, facts.state.system, "Difference", "Sign"] : [facts.state.system];
  frame.tell([...named, ...values], facts.order.length, (place) => {
    const q = facts.order[place];
    const { id, text } = queryNames(facts, q);
    return [...(facts.queries.text ? [text, id] : [id]), ...valueCells(facts, q)];
  });
}

function valueCells(facts, q) {
  if (!facts.two) return [numberCell(facts.b[q], fixed(facts.b[q]))];
  const difference = numberCell(facts.difference[q], signedText(facts.difference[q]));
  return [numberCell(facts.a[q]), numberCell(facts.b[q]), difference, glyph(facts.turns[q])];
}

// How the systems look in charts with one line a system: colour, dash and marker differ.
const LOOKS = {
  baseline: { dash: [7, 4], marker: "square" },
  system: { dash: [], marker: "disc" },
  third: { dash: [2, 3], marker: "triangle" },
  fourth: { dash: [9, 3, 2, 3], marker: "diamond" },
  other: { dash: [], marker: null },
};
const FEW_SYSTEMS = 4;

/** Returns the systems with their looks, the chosen ones last so that they lie above; of many, the others are grey. */
export function systemLooks(facts, ink) {
  const rest = ["third", "fourth"];
  const few = facts.systems.length <= FEW_SYSTEMS;
  const role = (name) => {
    if (name === facts.state.system) return "system";
    if (facts.two && name === facts.state.baseline) return "baseline";
    return (few && rest.shift()) || "other";
  };
  const found = facts.systems.map((name) => lookOf(name, role(name), ink));
  return [...found.filter((each) => !each.chosen), ...found.filter((each) => each.chosen)];
}

function lookOf(name, role, ink) {
  const chosen = role === "system" || role === "baseline";
  return {
    name,
    role,
    chosen,
    colour: ink[role],
    width: chosen ? 2.25 : role === "other" ? 1 : 1.75,
    ...LOOKS[role],
  };
}

/** Draws the marker of a system. */
export function drawMarker(context, marker, x, y, size, colour) {
  context.fillStyle = colour;
  context.beginPath();
  if (marker === "disc") context.arc(x, y, size, 0, 2 * Math.PI);
  else markerCorners(marker).forEach(([dx, dy]) => context.lineTo(x + dx * size, y + dy * size));
  context.closePath();
  context.fill();
}

function markerCorners(marker) {
  const edge = 0.9;
  if (marker === "square") return [[-edge, -edge], [edge, -edge], [edge, edge], [-edge, edge]];
  if (marker === "triangle") return [[0, -1.2], [1.1, 0.9], [-1.1, 0.9]];
  return [[0, -1.3], [1.3, 0], [0, 1.3], [-1.3, 0]];
}

/** Returns a legend: a line a system, the grey ones in one. */
export function legendOf(systems) {
  const named = systems.filter((each) => each.role !== "other").reverse();
  const others = systems.length - named.length;
  return element(
    "ul", { class: "chart-legend" },
    ...named.map(({ role, name }) => legendEntry(role, name)),
    others ? legendEntry("other", `${others} other${others === 1 ? "" : "s"}`) : null,
  );
}

function legendEntry(role, name) {
  return element("li", {}, element("span", { class: "chart-key", "data-ink": role }), element("bdi", {}, name));
}

// Names in the charts: short enough for a canvas, and set apart where they may run from right to left.

/** Returns an element that holds a name, whatever direction it is written in. */
export function shortName(text, most = 60) {
  return element("bdi", {}, cutText(text, most));
}

/** A sentence in which every inserted name stands in an element of its own, whatever direction it is written in. */
export function sentence(texts, ...names) {
  return texts.flatMap((text, i) => (i < names.length ? [text, shortName(`${names[i]}`)] : [text]));
}

/** Returns a text for a canvas: cut to a number of signs, set apart by the signs that begin and end a direction. */
export function shortenText(text, most) {
  return `\u2068${cutText(text, most)}\u2069`;
}

/** Returns the name of a system for a canvas: cut in the middle, so that what sets it apart from the others stays. */
export function shortenSystem(name, most, systems) {
  const at = splitAt(name, systems);
  if (at === 0 || name.length <= most) return shortenText(name, most);
  const end = Math.min(name.length - at, most - 5);
  return shortenText(`${name.slice(0, most - 1 - end)}…${name.slice(at)}`, most);
}

/** Returns a text for a canvas, cut to fit into a width. */
export function fitText(context, text, width, { weight, size }) {
  context.font = canvasFont(weight, size);
  let most = 80;
  while (most > 1 && context.measureText(shortenText(text, most)).width > width) most = Math.ceil(most * 0.9) - 1;
  return shortenText(text, most);
}

function cutText(text, most) {
  const line = [...text.slice(0, 4 * most)].map((sign) => (/\s/.test(sign) ? " " : sign));
  return line.length > most ? `${line.slice(0, most - 1).join("")}…` : line.join("");
}

/** Returns how gains and losses are called: a count is higher or lower, neither is better. */
export function turnWords({ direction }) {
  if (direction === "count")
    return { gains: ["higher", "higher"], losses: ["lower", "lower"], first: "highest first", best: "highest", better: "higher" };
  return { gains: ["gain", "gains"], losses: ["loss", "losses"], first: "largest gain first", best: "best", better: "better" };
}

/** Returns a count with its noun, on one line. */
export function countOf(count, noun, nouns = `${noun}s`) {
  return `${count.toLocaleString("en")}\u00a0${count === 1 ? noun : nouns}`;
}

/** Returns what a query is called: its text, if there is one, and its id. */
export function queryNames(facts, q) {
  return { id: facts.queries.id[q], text: facts.queries.text?.[q] ?? "" };
}

/** Returns the two values of a query and their difference, as rows of a tooltip. */
function valueRows(facts, q) {
  if (!facts.two) return [[facts.state.system, fixed(facts.b[q])]];
  return [
    [facts.state.baseline, fixed(facts.a[q])],
    [facts.state.system, fixed(facts.b[q])],
    ["difference", changeText(facts.difference[q], facts.turns[q])],
  ];
}

/** Returns a number as a cell of a table: its text, and the number itself for whoever reads the page by program. */
export function numberCell(value, text = fixed(value)) {
  return { text, value };
}
