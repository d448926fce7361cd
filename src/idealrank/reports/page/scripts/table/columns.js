// The columns of the table of queries: what a query says in each, and by what it is sorted.

import { changed, counted, fixed, grade, mood, turn } from "../format.js";

const NONE = "–";

/**
 * @typedef {object} Column
 * @property {string} key told apart by this
 * @property {string} title the heading
 * @property {string} group what stands above the heading in words: "holes", …
 * @property {"name"|"number"|"text"} kind
 * @property {number} width at least, in rem
 * @property {number} grow its share of the room left over
 * @property {(query: number) => string} text what is shown
 * @property {(query: number) => (number|string|null)} value what is sorted by
 * @property {(query: number) => string} [mood] a class of the cell
 */

/**
 * Returns the columns for a state of the view.
 * @param {boolean} narrow a phone: the few that matter
 * @param {boolean} everything the values of all systems
 * @returns {Column[]}
 */
export function columns(evaluation, state, narrow, everything) {
  const pair = state.baseline === null ? null : [state.baseline, state.system];
  const shown = everything || (pair === null && evaluation.systems.length < 6) ? evaluation.systems : (pair ?? [state.system]);
  const found = [queryColumn(evaluation), ...shown.slice(0, narrow ? 2 : undefined).map((system) => valueColumn(evaluation, state.measure, system))];
  if (pair) found.push(differenceColumn(evaluation, state));
  return narrow ? found.map(onPhone) : [...found, ...others(evaluation, state, pair ?? shown)];
}

function onPhone(column) {
  return { ...column, width: column.kind === "name" ? 6.4 : column.key === "difference" ? 6.2 : 4.7 };
}

function others(evaluation, state, systems) {
  const { weight, attributes } = evaluation.queries;
  const shared = evaluation.shared(state.baseline, state.system);
  const labels = Object.entries(evaluation.segments.labels).filter(([name]) => !Object.hasOwn(attributes, name));
  return [
    ...systems.map((system) => numbers(`holes:${system}`, system, evaluation.holes.counts[system], String, "unjudged")),
    ...(shared ? [numbers("overlap", "Jaccard", shared.jaccard, fixed)] : []),
    ...(weight ? [numbers("weight", "weight", weight, grade)] : []),
    ...[...Object.entries(attributes), ...labels].map(([name, values]) => words(`segment:${name}`, evaluation.segments.titles[name] ?? name, values)),
    ...(evaluation.states.size ? [stateColumn(evaluation, state.measure, systems)] : []),
  ];
}

function queryColumn(evaluation) {
  const text = (query) => evaluation.title(query);
  return { key: "query", title: "query", group: "", kind: "name", width: 12, grow: 8, text, value: text };
}

function valueColumn(evaluation, measure, system) {
  return numbers(`value:${system}`, system, evaluation.values[measure][system], fixed, measure);
}

function differenceColumn(evaluation, state) {
  const direction = evaluation.direction(state.measure);
  const value = (query) => evaluation.difference(state.measure, state.baseline, state.system, query);
  const said = (difference) => (difference === null ? NONE : changed(difference, turn(difference, direction)));
  return {
    key: "difference", title: "change", group: "", kind: "number", width: 6.25, grow: 0, value,
    text: (query) => said(value(query)),
    mood: (query) => (value(query) === null ? "" : mood(turn(value(query), direction), direction)),
  };
}

function numbers(key, title, values, written, group = "") {
  const text = (query) => (values[query] === null ? NONE : written(values[query]));
  return { key, title, group, kind: "number", width: 5.75, grow: 0, text, value: (query) => values[query] };
}

function words(key, title, values) {
  const numeric = values.every((value) => value === null || value === "" || Number.isFinite(Number(value)));
  const text = (query) => (values[query] === null || values[query] === "" ? NONE : numeric ? counted(Number(values[query])) : String(values[query]));
  const number = (query) => (text(query) === NONE ? null : Number(values[query]));
  return { key, title, group: "", kind: numeric ? "number" : "text", width: roomFor(title, values), grow: 0, text, value: numeric ? number : text };
}

/** Returns the room the longest of some texts takes, in rem. */
function roomFor(title, values) {
  const word = Math.max(...title.split(" ").map((each) => each.length)); // headings have two lines
  const longest = values.reduce((most, value) => Math.max(most, String(value ?? "").length), Math.max(word, title.length / 2) + 2);
  return Math.min(14, 2.25 + 0.5 * longest);
}

function stateColumn(evaluation, measure, systems) {
  const text = (query) => {
    const said = systems.map((system) => [system, evaluation.stateWords(measure, system, query)]).filter(([, state]) => state);
    return said.map(([system, state]) => (systems.length > 1 ? `${system}: ${state}` : state)).join("; ");
  };
  return { key: "state", title: "special handling", group: "", kind: "text", width: 9, grow: 1, text, value: text };
}
