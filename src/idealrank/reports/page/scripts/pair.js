// The card of two systems that were chosen: which is ahead, the difference and its interval, the queries that changed.

import { element } from "./elements.js";
import { changeText, countText, fixed, glyph, hundredths, mood, signedText, turn } from "./format.js";
import { svgElement } from "./query/lines.js";

const WIDE = 320; // of the strip, as in markup.py
const REACH = 0.46; // the farthest end is at this share of the width from the middle
const OUTCOMES = { SHIP: "ship", "DON'T": "dont", "CAN'T TELL": "cant-tell", "ABOUT THE SAME": "same" }; // as in markup.py
const DIGIT = 8; // room for a letter of a label

/** Shows the pair that is looked at in the head of the page; the one it was written for is shown as it was written. */
export function pairOf(evaluation, view) {
  if (!evaluation.paired) return;
  const section = document.getElementById("summary");
  const host = section.querySelector(".answer");
  const written = { nodes: [...host.childNodes], outcome: section.dataset.outcome };
  const { usual } = evaluation;
  const draw = ({ baseline, system }) => {
    const same = baseline === usual.baseline && system === usual.system;
    host.replaceChildren(...(same ? written.nodes : cardOf(evaluation, baseline, system, () => view.change({ baseline: usual.baseline, system: usual.system }))));
    section.dataset.outcome = same ? written.outcome : (OUTCOMES[verdictOn(evaluation, baseline, system)?.outcome] ?? "");
  };
  view.listen((state, changed) => {
    if (changed.has("system") || changed.has("baseline")) draw(state);
  });
}

/** What the comparison says of two systems, whichever of them it took for the baseline; undefined where it says nothing. */
function verdictOn(evaluation, ...pair) {
  return evaluation.compared?.verdicts.find((each) => pair.includes(each.baseline) && pair.includes(each.system));
}

function cardOf(evaluation, baseline, system, back) {
  const found = evaluation.estimate(baseline, system);
  const { label, direction } = evaluation.measures[0];
  const [said, figures] = [element("div", { class: "said" }), element("div", { class: "figures" })];
  const turned = turn(found?.difference ?? null, direction);
  const names = { baseline: evaluation.nameOf(baseline), system: evaluation.nameOf(system) };
  const means = [baseline, system].map((each) => fixed(evaluation.means.find((row) => row.measure === label && row.system === each)?.mean));
  said.append(
    element("h1", {}, element("bdi", {}, ...headline(found, turned, system, verdictOn(evaluation, baseline, system)))),
    element("p", { class: "lead" }, element("span", {}, names.system, ` has ${label} ${means[1]}, `, names.baseline, ` ${means[0]}. `), element("span", {}, intervalText(evaluation, found))),
    element("p", {}, element("button", { type: "button", id: "usual-pair", onclick: back }, `Back to ${evaluation.baseline === null ? "the two best systems" : "the verdict"}`)),
  );
  if (found) figures.append(...figuresOf(evaluation, found, baseline, system));
  return [said, figures];
}

/** Says of the system what the number beside it says: the difference from the baseline. */
function headline(found, turned, system, verdict) {
  if (verdict) return breakable(verdict.headline);
  if (!found) return ["These two are not compared"];
  if (found.apart === false || (found.apart === null && found.low <= 0 && found.high >= 0 && found.low !== null)) return ["These two cannot be told apart"];
  return [...breakable(system), found.apart ? " is" : " scores", turned > 0 ? " better" : " worse"];
}

/** The pieces of a name, which may break after its underscores, hyphens and slashes, as in markup.py. */
function breakable(name) {
  const pieces = (name || "(empty)").match(/.*?\w[_/-](?=\w)|.+/gs);
  return pieces.flatMap((piece, at) => (at ? [element("wbr"), piece] : [piece]));
}

function intervalText(evaluation, found) {
  if (!found) return "";
  if (found.low === null) return `There is no interval: every system was compared with ${evaluation.baseline ?? "others"}, and with nothing else.`;
  const { compared, all_pairs: all } = evaluation;
  const level = Math.round((compared ?? all).level * 1000) / 10;
  const together = all && (compared === null || compared.together) ? "; intervals of all pairs hold together" : "";
  return `Plausible differences run from ${signedText(found.low)} to ${signedText(found.high)} (${level}% interval${together}).`;
}

