// Names in the charts: short enough for a canvas, and set apart where they may run from right to left.

import { chartFont } from "./ink.js";
import { changed, fixed } from "../../format.js";

/** Returns an element that holds a name, whatever direction it is written in. */
export function chartName(text, most = 60) {
  const element = document.createElement("bdi");
  element.textContent = cutText(text, most);
  return element;
}

/** A sentence in which every inserted name stands in an element of its own, whatever direction it is written in. */
export function chartSaid(texts, ...names) {
  return texts.flatMap((text, i) => (i < names.length ? [text, chartName(`${names[i]}`)] : [text]));
}

/** Returns a text for a canvas: cut to a number of signs, set apart by the signs that begin and end a direction. */
export function chartShort(text, most) {
  return `\u2068${cutText(text, most)}\u2069`;
}

/** Returns a text for a canvas, cut to fit into a width. */
export function chartFit(context, text, width, { weight, size }) {
  context.font = chartFont(weight, size);
  let most = 80;
  while (most > 1 && context.measureText(chartShort(text, most)).width > width) most = Math.ceil(most * 0.9) - 1;
  return chartShort(text, most);
}

function cutText(text, most) {
  const line = [...text.slice(0, 4 * most)].map((sign) => (/\s/.test(sign) ? " " : sign));
  return line.length > most ? `${line.slice(0, most - 1).join("")}…` : line.join("");
}

/** Returns how gains and losses are called: a count is higher or lower, neither is better. */
export function chartTurns({ direction }) {
  if (direction === "count")
    return { gains: ["higher", "higher"], losses: ["lower", "lower"], first: "highest first", best: "highest", better: "higher" };
  return { gains: ["gain", "gains"], losses: ["loss", "losses"], first: "largest gain first", best: "best", better: "better" };
}

/** Returns a count with its noun, on one line. */
export function chartCount(count, noun, nouns = `${noun}s`) {
  return `${count.toLocaleString("en")}\u00a0${count === 1 ? noun : nouns}`;
}

/** Returns what a query is called: its text, if there is one, and its id. */
export function chartQuery(facts, q) {
  return { id: facts.queries.id[q], text: facts.queries.text?.[q] ?? "" };
}

/** Returns the two values of a query and their difference, as rows of a tooltip. */
export function chartPairRows(facts, q) {
  if (!facts.two) return [[facts.state.system, fixed(facts.b[q])]];
  return [
    [facts.state.baseline, fixed(facts.a[q])],
    [facts.state.system, fixed(facts.b[q])],
    ["difference", changed(facts.difference[q], facts.turns[q])],
  ];
}

/** Returns a number as a cell of a table: its text, and the number itself for whoever reads the page by program. */
export function chartCell(value, text = fixed(value)) {
  return { text, value };
}
