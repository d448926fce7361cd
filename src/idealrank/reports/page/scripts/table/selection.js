// Which queries the table shows, and in which order.

import { turn } from "../format.js";

/** Outcomes a filter asks for: value and words. */
export const OUTCOMES = [
  ["", "all queries"],
  ["gain", "▲ better"],
  ["loss", "▼ worse"],
  ["same", "= equal"],
  ["out", "left out"],
  ["state", "special handling"],
];

/** Outcomes of a count, which is neither better nor worse. */
export const COUNTED = { gain: "▲ higher", loss: "▼ lower" };

/** Returns a text without case and accents. */
function folded(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Returns what a text sorts by: numbers within it by size. */
function sortable(text) {
  return folded(text).replace(/\d+/g, (digits) => digits.padStart(12, "0"));
}

/** Filters and sorts the queries. */
export class Selection {
  constructor(evaluation) {
    this.evaluation = evaluation;
    const { id, text } = evaluation.queries;
    this.texts = id.map((each, query) => folded(text?.[query] ? `${each}\n${text[query]}` : each));
  }

  /**
   * Returns the queries that pass the filter, as indices; those left out on request only where it asks for them.
   * @param {{text: string, outcome: string, segments: Object<string, string>}} filter "" asks for nothing
   * @param {object} state of the view
   */
  filtered(filter, state) {
    const wanted = folded(filter.text.trim());
    const tests = [];
    if (wanted) tests.push((query) => this.texts[query].includes(wanted));
    for (const [name, value] of Object.entries(filter.segments)) {
      const labels = this.evaluation.segments.labels[name];
      if (value !== "") tests.push((query) => labels[query] === value);
    }
    if (filter.outcome !== "out" && this.evaluation.unasked.size) tests.push((query) => !this.evaluation.unasked.has(query));
    if (filter.outcome) tests.push(this.outcomeTest(filter.outcome, state));
    const all = Uint32Array.from({ length: this.evaluation.size }, (_, query) => query);
    return tests.length ? all.filter((query) => tests.every((test) => test(query))) : all;
  }

  outcomeTest(outcome, { measure, baseline, system }) {
    const { evaluation } = this;
    const sides = baseline === null ? [system] : [baseline, system];
    if (outcome === "out") return (query) => sides.some((each) => evaluation.value(measure, each, query) === null);
    if (outcome === "state") return (query) => sides.some((each) => evaluation.state(measure, each, query));
    const wanted = { gain: 1, loss: -1, same: 0 }[outcome];
    const direction = evaluation.direction(measure);
    return (query) => {
      const difference = evaluation.difference(measure, baseline, system, query);
      return difference !== null && turn(difference, direction) === wanted;
    };
  }

  /**
   * Sorts queries by a column, in place; what has no value stands last, equal ones in the order of the ledger.
   * @param {Uint32Array} queries
   * @param {import("./columns.js").Column} column
   */
  sort(queries, column, descending) {
    const keys = column.kind === "number" ? this.numbers(queries, column) : this.places(queries, column);
    const sign = descending ? -1 : 1;
    return queries.sort((a, b) => {
      const left = keys[a];
      const right = keys[b];
      if (left === right) return a - b;
      if (left !== left || right !== right) return left !== left ? (right !== right ? a - b : 1) : -1;
      return left < right ? -sign : sign;
    });
  }

  numbers(queries, column) {
    const keys = new Float64Array(this.evaluation.size);
    for (const query of queries) keys[query] = column.value(query) ?? Number.NaN;
    return keys;
  }

  /** Returns the place of each query's text among all texts: numbers are compared faster than texts. */
  places(queries, column) {
    const texts = Array.from(queries, (query) => sortable(column.value(query)));
    const order = Uint32Array.from(texts.keys()).sort((a, b) => (texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : 0));
    const keys = new Float64Array(this.evaluation.size);
    order.forEach((at, place) => {
      const same = place > 0 && texts[order[place - 1]] === texts[at];
      keys[queries[at]] = texts[at] === "" || texts[at] === "–" ? Number.NaN : same ? keys[queries[order[place - 1]]] : place;
    });
    return keys;
  }
}
