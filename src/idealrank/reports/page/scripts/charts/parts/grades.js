// The grades of one system's lists, as a table of query by rank.

const NO_RESULT = Number.NaN; // no result at this rank
const UNJUDGED = Number.NEGATIVE_INFINITY; // a result nobody judged

/** Grades by place (in the order of the charts) and rank. */
export class GradeRows {
  constructor(lists, system, order) {
    const { start, rank, grade } = lists.systems[system];
    this.depth = lists.depth;
    this.cells = new Float64Array(order.length * this.depth).fill(NO_RESULT);
    order.forEach((q, place) => {
      for (let hit = start[q]; hit < start[q + 1]; hit += 1) {
        this.cells[place * this.depth + rank[hit] - 1] = grade[hit] ?? UNJUDGED;
      }
    });
    const { sum, judged, holes } = tallied(this.cells, 0, this.cells.length, 1);
    Object.assign(this, { holes, results: judged + holes, mean: judged ? sum / judged : null });
  }

  /** Returns the grade at a rank; null for none. */
  at(place, rank) {
    const cell = this.cells[place * this.depth + rank - 1];
    return Number.isFinite(cell) ? cell : null;
  }

  /** Returns what stands in a cell: the grade, "?" for a hole, nothing where there is no result. */
  mark(place, rank) {
    const cell = this.cells[place * this.depth + rank - 1];
    return cell === UNJUDGED ? "?" : Number.isNaN(cell) ? "" : `${Number(cell.toPrecision(4))}`;
  }

  /** Says what stands in a cell. */
  word(place, rank) {
    const mark = this.mark(place, rank);
    return mark === "" ? "no result" : mark === "?" ? "unjudged" : `grade ${mark}`;
  }

  /** Returns the marks of a row in one line. */
  words(place) {
    return Array.from({ length: this.depth }, (_, i) => this.mark(place, i + 1) || "–").join(" ");
  }

  /** Returns, of some rows at one rank, the mean grade, or that most are holes, or that most have no result. */
  blend(from, to, rank) {
    const { sum, judged, holes } = tallied(this.cells, from * this.depth + rank - 1, to * this.depth, this.depth);
    if (2 * (judged + holes) < to - from) return NO_RESULT;
    return holes > judged ? UNJUDGED : sum / judged;
  }
}

// Sums grades and counts results, in cells a number of places apart: tens of thousands at a time.
function tallied(cells, from, to, apart) {
  let sum = 0;
  let judged = 0;
  let holes = 0;
  for (let at = from; at < to; at += apart) {
    const cell = cells[at];
    if (cell === UNJUDGED) {
      holes += 1;
    } else if (!Number.isNaN(cell)) {
      sum += cell;
      judged += 1;
    }
  }
  return { sum, judged, holes };
}

/** Says whether a cell is a result nobody judged. */
export function isHole(cell) {
  return cell === UNJUDGED;
}

const gradeSpans = new WeakMap();

/** Returns the lowest and the highest grade there is, 0 among them, and all grades of the best judged documents. */
export function gradeSpan(lists) {
  if (!gradeSpans.has(lists)) gradeSpans.set(lists, spanOfGrades(lists));
  return gradeSpans.get(lists);
}

function spanOfGrades({ best, systems }) {
  const known = new Set([0]);
  for (const grade of best.grade) known.add(grade);
  let low = 0;
  let high = 0;
  for (const { grade: grades } of [best, ...Object.values(systems)]) {
    for (const grade of grades) {
      if (grade < low) low = grade;
      if (grade > high) high = grade; // neither holds for null, a result nobody judged
    }
  }
  return { low, high: high > low ? high : low + 1, known: [...known].sort((p, q) => p - q) };
}
