// The charts of the page, in their order.

import { curvesChart } from "./curves.js";
import { Gallery } from "./frame.js";
import { stripChart } from "./grade_strip.js";
import { distributionChart, overlapChart } from "./histograms.js";
import { latencyChart } from "./latency.js";
import { scatterChart } from "./scatter.js";
import { segmentsChart } from "./segments.js";
import { differencesChart, valuesChart } from "./sorted_bars.js";

const ALL_CHARTS = [
  differencesChart,
  valuesChart,
  scatterChart,
  segmentsChart,
  curvesChart,
  latencyChart,
  stripChart,
  overlapChart,
  distributionChart,
];

/**
 * Draws the charts into a section, and keeps them as the view has it.
 *
 * @param {HTMLElement} host - an empty section
 * @param {(name: string) => Promise} part - gives a part of the report
 * @param {View} view - measure, system, baseline, query; a query that is opened in a chart is told to it
 */
export async function charts(host, part, view) {
  await new Gallery(host, part, view, ALL_CHARTS).begin();
}
