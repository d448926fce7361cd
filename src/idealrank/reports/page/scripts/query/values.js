// The values of the chosen query: a row a system, a column a measure.

import { changed, fixed, mood, turn } from "../format.js";
import { made, nameOf } from "../made.js";

/** Returns the values of all systems under all measures; below the value, the difference from the baseline. */
export function valuesOf(evaluation, state, query) {
  const head = evaluation.measures.map(({ label }) => made("th", { scope: "col", class: label === state.measure ? "number current" : "number" }, label));
  const first = [state.baseline, state.system].filter((system) => system !== null);
  const order = [...first, ...evaluation.systems.filter((system) => !first.includes(system))];
  const rows = order.map((system) => made(
    "tr", { "data-system": system },
    made("th", { scope: "row" }, nameOf(system)),
    ...evaluation.measures.map(({ label }) => made(
      "td", { class: label === state.measure ? "number current" : "number", "data-measure": label },
      ...valueOf(evaluation, label, system, query),
      differenceOf(evaluation, { measure: label, baseline: state.baseline, system }, query),
    )),
  ));
  const table = made("table", {}, made("thead", {}, made("tr", {}, made("th", { scope: "col" }, "system"), ...head)), made("tbody", {}, ...rows));
  return made("div", { class: "wide query-values", role: "region", tabindex: "0", "aria-label": "Values of this query" }, table);
}

function valueOf(evaluation, measure, system, query) {
  const state = evaluation.state(measure, system, query);
  return [made("b", {}, fixed(evaluation.value(measure, system, query))), ...(state ? [made("small", {}, state)] : [])];
}

function differenceOf(evaluation, { measure, baseline, system }, query) {
  if (baseline === null || baseline === system) return null;
  const difference = evaluation.difference(measure, baseline, system, query);
  return difference === null ? null : differenceMark(difference, evaluation.direction(measure));
}

/** A difference with glyph and sign. */
function differenceMark(difference, direction) {
  const turned = turn(difference, direction);
  return made("span", { class: `difference ${mood(turned, direction)}` }, changed(difference, turned));
}
