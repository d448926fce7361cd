// The biggest losses and gains of the measure and the systems looked at; of one system alone the worst queries.

import { changed, fixed, mood, turn } from "./format.js";
import { made, nameOf } from "./made.js";

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
  const about = many ? [" ", made("small", {}, nameOf(state.system), ...(state.baseline === null ? [] : [" against ", nameOf(state.baseline)]))] : [];
  const items = queries.map((query) => made("li", {}, made("a", { href: evaluation.link(query, state), title: evaluation.queries.id[query] }, nameOf(evaluation.title(query)), ...numbersOf(evaluation, state, query))));
  const list = queries.length ? made("ol", {}, ...items) : made("p", { class: "soft" }, none);
  return made("div", { class: "change", id }, made("h2", {}, `${title} in ${state.measure}`, ...about), list);
}

function numbersOf(evaluation, { measure, baseline, system }, query) {
  const value = fixed(evaluation.value(measure, system, query));
  if (baseline === null) return [made("span", {}, value)];
  const difference = evaluation.difference(measure, baseline, system, query);
  const direction = evaluation.direction(measure);
  const turned = turn(difference, direction);
  return [
    made("span", { class: "soft" }, `${fixed(evaluation.value(measure, baseline, query))} → ${value}`),
    made("span", { class: `difference ${mood(turned, direction)}` }, changed(difference, turned)),
  ];
}
