// Where the cells of a heat strip are: names of queries, then a lane of ranks for each system.

const LANE_GAP = 18;
const LANE_WIDEST = 64;

/** The width of the mark that says gain or loss, left of the first lane, in CSS pixels. */
export const TURN_WIDTH = 14;

/** Lanes of `depth` cells; names of queries stand before them where rows are high enough. */
export class StripLanes {
  constructor(width, { sides, depth, named }) {
    const names = named ? Math.min(260, Math.floor(width * (width >= 560 ? 0.24 : 0.3))) : 0;
    Object.assign(this, { names, depth, sides, begin: names + TURN_WIDTH });
    this.cell = Math.min(LANE_WIDEST, (width - this.begin - (sides - 1) * LANE_GAP) / (sides * depth));
    this.gap = this.cell >= 6 ? 1 : 0;
  }

  /** Where the lane of a system begins; of the one after the last: where all end. */
  left(side) {
    return this.begin + side * (this.depth * this.cell + LANE_GAP);
  }

  /** Where all lanes end. */
  get end() {
    return this.left(this.sides) - LANE_GAP;
  }

  /** Returns the side and the rank at a place; null beside the cells. */
  at(left) {
    const side = this.sides > 1 && left >= this.left(1) ? 1 : 0;
    const rank = Math.floor((left - this.left(side)) / this.cell) + 1;
    return rank >= 1 && rank <= this.depth ? { side, rank } : null;
  }
}
