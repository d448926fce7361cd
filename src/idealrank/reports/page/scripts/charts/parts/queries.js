// What charts whose marks stand for queries have in common: steps, tooltip, opening, the table of numbers.

import { fixed, glyph, signed } from "../../format.js";
import { chartCell, chartPairRows, chartQuery } from "./words.js";

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
      ...queryTold(facts, place),
      rows: [...chartPairRows(facts, facts.order[place]), ...more(place, at)],
    }),
    open: (place) => facts.open(facts.order[place]),
  };
}

function queryTold(facts, place) {
  return { ...chartQuery(facts, facts.order[place]), hint: "Click or Enter opens the query" };
}

/** Puts the numbers behind the queries into the table of a chart. */
export function queryTable(frame, facts) {
  const named = facts.queries.text ? ["Query", "Id"] : ["Id"];
  const values = facts.two ? [facts.state.baseline, facts.state.system, "Difference", "Sign"] : [facts.state.system];
  frame.tell([...named, ...values], facts.order.length, (place) => {
    const q = facts.order[place];
    const { id, text } = chartQuery(facts, q);
    return [...(facts.queries.text ? [text, id] : [id]), ...valueCells(facts, q)];
  });
}

function valueCells(facts, q) {
  if (!facts.two) return [chartCell(facts.b[q], fixed(facts.b[q]))];
  const difference = chartCell(facts.difference[q], signed(facts.difference[q]));
  return [chartCell(facts.a[q]), chartCell(facts.b[q]), difference, glyph(facts.turns[q])];
}
