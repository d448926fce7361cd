// The charts of the page, in their order.

import { curvesChart } from "./curves.js";
import { differencesChart } from "./differences.js";
import { distributionChart } from "./distribution.js";
import { ChartGallery } from "./parts/gallery.js";
import { latencyChart } from "./latency.js";
import { overlapChart } from "./overlap.js";
import { scatterChart } from "./scatter.js";
import { segmentsChart } from "./segments.js";
import { stripChart } from "./strip.js";
import { valuesChart } from "./values.js";

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
  await new ChartGallery(host, part, view, ALL_CHARTS).begin();
}
