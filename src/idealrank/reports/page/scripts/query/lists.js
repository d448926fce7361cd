// The lists of the chosen query side by side: baseline, system, and the ideal list; and how documents moved.

import { choice, element, fieldWithLabel, nameOf } from "../elements.js";
import { exactSignedText, fixed, grade, level } from "../format.js";
import { idealsOf } from "./arithmetic.js";
import { followDocuments, linesIn, walk } from "./lines.js";

/** Builds the lists, and the lines between them. */
export class QueryLists {
  /** @param {() => void} again is called when other systems are chosen */
  constructor(evaluation, view, again) {
    Object.assign(this, { evaluation, view, again });
    this.adding = false;
    this.picked = {};
    view.listen((_, changed) => {
      if (changed.has("system") || changed.has("baseline")) this.picked = {};
    });
    new ResizeObserver(() => this.drawLines()).observe(document.body);
  }

  /** The systems shown: two, or the only one. */
  sides() {
    const { system, baseline } = this.view.state;
    const other = this.evaluation.systems.find((each) => each !== system);
    const usual = baseline !== null ? [baseline, system] : other === undefined ? [system] : [system, other];
    return usual.map((name, place) => this.picked[place] ?? name);
  }

  /** Returns the lists of a query. */
  of(query, facts) {
    this.facts = facts;
    this.ratings = ratingsOf(facts.lists, query);
    const columns = this.columns(query);
    const [left, right] = columns;
    const comparable = this.sides().length > 1 && !left.failed && !right.failed; // a failed search lost no document
    const moves = comparable ? movesBetween(left.items, right.items) : null;
    this.top ??= facts.lists.best.grade.reduce((most, each) => Math.max(most, each ?? 0), 1);
    this.shown = Math.min(this.shown ?? columns.length - 2, columns.length - 1);
    this.host = element("div", { class: "lists", "data-adding": String(this.adding), "data-shown": String(this.shown) });
    columns.forEach((column, place) => {
      if (place > 0) this.host.append(element("div", { class: "between", "data-ideal": String(column.ideal), "aria-hidden": "true" }));
      this.host.append(this.list(column, column.ideal ? null : moves?.[place], query));
      this.host.lastElementChild.dataset.place = String(place);
    });
    followDocuments(this.host);
    this.host.addEventListener("keydown", walk);
    this.host.addEventListener("click", (event) => event.target.closest("a") || this.unfold(event.target.closest("li")));
    this.host.addEventListener("keydown", (event) => event.key === "Enter" && event.target.matches("li") && this.unfold(event.target));
    return element("div", { class: "query-lists" }, this.tools(), this.tabs(columns), this.host, this.legend(moves !== null));
  }

