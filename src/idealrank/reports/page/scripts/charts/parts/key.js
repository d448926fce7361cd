// The key to colours of grades.

import { chartElement } from "./element.js";
import { gradeSpan } from "./grades.js";
import { gradeInk, textInk } from "./theme.js";

const FEW_GRADES = 8;

/** Returns what the cells of a strip mean: grades by colour, holes, no result. */
export function chartKey(lists, ink) {
  const list = document.createElement("ul");
  list.className = "chart-legend";
  const { low, high, known } = gradeSpan(lists);
  for (const grade of shownGrades(known, low, high)) {
    const swatch = chartSwatch(list, "chart-swatch", `${Number(grade.toPrecision(4))}`, "");
    const share = (grade - low) / (high - low);
    Object.assign(swatch.style, { backgroundColor: gradeInk(ink, share), color: textInk(ink, share) });
  }
  list.firstElementChild.prepend("grade ");
  chartSwatch(list, "chart-swatch chart-hatched", "", "unjudged (a hole)");
  chartSwatch(list, "chart-swatch chart-empty", "", "no result");
  return list;
}

// Of many grades: steps from the lowest to the highest.
function shownGrades(known, low, high) {
  return known.length <= FEW_GRADES ? known : [0, 1 / 3, 2 / 3, 1].map((share) => low + share * (high - low));
}

function chartSwatch(list, names, text, after) {
  const item = chartElement(list, "li");
  const swatch = chartElement(item, "span", names, text);
  item.append(after);
  return swatch;
}