function figuresOf(evaluation, found, baseline, system) {
  const { label, direction } = evaluation.measures[0];
  return [
    element("p", { class: "big" }, element("b", {}, signedText(found.difference)), ` ${label}`),
    element("p", { class: "soft" }, element("span", {}, evaluation.nameOf(system)), " ", element("span", {}, "compared with ", evaluation.nameOf(baseline))),
    ...(found.low === null ? [] : [stripOf(found, direction)]),
    element("p", { class: "sides" }, element("span", {}, "← ", evaluation.nameOf(baseline), " better"), element("span", {}, evaluation.nameOf(system), " better →")),
    ...(found.wins === undefined ? [] : tallyOf(found)),
  ];
}

function stripOf({ difference, low, high }, direction) {
  const sign = direction === "lower" ? -1 : 1;
  const ends = [difference, ...(sign < 0 ? [high, low] : [low, high])].map((value) => sign * value);
  const most = Math.max(...ends.map(Math.abs)) || 1;
  const [dot, left, right] = ends.map((value) => WIDE / 2 + (REACH * WIDE * value) / most);
  const texts = ends.slice(1).map((value) => signedText(sign * value));
  const places = labelPlaces([left, right], texts);
  const strip = svgElement("svg", { class: `interval${ends[1] <= 0 && ends[2] >= 0 ? " across" : ""}`, viewBox: `0 0 ${WIDE} 52`, width: WIDE, height: 52, role: "img", "aria-label": `the difference and its interval, ${signedText(low)} to ${signedText(high)}, around zero` });
  const text = (x, y, words) => {
    const node = svgElement("text", { x, y, "text-anchor": "middle" });
    node.textContent = words;
    return node;
  };
  const line = (kind, x1, x2, y1, y2) => svgElement("line", { class: kind, x1, x2, y1, y2 });
  strip.append(
    ...texts.map((words, at) => text(places[at], 12, words)), line("axis", 4, WIDE - 4, 26, 26), line("zero", WIDE / 2, WIDE / 2, 18, 36),
    text(WIDE / 2, 50, "0"), line("range", left, right, 26, 26), svgElement("circle", { cx: dot, cy: 26, r: 6 }),
  );
  return strip;
}

/** Labels stand at their ends, but neither over the other nor over the edge. */
function labelPlaces([left, right], texts) {
  const [first, second] = texts.map(({ length }) => (length * DIGIT) / 2);
  const [low, high] = [Math.max(left, first), Math.min(right, WIDE - second)];
  const lacking = first + second + DIGIT - (high - low);
  if (lacking <= 0) return [low, high];
  const start = Math.min(Math.max(low - lacking / 2, first), WIDE - first - 2 * second - DIGIT);
  return [start, start + first + second + DIGIT];
}

