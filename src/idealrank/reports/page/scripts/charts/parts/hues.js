// The colours of grades on a canvas, worked out once: a strip has tens of thousands of cells.

import { gradeInk, textInk } from "./theme.js";

const SHADES = 100;

/** Colours by grade, and the hatching of results nobody judged. */
export class GradeHues {
  constructor(ink, { low, high }, pixels) {
    const shades = Array.from({ length: SHADES + 1 }, (_, i) => i / SHADES);
    Object.assign(this, { low, scale: SHADES / (high - low) });
    this.fills = shades.map((share) => gradeInk(ink, share));
    this.texts = shades.map((share) => textInk(ink, share));
    this.hatch = hatched(ink.axis, pixels);
  }

  /** The colour of a cell. */
  fill(grade) {
    return this.fills[Math.round((grade - this.low) * this.scale)];
  }

  /** The colour of the text in a cell. */
  text(grade) {
    return this.texts[Math.round((grade - this.low) * this.scale)];
  }
}

function hatched(colour, pixels) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = Math.round(6 * pixels);
  const context = tile.getContext("2d");
  context.strokeStyle = colour;
  context.lineWidth = pixels;
  for (const shift of [-1, 0, 1]) {
    context.moveTo(shift * tile.width, tile.height);
    context.lineTo((shift + 1) * tile.width, 0);
  }
  context.stroke();
  return context.createPattern(tile, "repeat");
}
