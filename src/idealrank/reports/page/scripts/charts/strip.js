// Chart: the grades of the first results, query by rank, side by side for the two systems.

import { fixed } from "../format.js";
import { chartChooser } from "./parts/chooser.js";
import { GradeRows } from "./parts/grades.js";
import { chartKey } from "./parts/key.js";
import { queryWalk } from "./parts/queries.js";
import { StripCanvas } from "./parts/canvas.js";
import { chartCell, chartCount, chartSaid, chartQuery, chartTurns } from "./parts/words.js";

const STRIP_BOX = 600;
const STRIP_ROW = 18;
const STRIP_FEW = 20;
const [STRIP_TOP, STRIP_ALL, STRIP_READ] = [`the ${STRIP_FEW} greatest changes`, "all queries at once", "all queries, rows to read"];

export const stripChart = {
  name: "strip",
  more: true,
  needs: ["lists"],
  byQuery: true,
  everyQuery: true,
  fits: (facts) => facts.order.length > 0,
  shown: stripShown,
  say: (frame, all) => sayStrip(frame, stripShown(frame, all), stripNames(all)),
  draw(frame, all) {
    stripChoices(frame, all);
    const facts = stripShown(frame, all);
    const names = stripNames(facts);
    const grades = stripGrades(facts, names);
    const height = stripRowHeight(frame, facts.order.length);
    drawStrip(frame, facts, names, grades, height);
    frame.below.append(chartKey(facts.lists, frame.ink));
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
function stripShown(frame, facts) {
  const { order, difference, b, two } = facts;
  if (order.length <= STRIP_FEW || (frame.memory.zoom ?? STRIP_TOP) !== STRIP_TOP) return facts;
  if (!two) return { ...facts, order: order.slice(-STRIP_FEW) };
  const far = Int32Array.from(order).sort((p, q) => Math.abs(difference[q]) - Math.abs(difference[p]));
  const kept = new Set(far.subarray(0, STRIP_FEW));
  return { ...facts, order: order.filter((q) => kept.has(q)) };
}

function stripChoices(frame, { order, two }) {
  const few = order.length <= STRIP_FEW;
  chartChooser(frame, "Show", few ? [] : [STRIP_TOP, STRIP_ALL, STRIP_READ], "zoom");
  const [first] = frame.tools.querySelectorAll("option");
  if (first) first.text = two ? STRIP_TOP : `the ${STRIP_FEW} worst queries`;
}

// The height of a row: all fit into the box, or can be read, as asked for.
function stripRowHeight(frame, count) {
  if (!frame.still && frame.memory.zoom === STRIP_READ) return STRIP_ROW + 2;
  return Math.min(STRIP_ROW + 2, STRIP_BOX / count);
}

function sayStrip(frame, facts, names) {
  const height = stripRowHeight(frame, facts.order.length);
  const first = `first ${facts.lists.depth} results`;
  const { first: gains, best } = chartTurns(facts.measure);
  const order = facts.two ? gains : `${best} value first`;
  const sides = names.length > 1 ? chartSaid`Left ${names[0]}, right ${names[1]}.` : [];
  const mixed = height < 1 ? ` Each line of pixels is the mean of ${Math.ceil(1 / height)} queries.` : "";
  frame.say(
    `Grades of the ${first}`,
    [`Each row is a query, ${order}; each column is a rank. `, ...sides, mixed],
    () => `Grades by query and rank, ${first}: ${toldStrip(facts, names)}.`,
  );
}

function toldStrip(facts, names) {
  const told = stripGrades(facts, names).map(({ holes, results, mean }, i) => {
    return `${names[i]} ${chartCount(holes, "hole")} of ${chartCount(results, "result")}, mean grade ${fixed(mean)}`;
  });
  return told.join("; ");
}

function drawStrip(frame, facts, names, grades, height) {
  const canvas = frame.keep(new StripCanvas(frame, facts, { names, grades, height, box: STRIP_BOX }));
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
    const { id } = chartQuery(facts, facts.order[place]);
    return [
      id,
      names[side],
      ...ranks.map((rank) => chartCell(grades[side].at(place, rank), grades[side].mark(place, rank))),
    ];
  });
}
