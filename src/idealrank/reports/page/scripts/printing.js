// On paper the table is a plain one, with as many rows as one reads on paper.

import { made, nameOf } from "./made.js";

const PAPER_ROWS = 200;
const PAPER_COLUMNS = 10;

/** Puts the plain table beside the one on the screen before the page is printed. */
export function printed(host, table) {
  const paper = made("div", { class: "paper" });
  host.append(paper);
  const write = () => paper.replaceChildren(plainTable(table), moreLine(table));
  addEventListener("beforeprint", write);
  matchMedia("print").addEventListener("change", (event) => event.matches && write());
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
  return made("p", { class: "note" }, more > 0 ? `${more} more ${more === 1 ? "query" : "queries"} in the file.` : "");
}
