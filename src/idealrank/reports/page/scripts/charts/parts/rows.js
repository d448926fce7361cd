// Where the rows of a heat strip are, and which of them are in view.

/** `count` rows of one height; where it is less than a pixel, one line of pixels stands for several queries. */
export class StripRows {
  constructor(count, height, pixels) {
    Object.assign(this, { count, height, pixels });
    this.whole = Math.ceil(count * height);
    this.gap = height >= 6 ? 1 : 0;
  }

  /** Returns the lines in view: from which query to which (left out), where, how high. */
  inView(top, view) {
    const line = this.height >= 1 ? this.height : 1 / this.pixels;
    const first = Math.floor(top / line);
    const last = Math.min(Math.ceil((top + view) / line), Math.ceil((this.count * this.height) / line));
    return Array.from({ length: last - first }, (_, i) => this.line(first + i, line));
  }

  line(number, high) {
    const per = high / this.height;
    const from = Math.min(this.count - 1, Math.floor(number * per + 1e-9));
    const to = Math.min(this.count, Math.max(from + 1, Math.floor((number + 1) * per + 1e-9)));
    return { from, to, top: number * high, high };
  }

  /** Returns the query at a place; -1 for none. */
  at(top) {
    const place = Math.floor(top / this.height);
    return place >= 0 && place < this.count ? place : -1;
  }
}
