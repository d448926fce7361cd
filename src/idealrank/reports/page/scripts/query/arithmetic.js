// The arithmetic of the chosen query's value, as `idealrank explain` prints it.

import { element, nameOf } from "../elements.js";
import { exact } from "../format.js";
import { plainTable, tableBox } from "../tables.js";

const WHOLE = ["grade", "gain", "relevant", "counts", "frequency"]; // shown without decimals where all are whole, in the ideal list, too

/** Returns the steps of the value of each system shown, and of the ideal list, as tables. */
export function arithmeticOf(evaluation, state, query, facts, systems) {
  const under = facts.explanations[state.measure];
  const { meaning } = evaluation.measures.find(({ label }) => label === state.measure);
  const ideals = idealsOf(under, systems).map((each) => ({ ...each, columns: { gain: each.gain, discount: each.discount } }));
  const sums = systems.map((system) => stepsOf(system, under, facts.lists));
  return element(
    "div", { class: "arithmetic" },
    element("h3", { class: "arithmetic-title" }, `How ${state.measure} is calculated`),
    element("p", { class: "note" }, `${meaning}.`),
    element("div", { class: "sums" },
      ...systems.map((system, place) => sumOf(evaluation, state.measure, system, query, facts, sums[place], ideals)),
      ...ideals.map((ideal) => idealOf(ideal, query, facts, sums))),
  );
}

/** Returns the ideal lists with their titles: one of all systems, or one a system where each has its own. */
export function idealsOf(under, systems) {
  if (!under.ideal) return [];
  if (under.ideal[""]) return [{ ...under.ideal[""], title: "ideal list" }];
  return systems.map((system) => ({ ...under.ideal[system], title: `ideal list of ${system}` }));
}

function stepsOf(system, under, lists) {
  const { columns, contribution } = under.systems[system];
  return { ...lists.systems[system], columns, contribution: under.unsplit ? null : contribution };
}

function sumOf(evaluation, measure, system, query, facts, steps, ideals) {
  const value = evaluation.value(measure, system, query);
  const fractions = fractionsIn([steps, ...ideals], query);
  return element(
    "div", { class: "sum", "data-system": system },
    element("h3", {}, evaluation.nameOf(system), ` = ${exact(value)}`),
    stepsTable(steps, query, facts, fractions, `Arithmetic of ${measure} for ${system}`),
    ...feet(evaluation, measure, system, query, facts).map((text) => element("p", { class: "foot-line" }, text)),
  );
}

/** Returns the columns that one of some lists shows with decimals, so that the others do, too. */
function fractionsIn(lists, query) {
  const values = (list, name) => (name === "grade" ? list.grade : list.columns[name])?.slice(list.start[query], list.start[query + 1]) ?? [];
  const broken = (value) => value !== null && !Number.isInteger(value);
  return new Set(WHOLE.filter((name) => lists.some((list) => list && values(list, name).some(broken))));
}

/** What stands under the steps: the rest, the state, the quotient. */
function feet(evaluation, measure, system, query, facts) {
  const under = facts.explanations[measure];
  const steps = under.systems[system];
  const value = evaluation.value(measure, system, query);
  const state = evaluation.state(measure, system, query);
  const said = state ? [`Special handling: ${state}.`] : [];
  if (under.unsplit) return [...said, `The score is not a sum over results: ${under.unsplit}.`];
  if (steps.rest[query]) said.push(`Results below rank ${facts.lists.depth} add ${exact(steps.rest[query])}.`);
  if (value !== null) said.push(quotient(steps.total[query], steps.normaliser[query], value, state));
  return said;
}

function quotient(total, normaliser, value, state) {
  const ratio = `contributions ${exact(total)} / ${exact(normaliser)}`;
  if (!(normaliser > 0)) return `${ratio}: answered by ${state.split("=")[0] || "no_relevant"} with ${exact(value)}`;
  const text = exact(total / normaliser);
  return `${ratio} = ${text}${text === exact(value) ? "" : `, rounded to ${exact(value)}`}`;
}

function idealOf(best, query, facts, sums) {
  const rest = best.rest[query] ? element("p", { class: "foot-line" }, `Below rank ${facts.lists.depth} it adds ${exact(best.rest[query])}.`) : null;
  const table = stepsTable(best, query, facts, fractionsIn([best, ...sums], query), `Arithmetic of the ${best.title}`);
  return element("div", { class: "sum", "data-system": "" }, element("h3", {}, nameOf(best.title)), table, rest);
}

function stepsTable(list, query, facts, fractions, label) {
  const [from, to] = [list.start[query], list.start[query + 1]];
  if (from === to) return element("p", { class: "more" }, "no results");
  const columns = { grade: list.grade, ...list.columns, ...(list.contribution ? { contribution: list.contribution } : {}) };
  const cells = Object.entries(columns).map(([name, values]) => cellText(values.slice(from, to), WHOLE.includes(name) && !fractions.has(name)));
  if (list.contribution) cells.push(running(list.contribution.slice(from, to)));
  const head = ["rank", "document", ...Object.keys(columns), ...(list.contribution ? ["running"] : [])];
  const rows = Array.from({ length: to - from }, (_, at) => stepRow(list, from + at, at + 1, cells.map((column) => column[at]), facts));
  const top = head.map((name, place) => element("th", { scope: "col", class: place === 1 ? null : "number" }, name));
  return tableBox(label, "wide", plainTable(top, rows));
}

function stepRow(list, at, rank, cells, facts) {
  const code = list.document[at];
  const id = code === null ? "–" : facts.documents.id[code];
  return element(
    "tr", {},
    element("td", { class: "number" }, String(list.rank?.[at] ?? rank)),
    element("th", { scope: "row", title: facts.documents.title?.[code] ?? null }, nameOf(id)),
    ...cells.map((text) => element("td", { class: "number" }, text)),
  );
}

function cellText(values, whole) {
  return values.map((value) => (whole && value !== null ? String(value) : exact(value)));
}

function running(values) {
  let sum = 0;
  return values.map((value) => exact((sum += value ?? 0)));
}
