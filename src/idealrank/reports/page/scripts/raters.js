// What to judge first: links to its queries, and all of it as CSV for those who judge.

import { part } from "./data.js";
import { made } from "./made.js";

/** Makes the links of the head lead to their queries, and its button copy the documents to judge. */
export function ratersIn(host, evaluation) {
  for (const link of host.querySelectorAll("a.query-link")) link.href = evaluation.linkTo(link.dataset.query, evaluation.usual) ?? "#queries";
  host.querySelector("#raters")?.addEventListener("click", (event) => copyCsv(event.currentTarget, evaluation));
}

async function copyCsv(button, evaluation) {
  const text = await csvOf(evaluation.summary.pair);
  const said = button.nextElementSibling;
  try {
    await navigator.clipboard.writeText(text);
    said.textContent = " copied";
  } catch {
    said.textContent = " copy it from here:";
    const area = made("textarea", { class: "csv", readonly: true, "aria-label": "Results to judge, as CSV" });
    area.value = text;
    button.closest("p").parentElement.querySelector(".csv")?.remove();
    button.closest("p").after(area);
    area.select();
  }
}

/** Returns a row for each document to judge, with an empty grade. */
async function csvOf([baseline, system]) {
  const [{ to_judge: rows }, { id, title }] = await Promise.all([part("holes"), part("documents")]);
  const titles = new Map(title ? id.map((key, at) => [key, title[at]]) : []);
  const ours = rows.filter((row) => row.baseline === baseline && row.system === system);
  const lines = ours.map((row) => [row.query, row.document, row.text ?? "", titles.get(row.document) ?? "", ""]);
  return [["query_id", "doc_id", "query", "title", "grade"], ...lines].map((line) => line.map(quoted).join(",")).join("\n") + "\n";
}

function quoted(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
