// The table of queries: filters above it, the count, the rows.

import { columns } from "./columns.js";
import { counted } from "../format.js";
import { Grid } from "./grid.js";
import { choice, labelledField, made } from "../made.js";
import { COUNTED, OUTCOMES, Selection } from "./selection.js";

/** Shows the queries in an empty section; the filter and the order stay when a query is chosen. */
export class Table {
  constructor(host, evaluation, view) {
    this.evaluation = evaluation;
    this.view = view;
    this.selection = new Selection(evaluation);
    this.filter = { text: "", outcome: "", segments: {} };
    this.sorted = { key: "", descending: false };
    this.asked = false; // whether somebody chose the order
    this.everything = false;
    this.narrow = matchMedia("(max-width: 40rem)");
    this.grid = new Grid(evaluation, {
      open: (query) => view.change({ query }),
      sort: (key) => this.sortBy(key),
      link: (query) => evaluation.link(query, view.state),
    });
    this.count = made("p", { id: "count", class: "count", role: "status" });
    host.append(made("h2", {}, "Queries"), this.filters(), this.count, this.grid.element);
    this.narrow.addEventListener("change", () => this.show());
    view.listen((_, changed) => this.told(changed));
    this.show();
  }

  told(changed) {
    if (changed.has("measure") || changed.has("system") || changed.has("baseline")) this.show();
    if (changed.has("query")) this.grid.choose(this.view.state.query);
  }

  /** Filters, sorts and shows the queries anew. */
  show() {
    const { state } = this.view;
    this.nameOutcomes(state);
    this.columns = columns(this.evaluation, state, this.narrow.matches, this.everything);
    const chosen = this.asked ? this.columns.find((each) => each.key === this.sorted.key) : undefined;
    const column = chosen ?? this.worstFirst(state);
    this.order = this.selection.sort(this.selection.filtered(this.filter, state), column, this.sorted.descending);
    this.grid.show(this.columns, this.order, this.sorted);
    const shown = this.evaluation.queries.note ? " shown" : "";
    this.count.textContent = `${counted(this.order.length)} of ${counted(this.evaluation.size)} ${this.evaluation.size === 1 ? "query" : "queries"}${shown}`;
  }

  /** Gains and losses are called as the measure has them. */
  nameOutcomes({ measure }) {
    const counted = this.evaluation.direction(measure) === "count" ? COUNTED : {};
    for (const option of this.outcomes.options) option.text = counted[option.value] ?? Object.fromEntries(OUTCOMES)[option.value];
  }

  /** The order before anyone asked for one: losses first, where there are none gains; or the worst values. */
  worstFirst(state) {
    const key = state.baseline === null ? `value:${state.system}` : "difference";
    const lower = this.evaluation.direction(state.measure) === "lower";
    const gainsFirst = state.baseline !== null && !this.selection.filtered({ text: "", outcome: "loss", segments: {} }, state).length;
    this.sorted = { key, descending: lower !== gainsFirst };
    return this.columns.find((each) => each.key === key);
  }

  sortBy(key) {
    const again = this.sorted.key === key;
    this.asked = true;
    this.sorted = { key, descending: again ? !this.sorted.descending : false };
    this.grid.element.scrollTop = 0;
    this.show();
  }

  filters() {
    const search = made("input", { type: "search", id: "filter", placeholder: "id or text", autocomplete: "off", spellcheck: "false", oninput: (event) => this.filterBy({ text: event.target.value }) });
    const outcomes = OUTCOMES.filter(([value]) => this.evaluation.pairs.length || !["gain", "loss", "same"].includes(value));
    this.outcomes = choice("outcome", outcomes, "", (outcome) => this.filterBy({ outcome }));
    const clear = made("button", { type: "reset", id: "clear" }, "Clear");
    return made(
      "form",
      { class: "filters", role: "search", onsubmit: (event) => this.entered(event), onreset: () => this.clear() },
      labelledField("Find a query", search),
      labelledField("Outcome", this.outcomes),
      ...Object.entries(this.evaluation.segments.labels).map(([name, labels]) => this.segmentFilter(name, labels)),
      clear,
      this.systemsSwitch(),
    );
  }

  /** Enter in the filter opens the query that is left; of several, it goes to the table. */
  entered(event) {
    event.preventDefault();
    if (this.order.length === 1) this.view.change({ query: this.order[0] });
    else this.focus();
  }

  segmentFilter(name, labels) {
    const known = [...new Set(labels.filter((label) => label !== null))];
    const options = [["", "any"], ...known.sort().map((label) => [label, label || "(empty)"])];
    const select = choice(`segment-${name}`, options, "", (value) => this.filterBy({ segments: { ...this.filter.segments, [name]: value } }));
    select.dataset.segment = name;
    if (Object.hasOwn(this.evaluation.segments.made, name)) select.title = this.evaluation.segments.made[name];
    return labelledField(this.evaluation.segments.titles[name] ?? name, select);
  }

  systemsSwitch() {
    if (this.evaluation.systems.length < 3) return null;
    const box = made("input", { type: "checkbox", id: "everything", onchange: (event) => this.showAll(event.target.checked) });
    return made("label", { class: "switch" }, box, " all systems");
  }

  showAll(everything) {
    this.everything = everything;
    this.show();
  }

  filterBy(values) {
    this.filter = { ...this.filter, ...values };
    this.grid.element.scrollTop = 0;
    this.show();
  }

  clear() {
    this.everything = false;
    this.filterBy({ text: "", outcome: "", segments: {} });
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
