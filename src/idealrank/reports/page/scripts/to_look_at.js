// What to look at first: the biggest losses and gains, and what to judge.

import { copyText, element, nameOf } from "./elements.js";
import { part } from "./evaluation.js";
import { changeText, mood, turn } from "./format.js";

const SHOWN = 5;

/** Shows them in an empty section, and keeps them as the view has it. */
export function changesIn(host, evaluation, view) {
  const draw = () => {
    const { state } = view;
    const kinds = state.baseline === null ? [worstKind(evaluation, state)] : changeKinds(evaluation, state);
    host.querySelectorAll(".change").forEach((each) => each.remove());
    host.prepend(...kinds.map((kind) => kindOf(kind, evaluation, state)));
  };
  view.listen((_, told) => {
    if (["measure", "system", "baseline"].some((name) => told.has(name))) draw();
  });
  draw();
}

/** Returns the queries that lost most, where none did those that gained most, or the worst ones of a system alone. */
export function worstOf(evaluation, state) {
  if (state.baseline === null) return worstKind(evaluation, state).queries;
  const [losses, gains] = changeKinds(evaluation, state);
  return losses.queries.length ? losses.queries : gains.queries;
}

function changeKinds(evaluation, state) {
  const { measure, baseline, system } = state;
  const direction = evaluation.direction(measure);
  const gain = (query) => (direction === "lower" ? -1 : 1) * evaluation.difference(measure, baseline, system, query);
  const known = places(evaluation).filter((query) => evaluation.difference(measure, baseline, system, query) !== null);
  const sorted = known.sort((p, q) => gain(p) - gain(q));
  const turned = (query) => turn(evaluation.difference(measure, baseline, system, query), direction);
  const [worse, better] = direction === "count" ? ["lower", "higher"] : ["worse", "better"];
  return [
    { id: "losses", title: direction === "count" ? "Largest drops" : "Biggest losses", none: `No query is ${worse}.`, queries: sorted.filter((query) => turned(query) < 0).slice(0, SHOWN) },
    { id: "gains", title: direction === "count" ? "Largest rises" : "Biggest gains", none: `No query is ${better}.`, queries: sorted.filter((query) => turned(query) > 0).slice(-SHOWN).reverse() },
  ];
}

function worstKind(evaluation, { measure, system }) {
  const sign = evaluation.direction(measure) === "lower" ? -1 : 1;
  const value = (query) => evaluation.value(measure, system, query);
  const known = places(evaluation).filter((query) => value(query) !== null);
  return { id: "worst", title: "Worst queries", none: "No query has a value.", queries: known.sort((p, q) => sign * (value(p) - value(q))).slice(0, SHOWN) };
}

function places(evaluation) {
  return Array.from({ length: evaluation.size }, (_, query) => query);
}

function kindOf({ id, title, none, queries }, evaluation, state) {
  const many = evaluation.systems.length > 2;
  const about = many ? [" ", element("small", {}, evaluation.nameOf(state.system), ...(state.baseline === null ? [] : [" against ", evaluation.nameOf(state.baseline)]))] : [];
  const items = queries.map((query) => element("li", {}, element("a", { href: evaluation.link(query, state), title: evaluation.queries.id[query] }, nameOf(evaluation.title(query)), ...numbersOf(evaluation, state, query))));
  const list = queries.length ? element("ol", { class: "list-of-queries" }, ...items) : element("p", { class: "soft" }, none);
  return element("div", { class: "change", id }, element("h2", {}, `${title} in ${state.measure}`, ...about), list);
}

function numbersOf(evaluation, { measure, baseline, system }, query) {
  const value = evaluation.valueText(measure, system, query);
  if (baseline === null) return [element("span", {}, value)];
  const difference = evaluation.difference(measure, baseline, system, query);
  const direction = evaluation.direction(measure);
  const turned = turn(difference, direction);
  return [
    element("span", { class: "soft" }, `${evaluation.valueText(measure, baseline, query)} → ${value}`),
    element("span", { class: `difference ${mood(turned, direction)}` }, changeText(difference, turned)),
  ];
}

// What to judge first: links to its queries, and all of it as CSV for those who judge.

/** Makes the links of the head lead to their queries, and its button copy the documents to judge. */
export function ratersIn(host, evaluation) {
  for (const link of host.querySelectorAll("a.query-link")) link.href = evaluation.linkTo(link.dataset.query, evaluation.usual) ?? "#queries";
  host.querySelector("#raters")?.addEventListener("click", (event) => copyCsv(event.currentTarget, evaluation));
}

async function copyCsv(button, evaluation) {
  await copyText(button, await csvOf(evaluation.summary.pair), "Results to judge, as CSV");
}

/** Returns a row for each document to judge, with an empty grade. */
async function csvOf([baseline, system]) {
  const [{ to_judge: rows }, { id, title }] = await Promise.all([part("holes"), part("documents")]);
  const titles = new Map(title ? id.map((key, at) => [key, title[at]]) : []);
  const ours = rows.filter((row) => [row.baseline, row.system].every((each) => each === baseline || each === system));
  const lines = ours.map((row) => [row.query, row.document, row.text ?? "", titles.get(row.document) ?? "", ""]);
  return [["query_id", "doc_id", "query", "title", "grade"], ...lines].map((line) => line.map(quoteCell).join(",")).join("\n") + "\n";
}

function quoteCell(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