function tallyOf({ wins, ties, losses }) {
  const counts = [["loss", losses, "worse"], ["same", ties, "same"], ["gain", wins, "better"]];
  const whole = wins + ties + losses || 1;
  const bar = svgElement("svg", { class: "tally", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" });
  let x = 0;
  for (const [kind, count] of counts) {
    bar.append(svgElement("rect", { class: kind, x, y: 0, width: (100 * count) / whole, height: 8 }));
    x += (100 * count) / whole;
  }
  const words = counts.map(([kind, count, word], at) => element("span", { class: kind }, `${glyph(at - 1)} ${countText(count)} ${word}`));
  return [bar, element("p", { class: "counts" }, ...words)];
}

// All pairs at once: who beats whom.

const CELL = 40; // width of the whisker in a cell

/** Shows all pairs as a matrix: a row is compared with each column, and is coloured where the two can be told apart. */
export function matrixOf(evaluation, view) {
  const host = document.getElementById("pairs");
  if (!host) return;
  const { order } = evaluation.summary;
  const { label, direction } = evaluation.measures[0];
  const ends = [...evaluation.estimates.values()].flatMap(({ difference, low, high }) => [difference, low, high]);
  const most = Math.max(...ends.filter((value) => value !== null).map(Math.abs)) || 1;
  const about = element("p", { class: "pair-said", role: "status" });
  const tell = (row, column) => about.replaceChildren(...pairText(evaluation, row, column));
  const cells = order.map((row, i) => order.map((column, j) => (i === j ? element("td", { class: "self" }) : element("td", {}, cellOf(evaluation, row, column, { most, direction, tell, view })))));
  const head = order.map((column, j) => element("th", { scope: "col", title: column }, String(j + 1)));
  const rows = order.map((row, i) => element("tr", {}, element("th", { scope: "row" }, element("span", { class: "place" }, String(i + 1)), evaluation.nameOf(row)), ...cells[i]));
  const table = element("table", { class: "beats" }, element("thead", {}, element("tr", {}, element("th", {}, "row minus column"), ...head)), element("tbody", {}, ...rows));
  const buttons = cells.map((row) => row.map((cell) => cell.firstChild));
  table.addEventListener("keydown", (event) => walkCells(event, buttons));
  for (const each of buttons.flat()) if (each) each.tabIndex = -1;
  buttons[0][1].tabIndex = 0;
  host.append(
    element("h2", {}, `Who beats whom in ${label}`),
    element("p", { class: "note" }, "Each cell is the system of the row minus that of the column, with its interval around zero. Coloured: the two can be told apart. Click a cell to look at the two."),
    about, element("div", { class: "wide", role: "region", tabindex: "0", "aria-label": "Who beats whom" }, table),
  );
  tell(order[0], order[1]);
  const mark = ({ baseline, system }) => buttons.forEach((row, i) => row.forEach((each, j) => each?.setAttribute("aria-pressed", String(order[i] === system && order[j] === baseline))));
  view.listen(mark);
  mark(view.state);
}

function cellOf(evaluation, row, column, { most, direction, tell, view }) {
  const found = evaluation.estimate(column, row);
  const turned = turn(found.difference, direction);
  const words = pairWords(evaluation, row, column);
  const kind = found.apart ? mood(turned, direction) : "unsure";
  const text = element("span", {}, hundredths(found.difference));
  const told = () => tell(row, column);
  return element("button", { type: "button", class: kind, "aria-label": words, onfocus: told, onpointerenter: told, onclick: () => view.change({ baseline: column, system: row }) }, text, ...(found.low === null ? [] : [whisker(found, most)]));
}

function whisker({ difference, low, high }, most) {
  const at = (value) => CELL / 2 + (0.48 * CELL * value) / most;
  const drawing = svgElement("svg", { viewBox: `0 0 ${CELL} 8`, width: CELL, height: 8, "aria-hidden": "true" });
  drawing.append(
    svgElement("line", { class: "zero", x1: CELL / 2, x2: CELL / 2, y1: 0, y2: 8 }), svgElement("line", { class: "range", x1: at(low), x2: at(high), y1: 4, y2: 4 }),
    svgElement("circle", { cx: at(difference), cy: 4, r: 2 }),
  );
  return drawing;
}

function pairWords(evaluation, row, column) {
  return `${row} compared with ${column}: ${numbersText(evaluation, row, column)}`;
}

function pairText(evaluation, row, column) {
  return [evaluation.nameOf(row), " compared with ", evaluation.nameOf(column), `: ${numbersText(evaluation, row, column)}.`];
}

function numbersText(evaluation, row, column) {
  const { difference, low, high, apart, wins, ties, losses } = evaluation.estimate(column, row);
  const { direction } = evaluation.measures[0];
  const interval = low === null ? "" : ` (${signedText(low)} to ${signedText(high)})`;
  const queries = `${countText(wins)} queries better, ${countText(losses)} worse, ${countText(ties)} the same`;
  return `${changeText(difference, turn(difference, direction))}${interval}, ${apart ? "told apart" : "cannot be told apart"}; ${queries}`;
}

function walkCells(event, buttons) {
  const i = buttons.findIndex((row) => row.includes(event.target));
  const step = { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] }[event.key];
  if (i < 0 || !step) return;
  event.preventDefault();
  let [row, column] = [i, buttons[i].indexOf(event.target)];
  do [row, column] = [row + step[0], column + step[1]]; // over the diagonal
  while (row === column && buttons[row]?.[column] === null);
  const next = buttons[row]?.[column];
  if (!next) return;
  event.target.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}
