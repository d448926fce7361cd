// Chart: the grades of the first results, query by rank, side by side for the two systems.

import { GradeHues, gradeKey, gradeSpan, turnInks } from "./colours.js";
import { drawText, pixelRatio } from "./drawing.js";
import { putChooser } from "./frame.js";
import { countOf, fitText, numberCell, queryNames, queryWalk, sentence, turnWords } from "./series.js";
import { element } from "../elements.js";
import { fixed, glyph } from "../format.js";

const BOX_HEIGHT = 600; // in CSS pixels, as all that follow
const ROW_HEIGHT = 18;
const HEAD_HEIGHT = 38;
const SCROLLBAR = 16;
const LANE_GAP = 18;
const LANE_WIDEST = 64;
const TURN_WIDTH = 14; // of the mark that says gain or loss, left of the first lane
const FEW = 20;
const [GREATEST, AT_ONCE, TO_READ] = [`the ${FEW} greatest changes`, "all queries at once", "all queries, rows to read"];

// What a cell holds instead of a grade.
const NO_RESULT = Number.NaN;
const UNJUDGED = Number.NEGATIVE_INFINITY;

export const stripChart = {
  name: "strip",
  more: true,
  needs: ["lists"],
  byQuery: true,
  everyQuery: true,
  fits: (facts) => facts.order.length > 0,
  shown: limitStrip,
  say: (frame, all) => sayStrip(frame, limitStrip(frame, all), stripNames(all)),
  draw(frame, all) {
    stripChoices(frame, all);
    const facts = limitStrip(frame, all);
    const names = stripNames(facts);
    const grades = stripGrades(facts, names);
    const height = stripRowHeight(frame, facts.order.length);
    drawStrip(frame, facts, names, grades, height);
    frame.below.append(gradeKey(facts.lists, frame.ink));
    tableStrip(frame, facts, names, grades);
  },
};

function stripNames({ two, state }) {
  return two ? [state.baseline, state.system] : [state.system];
}

function stripGrades({ lists, order }, names) {
  return names.map((name) => new GradeRows(lists, name, order));
}

// Of many queries those that changed most, or the worst ones, unless all are asked for.
function limitStrip(frame, facts) {
  const { order, difference, two } = facts;
  if (order.length <= FEW || (frame.memory.zoom ?? GREATEST) !== GREATEST) return facts;
  if (!two) return { ...facts, order: order.slice(-FEW) };
  const far = Int32Array.from(order).sort((p, q) => Math.abs(difference[q]) - Math.abs(difference[p]));
  const kept = new Set(far.subarray(0, FEW));
  return { ...facts, order: order.filter((q) => kept.has(q)) };
}

function stripChoices(frame, { order, two }) {
  const few = order.length <= FEW;
  putChooser(frame, "Show", few ? [] : [GREATEST, AT_ONCE, TO_READ], "zoom");
  const [first] = frame.tools.querySelectorAll("option");
  if (first) first.text = two ? GREATEST : `the ${FEW} worst queries`;
}

// The height of a row: all fit into the box, or can be read, as asked for.
function stripRowHeight(frame, count) {
  if (!frame.still && frame.memory.zoom === TO_READ) return ROW_HEIGHT + 2;
  return Math.min(ROW_HEIGHT + 2, BOX_HEIGHT / count);
}

function sayStrip(frame, facts, names) {
  const height = stripRowHeight(frame, facts.order.length);
  const first = `first ${facts.lists.depth} results`;
  const { first: gains, best } = turnWords(facts.measure);
  const order = facts.two ? gains : `${best} value first`;
  const sides = names.length > 1 ? sentence`Left ${names[0]}, right ${names[1]}.` : [];
  const mixed = height < 1 ? ` Each line of pixels is the mean of ${Math.ceil(1 / height)} queries.` : "";
  frame.say(
    `Grades of the ${first}`,
    [`Each row is a query, ${order}; each column is a rank. `, ...sides, mixed],
    () => `Grades by query and rank, ${first}: ${stripText(facts, names)}.`,
  );
}

function stripText(facts, names) {
  const told = stripGrades(facts, names).map(({ holes, results, mean }, i) => {
    return `${names[i]} ${countOf(holes, "hole")} of ${countOf(results, "result")}, mean grade ${fixed(mean)}`;
  });
  return told.join("; ");
}

