// The chosen query: its values, the lists side by side, the arithmetic.

import { copyText, element, nameOf } from "../elements.js";
import { part } from "../evaluation.js";
import { changeText, fixed, mood, turn } from "../format.js";
import { arithmeticOf } from "./arithmetic.js";
import { QueryLists } from "./lists.js";
import { ticketOf } from "./ticket.js";
import { plainTable, tableBox } from "../tables.js";
import { partOf } from "../view.js";

const LONG = 200; // a text of more signs is cut until asked for

/** Shows the chosen query in a section that is hidden while there is none. */
export class ChosenQuery {
  /**
   * @param {{neighbour: (query: number, step: number) => (number|null), rowOf: (query: number) => number, order: Uint32Array}} table
   */
  constructor(host, evaluation, view, table) {
    Object.assign(this, { host, evaluation, view, table, whole: false });
    this.lists = new QueryLists(evaluation, view, () => this.draw());
    view.listen((_, names) => this.update(names));
  }

  update(names) {
    const { query, unknown } = this.view.state;
    if (names.has("query") || names.has("unknown")) this.open();
    else if (query !== null && unknown === null) this.draw();
  }

  async open() {
    const { query, unknown } = this.view.state;
    this.host.hidden = query === null && unknown === null;
    if (this.host.hidden) return this.host.replaceChildren();
    if (query === null) await this.miss(unknown);
    else await this.draw();
    if (query !== this.view.state.query || unknown !== this.view.state.unknown) return undefined; // meanwhile another
    if (partOf(location.hash)) return undefined; // the address leads elsewhere, with this query open
    this.host.querySelector("h2")?.focus({ preventScroll: true });
    return this.host.scrollIntoView({ behavior: "instant" });
  }

  async miss(id) {
    const { systems } = await part("ledger");
    if (id !== this.view.state.unknown) return;
    const unjudged = systems.some((each) => each.returned_not_judged.includes(id));
    const { note } = this.evaluation.queries;
    const said = unjudged ? ["“", nameOf(id), "” was returned, but not judged: it has no value."] : ["No query called “", nameOf(id), "” in this report."];
    this.host.replaceChildren(this.back(), element("h2", { tabindex: "-1" }, ...said), note && !unjudged ? element("p", { class: "note" }, note) : "");
  }

  async draw() {
    const { query } = this.view.state;
    const names = ["lists", "documents", "explanations"];
    const [lists, documents, explanations] = await Promise.all(names.map(part));
    if (query !== this.view.state.query) return; // another was chosen meanwhile
    const facts = { lists, documents, explanations };
    this.host.replaceChildren(
      this.steps(query), this.heading(query), valuesOf(this.evaluation, this.view.state, query, this.whole, () => this.showAll()),
      this.lists.of(query, facts), arithmeticOf(this.evaluation, this.view.state, query, facts, this.lists.sides()),
    );
    this.lists.drawLines();
  }

  /** Shows the values of all systems, for the next queries, too. */
  async showAll() {
    this.whole = true;
    await this.draw();
    this.host.querySelector(".query-values").focus();
  }

  /** Links to the table and to the queries before and after in its order. */
  steps(query) {
    const row = this.table.rowOf(query);
    const place = row ? `${row} of ${this.table.order.length}` : "not among the filtered queries";
    return element(
      "nav", { class: "query-steps", "aria-label": "Queries" },
      this.back(),
      element("span", { class: "place" }, place),
      this.step("previous", "‹ Previous", this.table.neighbour(query, -1)),
      this.step("next", "Next ›", this.table.neighbour(query, 1)),
    );
  }

  /** A button that copies the query as Markdown. */
  ticket(query) {
    const copy = async ({ currentTarget }) => copyText(currentTarget, await ticketOf(this.evaluation, this.view.state, query, this.lists.sides()), "This query as Markdown");
    return element("span", {}, element("button", { type: "button", id: "ticket", title: "Both lists, values and how to see them again, as Markdown", onclick: copy }, "Copy for a ticket"), element("span", { role: "status" }));
  }

  back() {
    return element("a", { class: "back", href: "#queries" }, "← All queries");
  }

