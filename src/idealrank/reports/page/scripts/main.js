// Puts the page together.

import { buttons, choosers, keysSheet, listenForKeys, menu, sheetCloses } from "./bar.js";
import { charts } from "./charts/charts.js";
import { copyWholeNames, tabsOf } from "./elements.js";
import { Evaluation, part, readable } from "./evaluation.js";
import { preparePrinting } from "./printing.js";
import { ChosenQuery } from "./query/query.js";
import { QueryTable } from "./query_table.js";
import { changesIn, ratersIn } from "./to_look_at.js";
import { jump, keepAddress, View } from "./view.js";

/**
 * Begins the page, and says so where that fails.
 * @param {((evaluation: object, view: View) => void)[]} further what pages of several systems have besides
 */
export function begin(...further) {
  put(further).catch((error) => {
    tell(`The interactive part of this report failed (${error.message}). What is shown without it is complete.`);
    throw error;
  });
}

async function put(further) {
  const tools = menu(document.querySelector("#bar .tools"));
  const keys = keysSheet(document.getElementById("query").hasAttribute("data-texts"));
  document.getElementById("report").append(keys);
  sheetCloses(keys);
  tabsOf(document.getElementById("method"));
  copyWholeNames();
  if (!readable) {
    hideWithoutData();
    addEventListener("hashchange", jump);
    jump();
    return;
  }
  const evaluation = await Evaluation.read();
  const view = new View({ ...evaluation.usual, query: null, unknown: null });
  choosers(tools, evaluation, view);
  buttons(tools);
  const section = (id) => document.getElementById(id);
  const table = new QueryTable(section("queries"), evaluation, view);
  new ChosenQuery(section("query"), evaluation, view, table);
  changesIn(section("changes"), evaluation, view);
  ratersIn(section("summary"), evaluation);
  for (const each of further) each(evaluation, view);
  preparePrinting({ queries: section("queries"), worst: section("changes"), button: section("print-all") }, table, part);
  listenForKeys(view, table);
  try {
    await charts(section("charts"), part, view); // what stands below them is scrolled to afterwards
  } finally {
    keepAddress(evaluation, view);
    jump();
    document.documentElement.dataset.ready = "true";
  }
}

function hideWithoutData() {
  for (const each of document.querySelectorAll("a.live, section.live, button.live, .skip, #choices")) each.hidden = true;
  tell("This browser cannot unpack the data of this report: charts and queries are missing. The summary above and the method below are complete; a browser of 2024 or later shows the rest.");
}

function tell(words) {
  const notice = document.getElementById("notice");
  notice.textContent = words;
  notice.hidden = false;
}