function drawStrip(frame, facts, names, grades, height) {
  const canvas = frame.keep(new GradeCanvas(frame, facts, { names, grades, height, box: BOX_HEIGHT }));
  const label = "Queries by difference";
  const walk = frame.walk(
    queryWalk(facts, {
      label,
      box: (place) => canvas.box(place),
      find: (left, top) => canvas.rows.at(top),
      reveal: (place) => canvas.reveal(place),
      more: (place, at) => cellRows(canvas, names, grades, place, at),
    }),
    canvas.content,
  );
  canvas.scrolled = () => walk.steps.matches(":focus") || walk.leave();
}

function cellRows(canvas, names, grades, place, at) {
  const cell = at && canvas.lanes.at(at.left);
  if (!cell) return names.map((name, i) => [`grades of ${name}`, grades[i].words(place)]);
  return [[`${names[cell.side]}, rank ${cell.rank}`, grades[cell.side].word(place, cell.rank)]];
}

function tableStrip(frame, facts, names, grades) {
  const { depth } = facts.lists;
  const ranks = Array.from({ length: depth }, (_, i) => i + 1);
  frame.tell(["Id", "System", ...ranks.map(String)], facts.order.length * names.length, (line) => {
    const [place, side] = [Math.floor(line / names.length), line % names.length];
    const { id } = queryNames(facts, facts.order[place]);
    return [
      id,
      names[side],
      ...ranks.map((rank) => numberCell(grades[side].at(place, rank), grades[side].mark(place, rank))),
    ];
  });
}

/** The grades of one system's lists by place (in the order of the charts) and rank. */
class GradeRows {
  constructor(lists, system, order) {
    const { start, rank, grade } = lists.systems[system];
    this.depth = lists.depth;
    this.cells = new Float64Array(order.length * this.depth).fill(NO_RESULT);
    order.forEach((q, place) => {
      for (let hit = start[q]; hit < start[q + 1]; hit += 1) {
        this.cells[place * this.depth + rank[hit] - 1] = grade[hit] ?? UNJUDGED;
      }
    });
    const { sum, judged, holes } = countGrades(this.cells, 0, this.cells.length, 1);
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
    const { sum, judged, holes } = countGrades(this.cells, from * this.depth + rank - 1, to * this.depth, this.depth);
    if (2 * (judged + holes) < to - from) return NO_RESULT;
    return holes > judged ? UNJUDGED : sum / judged;
  }
}

