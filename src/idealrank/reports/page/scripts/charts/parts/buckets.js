// Points on a plane, found again by place: squares of pixels, each with a list of its points.

const BUCKET_SIDE = 12;

/** Finds the point nearest to a place, among tens of thousands, without looking at all. */
export class ChartBuckets {
  /** @param {Float64Array} x @param {Float64Array} y - where the points are, in CSS pixels */
  constructor(x, y) {
    Object.assign(this, { x, y, first: new Map(), next: new Int32Array(x.length).fill(-1), counts: new Map() });
    for (let point = x.length - 1; point >= 0; point -= 1) {
      const bucket = bucketOf(x[point], y[point]);
      this.next[point] = this.first.get(bucket) ?? -1;
      this.first.set(bucket, point);
      this.counts.set(this.place(point), this.at(point) + 1);
    }
  }

  /** Returns the nearest point within some pixels, the first of those at one place; -1 for none. */
  nearest(left, top) {
    let [best, least] = [-1, 2 * BUCKET_SIDE * BUCKET_SIDE];
    for (const dx of [-BUCKET_SIDE, 0, BUCKET_SIDE]) {
      for (const dy of [-BUCKET_SIDE, 0, BUCKET_SIDE]) {
        for (let point = this.first.get(bucketOf(left + dx, top + dy)) ?? -1; point >= 0; point = this.next[point]) {
          const far = (this.x[point] - left) ** 2 + (this.y[point] - top) ** 2;
          if (far < least || (far === least && point < best)) [best, least] = [point, far];
        }
      }
    }
    return best;
  }

  /** Counts the points at the place of one, itself among them. */
  at(point) {
    return this.counts.get(this.place(point)) ?? 0;
  }

  /** Returns a number that stands for the place of a point. */
  place(point) {
    return this.x[point] * 65536 + this.y[point];
  }
}

function bucketOf(x, y) {
  return Math.floor(x / BUCKET_SIDE) * 65536 + Math.floor(y / BUCKET_SIDE);
}
