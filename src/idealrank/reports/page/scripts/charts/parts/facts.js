// What the charts draw: the values of the two systems chosen, query by query, in order.

import { turn } from "../../format.js";

/**
 * Returns the parts of the report with what follows from the state.
 *
 * `two` says whether two systems are compared; `a` and `b` are (Q,) values of baseline and system, NaN where a query is
 * left out; `difference` is b - a and `turns` its sign as a gain; `order` holds the queries that have a number, best
 * gain first (one system: highest value first).
 */
export function chartFacts(parts, state) {
  const measure = parts.measures.find((each) => each.label === state.measure);
  const two = state.baseline !== null && state.baseline !== state.system;
  const columns = parts.values[state.measure];
  const b = chartNumbers(columns[state.system]);
  const a = two ? chartNumbers(columns[state.baseline]) : b;
  const difference = b.map((value, q) => value - a[q]);
  const turns = Int8Array.from(difference, (value) => turn(Number.isNaN(value) ? null : value, measure.direction));
  const key = two ? difference : b;
  return { ...parts, state, measure, two, a, b, difference, turns, order: orderOf(key, measure.direction) };
}

// Numbers as an array that holds NaN for what is missing.
function chartNumbers(values) {
  return Float64Array.from(values, (value) => value ?? Number.NaN);
}

/** Counts the gains, ties and losses, and the queries left out, but for those left out on request. */
export function chartTally(facts) {
  const tally = { wins: 0, ties: 0, losses: 0, left: facts.b.length - facts.order.length - facts.ledger.measures[0].left_out };
  for (const q of facts.order) tally[facts.turns[q] > 0 ? "wins" : facts.turns[q] < 0 ? "losses" : "ties"] += 1;
  return tally;
}

/** Returns the lowest and the highest of some numbers, those asked for among them; NaN is passed over. */
export function chartSpan(columns, low = Number.POSITIVE_INFINITY, high = Number.NEGATIVE_INFINITY) {
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
