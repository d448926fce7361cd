// A plot with axes; what stands in it is drawn by the chart itself.

const CHART_FONT = "12px system-ui, sans-serif";

/**
 * Draws two axes with the chart library, and calls `draw(context, plot)` for what lies between them.
 *
 * @param {Element} element - where the plot is put
 * @param {{width: number, height: number, ink: object, x: object, y: object, draw: Function, padding?: number[]}} about
 *   an axis has `low`, `high`, `label`, and may have `splits` (places of its ticks), `text` (of a tick), `size`, `down`
 * @returns the plot
 */
export function chartPlot(element, { width, height, ink, x, y, draw, padding = [10, 12, 0, 0] }) {
  const options = {
    width, height, padding,
    legend: { show: false },
    cursor: { show: false },
    select: { show: false },
    scales: { x: scaleOf(x), y: scaleOf(y) },
    series: [{}, { paths: () => null, points: { show: false } }],
    axes: [axisOf(x, ink, 34), axisOf(y, ink, 46)],
    hooks: { draw: [(plot) => clipped(plot, draw)] },
  };
  const plot = new uPlot(options, [[x.low, x.high], [null, null]], element);
  plot.batch(() => {}); // the library would draw a moment later: places are asked for now
  return plot;
}

/** Returns where the plot lies inside its element, in CSS pixels. */
export function chartArea(plot) {
  const { left, top, width, height } = plot.bbox;
  const ratio = uPlot.pxRatio;
  return { left: left / ratio, top: top / ratio, width: width / ratio, height: height / ratio };
}

/** Returns the font of the charts for a context: its size in device pixels. */
export function chartFont(weight = "", size = 12) {
  return `${weight} ${size * uPlot.pxRatio}px system-ui, sans-serif`;
}

/** Draws a line through places in device pixels; `width` and `dash` are in CSS pixels. */
export function chartLine(context, places, colour, width = 1, dash = []) {
  context.save();
  context.strokeStyle = colour;
  context.lineWidth = width * uPlot.pxRatio;
  context.setLineDash(dash.map((each) => each * uPlot.pxRatio));
  context.beginPath();
  for (const [x, y] of places) context.lineTo(x, y);
  context.stroke();
  context.restore();
}

function clipped(plot, draw) {
  plot.ctx.save();
  draw(plot.ctx, plot);
  plot.ctx.restore();
}

function scaleOf({ low, high, down = false }) {
  return { time: false, range: [low, high], dir: down ? -1 : 1 };
}

function axisOf({ label, splits, text, size, grid = true }, ink, usual) {
  return {
    label, font: CHART_FONT, labelFont: CHART_FONT, labelSize: label ? 22 : 0, labelGap: 2, gap: 6, size: size ?? usual,
    stroke: ink.muted,
    grid: { show: grid, stroke: ink.grid, width: 1 },
    ticks: { show: false },
    border: { show: false },
    ...(splits && { splits: () => splits }),
    ...(text && { values: (_, places) => places.map(text) }),
  };
}
