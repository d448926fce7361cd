// The arithmetic of the chosen query's value, as `idealrank explain` prints it.

import { fixed, grade } from "./format.js";
import { made, nameOf } from "./made.js";

const WHOLE = new Set(["gain", "relevant", "counts", "frequency", "tie_first", "tie_last"]); // shown without decimals where all are whole

/** Returns the steps of the value of each system shown, and of the ideal list, as tables. */
export function arithmeticOf(evaluation, state, query, facts, systems) {
  const under = facts.explanations[state.measure];
  const ideal = under.ideal?.[""] ?? under.ideal?.[systems.at(-1)];
  const { meaning } = evaluation.measures.find(({ label }) => label === state.measure);
  return made(
    "div", { class: "arithmetic" },
    made("h3", { class: "arithmetic-title" }, `How ${state.measure} comes about`),
    made("p", { class: "note" }, `${meaning}.`),
    made("div", { class: "sums" },
      ...systems.map((system) => sumOf(evaluation, state.measure, system, query, facts)),
      ideal ? idealOf(ideal, query, facts) : null),
  );
}

function sumOf(evaluation, measure, system, query, facts) {
  const list = facts.lists.systems[system];
  const under = facts.explanations[measure];
  const steps = under.systems[system];
  const value = evaluation.value(measure, system, query);
  const rows = { ...list, columns: steps.columns, contribution: steps.contribution };
  return made(
    "div", { class: "sum", "data-system": system },
    made("h3", {}, nameOf(system), ` = ${fixed(value)}`),
    stepsTable(rows, query, facts, !under.unsplit, `Arithmetic of ${measure} for ${system}`),
    ...feet(evaluation, measure, system, query, facts).map((text) => made("p", { class: "foot-line" }, text)),
  );
}

/** What stands under the steps: the rest, the state, the quotient. */
function feet(evaluation, measure, system, query, facts) {
  const under = facts.explanations[measure];
  const steps = under.systems[system];
  const value = evaluation.value(measure, system, query);
  const state = evaluation.state(measure, system, query);
  const said = state ? [`Not simply computed: ${state}.`] : [];
  if (under.unsplit) return [...said, `The score is no sum over results: ${under.unsplit}.`];
  if (steps.rest[query]) said.push(`Results below rank ${facts.lists.depth} add ${fixed(steps.rest[query])}.`);
  if (value !== null) said.push(quotient(steps.total[query], steps.normaliser[query], value));
  return said;
}

function quotient(total, normaliser, value) {
  const ratio = `contributions ${fixed(total)} / ${fixed(normaliser)}`;
  if (!(normaliser > 0)) return `${ratio}: answered by no_relevant with ${fixed(value)}`;
  const text = fixed(total / normaliser);
  return `${ratio} = ${text}${text === fixed(value) ? "" : `, rounded to ${fixed(value)}`}`;
}

function idealOf(ideal, query, facts) {
  const rows = { ...ideal, columns: { gain: ideal.gain, discount: ideal.discount } };
  const rest = ideal.rest[query] ? made("p", { class: "foot-line" }, `Below rank ${facts.lists.depth} it adds ${fixed(ideal.rest[query])}.`) : null;
  return made("div", { class: "sum", "data-system": "" }, made("h3", {}, "ideal list"), stepsTable(rows, query, facts, true, "Arithmetic of the ideal list"), rest);
}

function stepsTable(list, query, facts, split, label) {
  const [from, to] = [list.start[query], list.start[query + 1]];
  if (from === to) return made("p", { class: "more" }, "no results");
  const columns = { ...list.columns, ...(split ? { contribution: list.contribution } : {}) };
  const cells = Object.entries(columns).map(([name, values]) => written(name, values.slice(from, to)));
  if (split) cells.push(running(list.contribution.slice(from, to)));
  const names = [...Object.keys(columns), ...(split ? ["running"] : [])];
  const head = ["rank", "document", "grade", ...names];
  const rows = Array.from({ length: to - from }, (_, at) => stepRow(list, from + at, at + 1, cells.map((column) => column[at]), facts));
  const top = head.map((name, place) => made("th", { scope: "col", class: place === 1 ? null : "number" }, name));
  const table = made("table", {}, made("thead", {}, made("tr", {}, ...top)), made("tbody", {}, ...rows));
  return made("div", { class: "wide", role: "region", tabindex: "0", "aria-label": label }, table);
}

function stepRow(list, at, rank, cells, facts) {
  const code = list.document[at];
  const id = code === null ? "–" : facts.documents.id[code];
  return made(
    "tr", {},
    made("td", { class: "number" }, String(list.rank?.[at] ?? rank)),
    made("th", { scope: "row", title: facts.documents.title?.[code] ?? null }, nameOf(id)),
    made("td", { class: "number" }, grade(list.grade[at])),
    ...cells.map((text) => made("td", { class: "number" }, text)),
  );
}

function written(name, values) {
  const whole = WHOLE.has(name) && values.every((value) => value === null || Number.isInteger(value));
  return values.map((value) => (whole && value !== null ? String(value) : fixed(value)));
}

function running(values) {
  let sum = 0;
  return values.map((value) => fixed((sum += value ?? 0)));
}
