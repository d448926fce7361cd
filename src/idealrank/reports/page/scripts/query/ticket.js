// A query as Markdown, to be pasted into a ticket: both lists side by side, the values, how to see the same again.

import { part } from "../evaluation.js";
import { changeText, fixed, grade, turn } from "../format.js";

/** Returns the Markdown of a query under the measure and the systems of its lists. */
export async function ticketOf(evaluation, { measure }, query, sides) {
  const [lists, documents, inputs, decisions] = await Promise.all(["lists", "documents", "inputs", "decisions"].map(part));
  const id = evaluation.queries.id[query];
  const { fingerprint } = evaluation.measures.find(({ label }) => label === measure);
  return [
    `### ${markdown(evaluation.title(query))}${evaluation.title(query) === id ? "" : ` (${markdown(id)})`}`,
    valuesText(evaluation, measure, query, sides),
    listsTable(sides.map((side) => rowsOf(lists.systems[side], documents, query)), sides),
    `Measure: ${code(fingerprint)}, convention ${code(decisions.setting)}. “–” is a result that nobody judged.`,
    ...commands(evaluation, measure, id, sides, inputs, decisions),
  ].join("\n\n") + "\n";
}

function valuesText(evaluation, measure, query, sides) {
  const texts = sides.map((side) => `${markdown(side)} **${fixed(evaluation.value(measure, side, query))}**`);
  const difference = sides.length > 1 ? evaluation.difference(measure, ...sides, query) : null;
  const change = difference === null ? "" : ` (${changeText(difference, turn(difference, evaluation.direction(measure)))})`;
  return `${markdown(measure)}: ${texts.join(" → ")}${change}`;
}

function rowsOf({ start, rank, document, grade: grades }, { id, title }, query) {
  return Array.from({ length: start[query + 1] - start[query] }, (_, at) => {
    const place = start[query] + at;
    const code = document[place];
    const words = title?.[code] ? `${markdown(title[code])} (${markdown(id[code])})` : markdown(id[code]);
    return { rank: rank[place], words, grade: grade(grades[place]) };
  });
}

function listsTable(rows, sides) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const deep = Math.max(...rows.map(({ length }) => length));
  const cells = (row) => (row ? [String(row.rank), row.words, row.grade] : ["", "", ""]);
  const body = Array.from({ length: deep }, (_, place) => line(rows.flatMap((side) => cells(side[place]))));
  return [line(sides.flatMap((side) => ["#", markdown(side), "grade"])), line(sides.flatMap(() => ["--:", "---", "--:"])), ...body].join("\n");
}

/** The commands that print the same numbers, where everything was read from files. */
function commands(evaluation, measure, id, sides, inputs, { setting }) {
  const [judgments, results] = ["judgments", "results"].map((role) => inputs.filter((each) => each.role === role).map(({ name }) => name));
  if (![...judgments, ...results].every((name) => /\.\w+$/.test(name))) return [];
  const convention = setting === "idealrank-1" ? [] : ["--as", setting];
  const lines = sides.map((side) => {
    const own = results.filter((name) => name.split(/[\\/]/).pop().replace(/\.\w+$/, "") === side); // a system of its own file is named by it
    const asked = own.length === 1 ? own : [...results, ...(evaluation.systems.length > 1 ? [`--system=${side}`] : [])];
    return ["idealrank", "explain", ...judgments, ...asked, "-m", measure, `--query=${id}`, ...convention].map(shellWord).join(" ");
  });
  return ["To see the same again:", lines.map((line) => `    ${line}`).join("\n")];
}

function shellWord(text) {
  return /^[\w./@=:,+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Escapes a text: it stays what it is, in one line and in one cell of a table. */
function markdown(text) {
  return text.replace(/\s+/g, " ").trim().replace(/[\\\x60*[\]#|<>~&$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "\\$&");
}

/** A text that has no sign of its own in Markdown but the backtick. */
function code(text) {
  return text.includes("\x60") ? markdown(text) : `\`${text}\``;
}
