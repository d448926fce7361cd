// A word in a corner of a plot, beside its points.

import { chartFont, chartWords } from "./ink.js";
import { chartPixels } from "./pixels.js";

const CORNER_STEPS = [0, 0.14, 0.28];
const CORNER_HEIGHT = 20;
const CORNER_GAP = 8;

/**
 * Writes a word where no point lies: in the corner, else along the sides that meet there; nowhere if all are taken.
 *
 * @param {number} corner - 1: on the upper left; -1: on the lower right
 * @param {[number, number][]} points - places on the canvas
 */
export function chartCorner(context, plot, text, { corner, points, colour }) {
  const box = cornerBoxes(context, plot, text, corner).find((each) => !points.some((point) => within(each, point)));
  if (!box) return;
  const gap = CORNER_GAP * chartPixels();
  chartWords(context, text, [box.left + gap, box.top + box.height / 2], { colour });
}

function cornerBoxes(context, { bbox }, text, corner) {
  const [pixels, { left, top }] = [chartPixels(), bbox];
  context.font = chartFont("600");
  const [width, height] = [context.measureText(text).width + 2 * CORNER_GAP * pixels, (CORNER_HEIGHT + CORNER_GAP) * pixels];
  const [right, down] = [bbox.width - width, bbox.height - height];
  const moves = CORNER_STEPS.flatMap((step) => [[step, 0], [0, step]]);
  return moves
    .map(([x, y]) => (corner > 0 ? [x * bbox.width, y * bbox.height] : [right - x * bbox.width, down - y * bbox.height]))
    .map(([x, y]) => ({ left: left + x, top: top + y, width, height }));
}

function within({ left, top, width, height }, [x, y]) {
  const near = 4 * chartPixels();
  return x > left - near && x < left + width + near && y > top - near && y < top + height + near;
}
