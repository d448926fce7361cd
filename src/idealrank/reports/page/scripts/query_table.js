// The table of queries: filters above it, the count, the rows.

import { choice, element, fieldWithLabel } from "./elements.js";
import { changeText, countText, fixed, grade, mood, turn } from "./format.js";
import { Grid } from "./tables.js";

const NONE = "–";

// Outcomes a filter asks for: value and words.
const OUTCOMES = [
  ["", "all queries"],
  ["gain", "▲ better"],
  ["loss", "▼ worse"],
  ["same", "= equal"],
  ["out", "left out"],
  ["state", "special handling"],
];
// Outcomes of a count, which is neither better nor worse.
const COUNTED = { gain: "▲ higher", loss: "▼ lower" };

/** Shows the queries in an empty section; the filter and the order stay when a query is chosen. */
export class QueryTable {
  constructor(host, evaluation, view) {
    this.evaluation = evaluation;
    this.view = view;
    this.selection = new Selection(evaluation);
    this.sorted = { key: "", descending: false };
    this.narrow = matchMedia("(max-width: 40rem)");
    this.grid = new Grid(evaluation, {
      open: (query) => view.change({ query }),
      sort: (key) => this.sortBy(key),
      link: (query) => evaluation.link(query, view.state),
    });
    this.count = element("p", { id: "count", class: "count", role: "status" });
    host.append(element("h2", {}, "Queries"), this.filters(), this.count, this.grid.element);
    this.narrow.addEventListener("change", () => this.show());
    view.listen((_, names) => this.update(names));
    this.show();
  }

  update(names) {
    const others = [...names].filter((name) => name !== "query" && name !== "unknown");
    if (others.length) this.show();
    if (others.some((name) => this.evaluation.kept.includes(name))) this.grid.element.scrollTop = 0;
    if (names.has("query")) this.grid.choose(this.view.state.query);
  }

  /** Filters, sorts and shows the queries anew. */
  show() {
    const state = this.fill(this.view.state);
    this.nameOutcomes(state);
    this.columns = columns(this.evaluation, state, this.narrow.matches, state.all !== "");
    const column = this.asked(state) ?? this.worstFirst(state);
    this.order = this.selection.sort(this.selection.filterQueries(state), column, this.sorted.descending);
    this.grid.show(this.columns, this.order, this.sorted);
    const shown = this.evaluation.queries.note ? " shown" : "";
    this.count.textContent = `${countText(this.order.length)} of ${countText(this.evaluation.size)} ${this.evaluation.size === 1 ? "query" : "queries"}${shown}`;
  }

  /** The fields show what is looked for, as the address may have said it; returns it without what there is not. */
  fill(state) {
    for (const [name, field] of Object.entries(this.fields)) {
      if (field.value !== state[name]) field.value = state[name];
      if (field.selectedIndex === -1) field.value = "";
    }
    if (this.everything) this.everything.checked = state.all !== "";
    return { ...state, ...Object.fromEntries(Object.entries(this.fields).map(([name, { value }]) => [name, value])) };
  }

  /** The column that somebody chose, which is a key, with a minus before it if it descends; none is undefined. */
  asked({ sort }) {
    const found = this.columns.find(({ key }) => key === sort.replace(/^-/, ""));
    if (found) this.sorted = { key: found.key, descending: sort.startsWith("-") };
    return found;
  }

  /** Gains and losses are called as the measure has them. */
  nameOutcomes({ measure }) {
    const turned = this.evaluation.direction(measure) === "count" ? COUNTED : {};
    for (const option of this.fields.outcome.options) option.text = turned[option.value] ?? Object.fromEntries(OUTCOMES)[option.value];
  }

  /** The order before anyone asked for one: losses first, where there are none gains; or the worst values. */
  worstFirst(state) {
    const key = state.baseline === null ? `value:${state.system}` : "difference";
    const lower = this.evaluation.direction(state.measure) === "lower";
    const gainsFirst = state.baseline !== null && !this.selection.filterQueries({ ...state, ...this.none, outcome: "loss" }).length;
    this.sorted = { key, descending: lower !== gainsFirst };
    return this.columns.find((each) => each.key === key);
  }

  sortBy(key) {
    const descending = this.sorted.key === key && !this.sorted.descending;
    this.view.change({ sort: `${descending ? "-" : ""}${key}` });
  }

