// On paper: the lists of the worst queries, and, where everything is asked for, a plain table of queries.

import { worstOf } from "./changes.js";
import { changed, fixed, grade, level, turn } from "./format.js";
import { made, nameOf } from "./made.js";

const PAPER_ROWS = 200;
const PAPER_COLUMNS = 10;

/** Writes what is on paper alone before the page is printed. */
export function printed({ queries, worst, button }, table, part) {
  const paper = made("div", { class: "paper" });
  const lists = made("div", { class: "worst" });
  const facts = {};
  const load = async () => Object.assign(facts, { lists: await part("lists"), documents: await part("documents") });
  queries.append(paper);
  worst.append(lists);
  const write = () => { // once as soon as the lists are there, so that paper has them however it is asked for
    paper.replaceChildren(plainTable(table), moreLine(table));
    lists.replaceChildren(...(facts.documents ? worstLists(table, facts) : []));
  };
  addEventListener("beforeprint", write);
  matchMedia("print").addEventListener("change", (event) => event.matches && write());
  const loaded = load().then(write);
  button.addEventListener("click", () => loaded.then(printAll));
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
  const said = difference === null ? fixed(evaluation.value(measure, system, query)) : changed(difference, turn(difference, evaluation.direction(measure)));
  const rows = sides.map((side) => lists.systems[side]).map(({ start, document, grade: grades }) => Array.from({ length: start[query + 1] - start[query] }, (_, at) => [document[start[query] + at], grades[start[query] + at]]));
  const cells = (place) => rows.map((row) => (place < row.length ? paperCell(row[place], documents, top) : made("td", {})));
  const deep = Math.max(...rows.map((row) => row.length));
  return made(
    "section", {},
    made("h3", {}, nameOf(evaluation.title(query)), ` ${measure} ${said}`),
    made("table", {},
      made("thead", {}, made("tr", {}, made("th", {}, "#"), ...sides.map((side) => made("th", {}, nameOf(side))))),
      made("tbody", {}, ...Array.from({ length: deep }, (_, place) => made("tr", {}, made("td", {}, `${place + 1}`), ...cells(place))))),
  );
}

function paperCell([code, value], documents, top) {
  return made("td", {}, made("span", { class: "grade", "data-level": level(value, top) }, made("span", {}, grade(value))), nameOf(documents.title?.[code] ?? documents.id[code]));
}

function plainTable(table) {
  const columns = table.columns.filter(({ key }) => !key.startsWith("segment:")).slice(0, PAPER_COLUMNS);
  const head = columns.map((column) => made("th", { scope: "col", class: column.kind }, column.group ? `${column.group} ` : "", nameOf(column.title)));
  const rows = Array.from(table.order.subarray(0, PAPER_ROWS), (query) => made(
    "tr", {}, ...columns.map((column) => made("td", { class: column.kind }, column.kind === "name" ? nameOf(column.text(query)) : column.text(query), idOf(column, query, table.evaluation))),
  ));
  return made("table", {}, made("thead", {}, made("tr", {}, ...head)), made("tbody", {}, ...rows));
}

function idOf(column, query, evaluation) {
  const id = evaluation.queries.id[query];
  return column.kind === "name" && id !== evaluation.title(query) ? made("small", {}, " ", nameOf(id)) : null;
}

function moreLine(table) {
  const more = table.order.length - PAPER_ROWS;
  return made("p", { class: "note" }, more > 0 ? `${more.toLocaleString("en")} more ${more === 1 ? "query" : "queries"} in the file.` : "");
}
