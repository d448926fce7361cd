// The charts of the page, in their order.

import { curvesChart } from "./chart_curves.js";
import { differencesChart } from "./chart_differences.js";
import { distributionChart } from "./chart_distribution.js";
import { ChartGallery } from "./chart_gallery.js";
import { overlapChart } from "./chart_overlap.js";
import { scatterChart } from "./chart_scatter.js";
import { segmentsChart } from "./chart_segments.js";
import { stripChart } from "./chart_strip.js";
import { valuesChart } from "./chart_values.js";

const ALL_CHARTS = [
  differencesChart,
  valuesChart,
  scatterChart,
  stripChart,
  curvesChart,
  segmentsChart,
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
  await new ChartGallery(host, part, view, ALL_CHARTS).begin();
}
