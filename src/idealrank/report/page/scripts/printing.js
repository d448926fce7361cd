// On paper the table is a plain one, with as many rows as one reads on paper.

import { made, nameOf } from "./made.js";

const PRINTED = 200;

/** Puts the plain table beside the one on the screen before the page is printed. */
export function printed(host, table) {
  const paper = made("div", { class: "paper" });
  host.append(paper);
  const write = () => paper.replaceChildren(plainTable(table), moreLine(table));
  addEventListener("beforeprint", write);
  matchMedia("print").addEventListener("change", (event) => event.matches && write());
}

function plainTable(table) {
  const head = table.columns.map((column) => made("th", { scope: "col", class: column.kind }, column.group ? `${column.group} ` : "", nameOf(column.title)));
  const rows = Array.from(table.order.subarray(0, PRINTED), (query) => made(
    "tr", {}, ...table.columns.map((column) => made("td", { class: column.kind }, nameOf(column.text(query)))),
  ));
  return made("table", {}, made("thead", {}, made("tr", {}, ...head)), made("tbody", {}, ...rows));
}

function moreLine(table) {
  const more = table.order.length - PRINTED;
  return made("p", { class: "note" }, more > 0 ? `${more} more ${more === 1 ? "query" : "queries"} in the file.` : "");
}