  step(id, words, query) {
    const link = query === null ? null : this.evaluation.link(query, this.view.state);
    return element("a", { id, href: link, "aria-disabled": link === null ? "true" : null, role: link === null ? "link" : null }, words);
  }

  heading(query) {
    const { queries, segments } = this.evaluation;
    const id = queries.id[query];
    const title = this.evaluation.title(query);
    const labels = { ...segments.labels, ...queries.attributes };
    const facts = Object.entries(labels).filter(([, values]) => values[query] !== null && values[query] !== "");
    return element(
      "header", { class: "query-head" },
      element("h2", { id: "query-title", title, tabindex: "-1" }, nameOf(title)),
      title.length > LONG ? unfolding() : null,
      element("p", { class: "query-facts" },
        element("span", {}, "id ", nameOf(id, { class: "id" })),
        ...(queries.weight ? [element("span", {}, `weight ${queries.weight[query]}`)] : []),
        ...facts.map(([name, values]) => element("span", {}, nameOf(segments.titles[name] ?? name), " ", element("b", {}, nameOf(String(values[query]))))),
        element("a", { id: "link", href: this.evaluation.link(query, this.view.state) }, "Link to this query"),
        copying(),
        this.ticket(query),
      ),
    );
  }
}

/** A button that shows a long text whole, and cuts it again. */
function unfolding() {
  const press = ({ target }) => {
    const whole = target.previousElementSibling.classList.toggle("whole");
    target.setAttribute("aria-expanded", String(whole));
  };
  return element("button", { type: "button", id: "whole", "aria-expanded": "false", onclick: press }, "Whole text");
}

/** A button that copies the address; where that is refused, it says how to do it by hand. */
function copying() {
  const said = element("span", { role: "status" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      said.textContent = "copied";
    } catch {
      said.textContent = "not allowed here: copy the link beside by the menu of your mouse";
    }
  };
  return element("span", {}, element("button", { type: "button", class: "plain", id: "copy", onclick: copy }, "Copy link"), said);
}

// The values of the chosen query: a row a system, a column a measure.

const FEW = 6; // systems that are shown until all are asked for

/** Returns the values of all systems under all measures, the two looked at first; below the value, the difference from the baseline. */
function valuesOf(evaluation, state, query, whole, showAll) {
  const head = evaluation.measures.map(({ label }) => element("th", { scope: "col", class: label === state.measure ? "number current" : "number" }, label));
  const first = [state.baseline, state.system].filter((system) => system !== null);
  const order = [...first, ...evaluation.summary.order.filter((system) => !first.includes(system))];
  const rows = order.map((system, place) => element(
    "tr", { "data-system": system, hidden: !whole && place >= FEW },
    element("th", { scope: "row" }, evaluation.nameOf(system)),
    ...evaluation.measures.map(({ label }) => element(
      "td", { class: label === state.measure ? "number current" : "number", "data-measure": label },
      ...valueOf(evaluation, label, system, query),
      differenceOf(evaluation, { measure: label, baseline: state.baseline, system }, query),
    )),
  ));
  const table = plainTable([element("th", { scope: "col" }, "system"), ...head], rows);
  if (!whole && order.length > FEW) table.lastChild.append(element("tr", { class: "further" }, element("td", { colspan: String(head.length + 1) }, element("button", { type: "button", class: "plain", id: "every-system", onclick: showAll }, `Show all ${order.length} systems`))));
  return tableBox("Values of this query", "wide query-values", table);
}

function valueOf(evaluation, measure, system, query) {
  const state = evaluation.state(measure, system, query);
  return [element("b", {}, fixed(evaluation.value(measure, system, query))), ...(state ? [element("small", {}, state)] : [])];
}

function differenceOf(evaluation, { measure, baseline, system }, query) {
  if (baseline === null || baseline === system) return null;
  const difference = evaluation.difference(measure, baseline, system, query);
  return difference === null ? null : differenceMark(difference, evaluation.direction(measure));
}

/** A difference with glyph and sign. */
function differenceMark(difference, direction) {
  const turned = turn(difference, direction);
  return element("span", { class: `difference ${mood(turned, direction)}` }, changeText(difference, turned));
}
