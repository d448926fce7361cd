// Names in the charts: short enough for a canvas, and set apart where they may run from right to left.

import { fixed, glyph, signed } from "./format.js";

/** Returns an element that holds a name, whatever direction it is written in. */
export function chartName(text, most = 60) {
  const element = document.createElement("bdi");
  element.textContent = chartShort(text, most);
  return element;
}

/** Returns a text cut to a number of signs; line ends become spaces. */
export function chartShort(text, most) {
  const line = [...text.slice(0, 4 * most)].map((sign) => (/\s/.test(sign) ? " " : sign));
  return line.length > most ? `${line.slice(0, most - 1).join("")}…` : line.join("");
}

/** Returns a count with its noun. */
export function chartCount(count, noun, nouns = `${noun}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : nouns}`;
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
    ["difference", `${glyph(facts.turns[q])} ${signed(facts.difference[q])}`],
  ];
}

/** Returns a number as a cell of a table: its text, and the number itself for whoever reads the page by program. */
export function chartCell(value, text = fixed(value)) {
  return { text, value };
}
