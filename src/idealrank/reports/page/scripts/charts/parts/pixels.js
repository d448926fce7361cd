// How fine the charts are drawn: as fine as the screen, finer for paper.

const PAPER_PIXELS = 3;

const fineness = { sharp: 1 };

/** Draws for paper from now on, or for the screen. */
export function drawForPaper(paper) {
  fineness.sharp = paper ? Math.max(1, PAPER_PIXELS / devicePixelRatio) : 1;
}

/** Returns how many times finer than the screen is drawn. */
export function chartSharp() {
  return fineness.sharp;
}

/** Returns the pixels of a canvas in one CSS pixel. */
export function chartPixels() {
  return uPlot.pxRatio * fineness.sharp;
}
