// On paper: the lists of the worst queries, and, where everything is asked for, a plain table of queries.

import { element, nameOf } from "./elements.js";
import { changeText, fixed, grade, level, turn } from "./format.js";
import { plainTable } from "./tables.js";
import { worstOf } from "./to_look_at.js";

const PAPER_ROWS = 200;
const PAPER_COLUMNS = 10;

/** Writes what is on paper alone before the page is printed. */
export function preparePrinting({ queries, worst, button }, table, part) {
  const paper = element("div", { class: "paper" });
  const lists = element("div", { class: "worst" });
  const facts = {};
  const load = async () => Object.assign(facts, { lists: await part("lists"), documents: await part("documents") });
  queries.append(paper);
  worst.append(lists);
  const write = () => { // once as soon as the lists are there, so that paper has them however it is asked for
    paper.replaceChildren(queriesTable(table), moreLine(table));
    lists.replaceChildren(...(facts.documents ? worstLists(table, facts) : []));
    document.getElementById("printed").textContent = dates();
  };
  addEventListener("beforeprint", write);
  matchMedia("print").addEventListener("change", (event) => event.matches && write());
  const loaded = load().then(write);
  button.addEventListener("click", () => loaded.then(printAll));
}

// When it is printed, and when the file was saved: the report itself has no date, so that the same one has the same bytes.
function dates() {
  const words = (date) => date.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
  const saved = location.protocol === "file:" ? ` from a file of ${words(new Date(document.lastModified))}` : "";
  return `${words(new Date())}${saved}`;
}

function printAll() {
  const root = document.documentElement;
  root.dataset.print = "all";
  addEventListener("afterprint", () => delete root.dataset.print, { once: true });
  print();
}

function worstLists({ evaluation, view: { state } }, facts) {
  const sides = state.baseline === null ? [state.system] : [state.baseline, state.system];
  const top = facts.lists.best.grade.reduce((most, each) => Math.max(most, each ?? 0), 1);
  return worstOf(evaluation, state).map((query) => worstList(evaluation, state, query, sides, facts, top));
}

function worstList(evaluation, { measure, baseline, system }, query, sides, { lists, documents }, top) {
  const difference = baseline === null ? null : evaluation.difference(measure, baseline, system, query);
  const said = difference === null ? fixed(evaluation.value(measure, system, query)) : changeText(difference, turn(difference, evaluation.direction(measure)));
  const rows = sides.map((side) => lists.systems[side]).map(({ start, document, grade: grades }) => Array.from({ length: start[query + 1] - start[query] }, (_, at) => [document[start[query] + at], grades[start[query] + at]]));
  const cells = (place) => rows.map((row) => (place < row.length ? paperCell(row[place], documents, top) : element("td", {})));
  const deep = Math.max(...rows.map((row) => row.length));
  return element(
    "section", {},
    element("h3", {}, nameOf(evaluation.title(query)), ` ${measure} ${said}`),
    plainTable(
      [element("th", {}, "#"), ...sides.map((side) => element("th", {}, nameOf(side)))],
      Array.from({ length: deep }, (_, place) => element("tr", {}, element("td", {}, `${place + 1}`), ...cells(place)))),
  );
}

function paperCell([code, value], documents, top) {
  return element("td", {}, element("span", { class: "grade", "data-level": level(value, top) }, element("span", {}, grade(value))), nameOf(documents.title?.[code] ?? documents.id[code]));
}

function queriesTable(table) {
  const columns = table.columns.filter(({ key }) => !key.startsWith("segment:")).slice(0, PAPER_COLUMNS);
  const head = columns.map((column) => element("th", { scope: "col", class: column.kind }, column.group ? `${column.group} ` : "", nameOf(column.title)));
  const rows = Array.from(table.order.subarray(0, PAPER_ROWS), (query) => element(
    "tr", {}, ...columns.map((column) => element("td", { class: column.kind }, column.kind === "name" ? nameOf(column.text(query)) : column.text(query), idOf(column, query, table.evaluation))),
  ));
  return plainTable(head, rows);
}

function idOf(column, query, evaluation) {
  const id = evaluation.queries.id[query];
  return column.kind === "name" && id !== evaluation.title(query) ? element("small", {}, " ", nameOf(id)) : null;
}

function moreLine(table) {
  const more = table.order.length - PAPER_ROWS;
  return element("p", { class: "note" }, more > 0 ? `${more.toLocaleString("en")} more ${more === 1 ? "query" : "queries"} in the file.` : "");
}
