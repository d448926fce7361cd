// The key to colours of grades.

import { chartElement } from "./chart_element.js";
import { gradeSpan } from "./chart_grades.js";
import { gradeInk, textInk } from "./chart_theme.js";

const FEW_GRADES = 8;

/** Returns what the cells of a strip mean: grades by colour, holes, no result. */
export function chartKey(lists, ink) {
  const list = document.createElement("ul");
  list.className = "chart-legend";
  const { low, high } = gradeSpan(lists);
  for (const grade of shownGrades(lists, low, high)) {
    const swatch = chartSwatch(list, "chart-swatch", `${Number(grade.toPrecision(4))}`, "");
    const share = (grade - low) / (high - low);
    Object.assign(swatch.style, { backgroundColor: gradeInk(ink, share), color: textInk(ink, share) });
  }
  list.firstElementChild.prepend("grade ");
  chartSwatch(list, "chart-swatch chart-hatched", "", "unjudged (a hole)");
  chartSwatch(list, "chart-swatch chart-empty", "", "no result");
  return list;
}

function shownGrades({ best }, low, high) {
  const all = [...new Set([0, ...best.grade])].sort((p, q) => p - q);
  return all.length <= FEW_GRADES ? all : [low, low + (high - low) / 3, low + (2 * (high - low)) / 3, high];
}

function chartSwatch(list, names, text, after) {
  const item = chartElement(list, "li");
  const swatch = chartElement(item, "span", names, text);
  item.append(after);
  return swatch;
}