// Sums grades and counts results, in cells a number of places apart: tens of thousands at a time.
function countGrades(cells, from, to, apart) {
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
function isHole(cell) {
  return cell === UNJUDGED;
}

/** Draws the grades of one or two systems below their names; rows scroll in a box, and only those in view are drawn. */
class GradeCanvas {
  constructor(frame, facts, { names, grades, height, box }) {
    Object.assign(this, { facts, names, grades, ink: frame.ink, pixels: pixelRatio() });
    this.rows = new Rows(facts.order.length, height, this.pixels);
    this.view = Math.min(box, this.rows.whole);
    this.width = frame.width - (this.rows.whole > this.view ? SCROLLBAR : 0);
    this.lanes = new Lanes(this.width, { sides: names.length, depth: facts.lists.depth, named: height >= 12 });
    this.hues = new GradeHues(frame.ink, gradeSpan(facts.lists), this.pixels);
    this.build(frame);
    this.drawHead();
    this.drawRows();
  }

  build(frame) {
    this.head = element("canvas");
    this.body = element("canvas", { class: "chart-rows", "aria-hidden": "true" });
    this.content = element("div", { class: "chart-content" }, this.body);
    this.scroll = element("div", { class: "chart-scroll" }, this.content);
    frame.picture.append(this.head);
    frame.plot.append(this.scroll);
    this.scroll.style.height = `${this.view}px`;
    this.content.style.height = `${this.rows.whole}px`;
    this.scroll.addEventListener("scroll", () => {
      this.scrolled?.();
      requestAnimationFrame(() => this.drawRows());
    });
  }

  drawHead() {
    const context = this.sizeCanvas(this.head, HEAD_HEIGHT);
    const { cell, depth } = this.lanes;
    const shown = (rank) => cell >= 16 || rank === 1 || rank % 5 === 0;
    this.names.forEach((name, side) => {
      const left = this.lanes.left(side);
      this.write(context, name, left, 9, { colour: this.ink.ink, room: depth * cell - 8 });
      for (let rank = 1; rank <= depth; rank += 1) {
        if (shown(rank))
          this.write(context, `${rank}`, left + (rank - 0.5) * cell, 28, {
            colour: this.ink.muted,
            side: "center",
            weight: "",
            size: 12,
          });
      }
    });
  }

  drawRows() {
    const context = this.sizeCanvas(this.body, this.view);
    const top = this.scroll.scrollTop;
    context.translate(0, -Math.round(top * this.pixels));
    for (const line of this.rows.inView(top, this.view)) this.drawLine(context, line);
  }

  drawLine(context, line) {
    if (this.facts.two) this.drawTurn(context, line);
    if (this.lanes.names) this.drawName(context, line);
    this.grades.forEach((grades, side) => {
      for (let rank = 1; rank <= this.lanes.depth; rank += 1) {
        const cell = grades.blend(line.from, line.to, rank);
        if (!Number.isNaN(cell))
          this.drawCell(context, cell, this.lanes.left(side) + (rank - 1) * this.lanes.cell, line);
      }
    });
  }

  drawCell(context, cell, left, { top, high }) {
    const width = this.lanes.cell - this.lanes.gap;
    context.fillStyle = isHole(cell) ? this.hues.hatch : this.hues.fill(cell);
    this.fill(context, left, top, width, high - this.rows.gap);
    const text = `${Number(cell.toPrecision(3))}`;
    const size = 12;
    if (high < 14 || isHole(cell) || width < 2 + 0.62 * size * text.length) return;
    this.write(context, text, left + width / 2, top + high / 2, {
      colour: this.hues.text(cell),
      side: "center",
      weight: "",
      size,
    });
  }

  /** Beside a row: the sign of its difference; a coloured band where rows are too low for signs. */
  drawTurn(context, { from, top, high }) {
    const turned = this.facts.turns[this.facts.order[from]];
    const colour = turnInks(this.ink, this.facts.measure)[turned];
    const left = this.lanes.begin - TURN_WIDTH;
    context.fillStyle = colour;
    if (high < 12) this.fill(context, left + 4, top, 5, high);
    else
      this.write(context, glyph(turned), left + TURN_WIDTH / 2, top + high / 2, {
        colour,
        side: "center",
        weight: "",
        size: 12,
      });
  }

  drawName(context, { from, top, high }) {
    const { id, text } = queryNames(this.facts, this.facts.order[from]);
    const size = 12;
    this.write(context, text || id, this.lanes.names - 4, top + high / 2, {
      colour: this.ink.muted,
      side: "right",
      weight: "",
      size,
      room: this.lanes.names - 8,
    });
  }

  write(context, text, left, top, { room, ...look }) {
    const words = room ? fitText(context, text, room * this.pixels, { weight: "600", size: 12, ...look }) : text;
    drawText(context, words, [left * this.pixels, top * this.pixels], look);
  }

  fill(context, left, top, width, height) {
    const [x, y] = [left, top].map((each) => Math.round(each * this.pixels));
    const [right, bottom] = [left + width, top + height].map((each) => Math.round(each * this.pixels));
    context.fillRect(x, y, right - x, Math.max(1, bottom - y));
  }

  sizeCanvas(canvas, height) {
    canvas.width = Math.round(this.width * this.pixels);
    canvas.height = Math.round(height * this.pixels);
    Object.assign(canvas.style, { width: `${this.width}px`, height: `${height}px` });
    return canvas.getContext("2d");
  }

  /** Returns where the row of a query is. */
  box(place) {
    const left = this.lanes.begin - TURN_WIDTH;
    const { height } = this.rows;
    return { left, top: place * height - 1, width: this.lanes.end - left, height: Math.max(3, height + 1) };
  }

  /** Scrolls the row of a query into view. */
  reveal(place) {
    const { height } = this.rows;
    const top = place * height;
    if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
    else if (top + height > this.scroll.scrollTop + this.view) this.scroll.scrollTop = top + height - this.view;
  }

  destroy() {
    this.scroll.remove();
  }
}

/** Where cells are from left to right: names of queries where rows are high enough, then a lane of ranks a system. */
class Lanes {
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

/** Where rows are, and which are in view; where they are lower than a pixel, one line of pixels is several queries. */
class Rows {
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