  filters() {
    const search = element("input", { type: "search", id: "filter", placeholder: "id or text", autocomplete: "off", spellcheck: "false", oninput: (event) => this.view.change({ find: event.target.value }) });
    const outcomes = OUTCOMES.filter(([value]) => this.evaluation.paired || !["gain", "loss", "same"].includes(value));
    const outcome = choice("outcome", outcomes, "", (value) => this.view.change({ outcome: value }));
    this.fields = { find: search, outcome };
    const clear = element("button", { type: "reset", id: "clear" }, "Clear");
    return element(
      "form",
      { class: "filters", role: "search", onsubmit: (event) => this.onSubmit(event), onreset: (event) => this.clear(event) },
      fieldWithLabel("Find a query", search),
      fieldWithLabel("Outcome", outcome),
      ...Object.entries(this.evaluation.segments.labels).map(([name, labels]) => this.segmentFilter(name, labels)),
      clear,
      this.systemsSwitch(),
    );
  }

  /** Enter in the filter opens the query that is left; of several, it goes to the table. */
  onSubmit(event) {
    event.preventDefault();
    if (this.order.length === 1) this.view.change({ query: this.order[0] });
    else this.focus();
  }

  segmentFilter(name, labels) {
    const known = [...new Set(labels.filter((label) => label !== null))];
    const options = [["", "any"], ...known.sort().map((label) => [label, label || "(empty)"])];
    const select = choice(`segment-${name}`, options, "", (value) => this.view.change({ [`in.${name}`]: value }));
    this.fields[`in.${name}`] = select;
    select.dataset.segment = name;
    if (Object.hasOwn(this.evaluation.segments.made, name)) select.title = this.evaluation.segments.made[name];
    return fieldWithLabel(this.evaluation.segments.titles[name] ?? name, select);
  }

  systemsSwitch() {
    if (this.evaluation.systems.length < 3) return null;
    this.everything = element("input", { type: "checkbox", id: "everything", onchange: (event) => this.view.change({ all: event.target.checked ? "1" : "" }) });
    return element("label", { class: "switch" }, this.everything, " all systems");
  }

  /** Takes the filters away; the order stays. */
  clear(event) {
    event.preventDefault();
    this.view.change({ ...this.none, all: "" });
  }

  /** No filter. */
  get none() {
    return Object.fromEntries(Object.keys(this.fields).map((name) => [name, ""]));
  }

  /** Returns the query that stands so many rows further on; null beyond the ends. */
  neighbour(query, step) {
    const row = this.order.indexOf(query);
    return row < 0 ? (this.order[step > 0 ? 0 : this.order.length - 1] ?? null) : (this.order[row + step] ?? null);
  }

  /** Returns the row of a query, from 1 on; 0 where the filter leaves it out. */
  rowOf(query) {
    return this.order.indexOf(query) + 1;
  }

  /** Puts the keyboard into the table. */
  focus() {
    this.grid.element.focus({ preventScroll: true });
    document.getElementById("queries").scrollIntoView();
  }
}

/** Filters and sorts the queries. */
class Selection {
  constructor(evaluation) {
    this.evaluation = evaluation;
    const { id, text } = evaluation.queries;
    this.texts = id.map((each, query) => foldText(text?.[query] ? `${each}\n${text[query]}` : each));
  }

  /**
   * Returns the queries that pass the filter, as indices; those left out on request only where it asks for them.
   * @param {object} state of the view: `find`, `outcome` and `in.<segment>` are looked for, "" asks for nothing
   */
  filterQueries(state) {
    const wanted = foldText(state.find.trim());
    const tests = [];
    if (wanted) tests.push((query) => this.texts[query].includes(wanted));
    for (const [name, labels] of Object.entries(this.evaluation.segments.labels)) {
      const value = state[`in.${name}`];
      if (value !== "") tests.push((query) => labels[query] === value);
    }
    if (state.outcome !== "out" && this.evaluation.unasked.size) tests.push((query) => !this.evaluation.unasked.has(query));
    if (state.outcome) tests.push(this.outcomeTest(state));
    const all = Uint32Array.from({ length: this.evaluation.size }, (_, query) => query);
    return tests.length ? all.filter((query) => tests.every((test) => test(query))) : all;
  }

  outcomeTest({ outcome, measure, baseline, system }) {
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
   * @param {Column} column
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

/** Returns a text without case and accents. */
function foldText(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Returns what a text sorts by: numbers within it by size. */
function sortable(text) {
  return foldText(text).replace(/\d+/g, (digits) => digits.padStart(12, "0"));
}

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
function columns(evaluation, state, narrow, everything) {
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
  const said = (difference) => (difference === null ? NONE : changeText(difference, turn(difference, direction)));
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
  const text = (query) => (values[query] === null || values[query] === "" ? NONE : numeric ? countText(Number(values[query])) : String(values[query]));
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
