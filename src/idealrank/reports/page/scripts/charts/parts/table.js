// The numbers behind a chart, as a table.

import { chartElement } from "./element.js";

const TABLE_MOST = 100;

/**
 * Returns a table in a box of its own, its first 100 rows.
 *
 * A cell is a text, or a text with the number behind it, which stands in full in the attribute `data-value`.
 */
export function chartTable(title, { heads, count, row }) {
  const box = document.createElement("div");
  box.className = "chart-table";
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", `Numbers: ${title}`);
  const table = chartElement(box, "table");
  const top = chartElement(chartElement(table, "thead"), "tr");
  for (const text of heads) chartElement(chartElement(top, "th"), "bdi", "", text).parentElement.scope = "col";
  const body = chartElement(table, "tbody");
  for (let place = 0; place < Math.min(count, TABLE_MOST); place += 1) chartRow(chartElement(body, "tr"), row(place));
  if (count > TABLE_MOST) chartElement(box, "p", "", `The first ${TABLE_MOST} of ${count.toLocaleString("en")} rows.`);
  return box;
}

function chartRow(line, cells) {
  for (const cell of cells) {
    const { text, value } = typeof cell === "object" ? cell : { text: cell };
    const element = chartElement(line, "td", value === undefined ? "" : "number");
    if (typeof value === "number") element.dataset.value = value;
    chartElement(element, "bdi", "", text);
  }
}