  /** On a phone one list is shown at a time. */
  tabs(columns) {
    const show = (place) => {
      this.shown = place;
      this.host.dataset.shown = String(place);
      buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(at === place)));
    };
    const buttons = columns.map(({ title }, place) => element("button", { type: "button", "aria-pressed": String(place === this.shown), onclick: () => show(place) }, this.evaluation.nameOf(title)));
    return element("div", { class: "list-tabs tabs", role: "group", "aria-label": "List shown" }, ...buttons);
  }

  columns(query) {
    const { lists, explanations } = this.facts;
    const arithmetic = explanations[this.view.state.measure];
    const found = this.sides().map((system) => {
      const list = lists.systems[system];
      return { title: system, system, ideal: false, items: items(list, query, arithmetic.systems[system].contribution), returned: list.returned[query], failed: this.evaluation.failed(system, query) };
    });
    const ideal = idealsOf(arithmetic, this.sides()).at(-1);
    const title = ideal?.title ?? "judged best";
    return [...found, { title, ideal: true, items: ideal ? items(ideal, query, ideal.contribution) : items(lists.best, query) }];
  }

  list(column, moves, query) {
    const entries = column.items.map((item, place) => this.item(item, place === 0 ? "0" : "-1", moves, item.step !== column.items[place - 1]?.step));
    const hidden = column.returned - column.items.length;
    const more = hidden > 0 ? element("p", { class: "more" }, `${hidden} more below rank ${this.facts.lists.depth}`) : null;
    const nothing = entries.length ? null : element("p", { class: "more" }, absence(column));
    const { measure } = this.view.state;
    const value = column.ideal ? "" : `${measure} ${fixed(this.evaluation.value(measure, column.system, query))}`;
    return element(
      "div", { class: "list", "data-list": column.ideal ? "ideal" : column.system },
      element("h3", {}, column.ideal ? nameOf(column.title) : this.evaluation.nameOf(column.title), element("small", {}, value)),
      element("ol", { role: "list" }, ...entries), nothing, more,
    );
  }

  /** One result; the first of a step is below the step's heading. */
  item(item, tabindex, moves, begins) {
    const { documents } = this.facts;
    const id = item.document === null ? null : documents.id[item.document];
    const title = item.document === null ? "any document of this grade" : (documents.title?.[item.document] ?? null);
    const move = moves ? moveOf(moves, item) : null;
    const text = documents.text?.[item.document] ?? null;
    return element(
      "li", { tabindex, class: begins && item.step !== null ? "begins" : null, "data-document": item.document, "data-rank": item.rank, "data-move": move?.kind ?? null, title: title === null ? id : [title, id].filter((text) => text !== null).join("\n") },
      begins && item.step !== null ? element("span", { class: "step" }, `step ${item.step}`) : null,
      element("span", { class: "rank" }, String(item.rank)),
      pictureOf(documents.picture?.[item.document]),
      element("span", { class: "named" }, withLink(nameOf(title ?? id, { class: "title" }), documents.url?.[item.document]), title !== null && id !== null ? element("span", { class: "hidden" }, " ", nameOf(id)) : null),
      element("span", { class: "marks" },
        move ? element("span", { class: `move ${move.kind}`, title: move.words }, element("span", { "aria-hidden": "true" }, move.text), element("span", { class: "hidden" }, move.words)) : null,
        this.chip(item),
        element("span", { class: "adds" }, exactSignedText(item.adds)),
        text === null ? null : element("button", { type: "button", class: "plain text-of", tabindex: "-1", "aria-expanded": "false", "aria-label": "Text", title: "Text of the document" }, "▾")),
      text === null ? null : element("p", { class: "text", hidden: true }, nameOf(text)),
    );
  }

  /** Shows the text of a document, or hides it again. */
  unfold(item) {
    const text = item?.querySelector(".text");
    if (!text || String(getSelection())) return; // a text that is being selected stays
    text.hidden = !text.hidden;
    item.classList.toggle("unfolded", !text.hidden);
    item.querySelector(".text-of").setAttribute("aria-expanded", String(!text.hidden));
    this.drawLines();
  }

  /** The grade, with who gave which where several did; hatched where nobody judged the document. */
  chip(item) {
    const ratings = this.ratings.get(item.document);
    const words = item.grade === null ? "unjudged" : `grade ${grade(item.grade)}${ratings === undefined ? "" : `: ${ratings}`}`;
    const shown = element("span", { "aria-hidden": "true" }, grade(item.grade));
    return element("span", { class: "grade", title: words, "data-level": level(item.grade, this.top) }, shown, element("span", { class: "hidden" }, words));
  }

  tools() {
    const { systems, paired } = this.evaluation;
    const choosing = systems.length > 2 || (systems.length > 1 && !paired);
    const words = this.sides().length > 1 ? ["left list", "right list"] : ["list"];
    const choosers = words.map((word, place) => fieldWithLabel(word, choice(`list-${place}`, this.evaluation.summary.order.map((name) => [name, name]), this.sides()[place], (name) => this.pick(place, name))));
    const adds = element("button", { type: "button", id: "adds", "aria-pressed": String(this.adding), onclick: (event) => this.add(event.target) }, "Show what each result adds");
    return element("div", { class: "list-tools" }, ...(choosing ? choosers : []), adds);
  }

  pick(place, name) {
    this.picked = { ...this.picked, [place]: name };
    this.again();
  }

  add(button) {
    this.adding = !this.adding;
    button.setAttribute("aria-pressed", String(this.adding));
    this.host.dataset.adding = String(this.adding);
    this.drawLines();
  }

  legend(compared) {
    const depth = this.facts.lists.depth;
    const moves = compared ? `▲ moved up, ▼ moved down, = same rank, “new” and “gone”: in the top ${depth} of one list only. ` : "";
    return element("p", { class: "note" }, `${moves}“–” is unjudged. Point at a document to see its id and where else it is.`);
  }

  /** Draws a line for every document that stands on both sides of a gap. */
  drawLines() {
    for (const gap of this.host?.querySelectorAll(".between") ?? []) gap.replaceChildren(...linesIn(gap));
  }
}

/** Makes a title a link where the document has an address. */
function withLink(named, address) {
  return address ? element("a", { href: address, target: "_blank", rel: "noopener noreferrer", class: "address" }, named) : named;
}

/** Says why a list is empty. */
function absence({ ideal, failed }) {
  if (failed) return "search failed";
  return ideal ? "nothing judged" : "no results";
}

/** A picture of a document, where there is one and the report was made with pictures. */
function pictureOf(address) {
  return address ? element("img", { class: "picture", src: address, alt: "", loading: "lazy", referrerpolicy: "no-referrer" }) : null;
}

function items(list, query, adds) {
  const found = [];
  for (let at = list.start[query]; at < list.start[query + 1]; at += 1) {
    found.push({ rank: list.rank?.[at] ?? at - list.start[query] + 1, document: list.document[at], grade: list.grade[at], adds: adds?.[at] ?? null, step: list.step?.[at] ?? null });
  }
  return found;
}

/** Returns the ratings of a query's documents in words, where these have several. */
function ratingsOf({ ratings, systems, best }, query) {
  const found = new Map();
  for (const list of ratings === undefined ? [] : [...Object.values(systems), best]) {
    for (let at = list.start[query]; at < list.start[query + 1]; at += 1) {
      if (list.ratings[at] !== null) found.set(list.document[at], ratings[list.ratings[at]]);
    }
  }
  return found;
}

/**
 * Returns for both lists what became of their documents: the rank in the other list, or nothing.
 * @param {{document: number|null, rank: number}[]} left
 * @param {{document: number|null, rank: number}[]} right
 */
function movesBetween(left, right) {
  return [
    { ranks: ranksOf(right), before: true },
    { ranks: ranksOf(left), before: false },
  ];
}

function ranksOf(entries) {
  return new Map(entries.map((item) => [item.document, item.rank]));
}

/** Says how a document moved: glyph and number for the eye, words for the ear; never by colour alone. */
function moveOf({ ranks, before }, item) {
  const other = ranks.get(item.document);
  if (other === undefined) return before ? { kind: "gone", text: "gone", words: "gone from the right list" } : { kind: "new", text: "new", words: "new in the right list" };
  if (before) return null; // said once, in the right list
  const step = other - item.rank;
  if (step === 0) return { kind: "same", text: "=", words: `rank ${item.rank} in both lists` };
  const [kind, glyph] = step > 0 ? ["up", "▲"] : ["down", "▼"];
  return { kind, text: `${glyph}${Math.abs(step)}`, words: `${kind} from rank ${other}` };
}
