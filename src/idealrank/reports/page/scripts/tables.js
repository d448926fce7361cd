// Tables: plain ones, the numbers behind a chart, and the grid of many rows.

import { element, nameOf } from "./elements.js";

const NUMBERS_MOST = 100; // rows of numbers behind a chart
const ROW = 40; // height of a row in pixels, as in query.css
const SPARE = 6; // rows kept above and below those in view

/**
 * Makes a table with all its rows.
 * @param {Node[]} head the cells of its head
 * @param {Node[]} rows elements `tr`
 */
export function plainTable(head, rows) {
  return element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
}

/** Puts a table into a box of its own, in which it scrolls and which keys can reach. */
export function tableBox(label, names, ...children) {
  return element("div", { class: names, role: "region", tabindex: "0", "aria-label": label }, ...children);
}

/**
 * Makes the table of the numbers behind a chart, its first 100 rows.
 *
 * A cell is a text, or a text with the number behind it, which stands in full in the attribute `data-value`.
 */
export function numbersTable(title, { heads, count, row }) {
  const head = heads.map((text) => element("th", { scope: "col" }, element("bdi", {}, text)));
  const rows = Array.from({ length: Math.min(count, NUMBERS_MOST) }, (_, place) => element("tr", {}, ...row(place).map(numbersCell)));
  const more = count > NUMBERS_MOST ? element("p", {}, `The first ${NUMBERS_MOST} of ${count.toLocaleString("en")} rows.`) : null;
  return tableBox(`Numbers: ${title}`, "chart-table", plainTable(head, rows), more);
}

function numbersCell(cell) {
  const { text, value } = typeof cell === "object" ? cell : { text: cell };
  const attributes = { class: value === undefined ? null : "number", "data-value": typeof value === "number" ? value : null };
  return element("td", attributes, element("bdi", {}, text));
}

/**
 * Draws rows of queries: only those in view are in the document, and they are filled anew as it scrolls.
 *
 * The active cell is moved by keys, as a grid of the ARIA practices.
 */
export class Grid {
  /**
   * @param {object} evaluation
   * @param {{open: (query: number) => void, sort: (key: string) => void, link: (query: number) => string}} told
   */
  constructor(evaluation, told) {
    this.evaluation = evaluation;
    this.told = told;
    this.at = { row: 0, column: 0 };
    this.chosen = null;
    this.head = element("div", { role: "rowgroup", class: "grid-head" });
    this.body = element("div", { role: "rowgroup", class: "grid-body" });
    this.element = element("div", { role: "grid", id: "grid", class: "grid", tabindex: "0", "aria-label": "Queries", "aria-readonly": "true" }, this.head, this.body);
    this.element.addEventListener("scroll", () => this.paint(), { passive: true });
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.element.addEventListener("click", (event) => this.onClick(event));
    new ResizeObserver(() => this.paint()).observe(this.element);
  }

  /** Shows queries under columns; `sorted` is the key of a column and whether it descends. */
  show(columns, queries, sorted) {
    const same = this.columns?.length === columns.length;
    Object.assign(this, { columns, queries, sorted });
    this.element.style.setProperty("--columns", columns.map(({ width, grow }) => (grow ? `minmax(${width}rem, ${grow}fr)` : `${width}rem`)).join(" "));
    this.element.style.setProperty("--width", `${columns.reduce((sum, { width }) => sum + width, 0)}rem`);
    this.element.setAttribute("aria-rowcount", queries.length + 1);
    this.body.style.height = `${queries.length * ROW}px`;
    this.head.replaceChildren(this.heading());
    if (!same) this.body.replaceChildren();
    this.pool = same ? this.pool : [];
    for (const slot of this.pool) slot.index = -1;
    this.at = { row: Math.min(this.at.row, queries.length - 1), column: Math.min(this.at.column, columns.length - 1) };
    this.paint();
  }

  heading() {
    const cells = this.columns.map((column, place) => {
      const direction = column.key === this.sorted.key ? (this.sorted.descending ? "descending" : "ascending") : null;
      const glyph = element("span", { class: "sorted", "aria-hidden": "true" }, direction ? (this.sorted.descending ? "↓" : "↑") : "");
      const named = this.evaluation.nameOf(column.title);
      const title = column.group ? [element("small", {}, column.group), named] : [named];
      const button = element("button", { type: "button", tabindex: "-1", title: `Sort by ${column.group} ${column.title}` }, element("span", { class: "heading" }, ...title), glyph);
      return element("div", { role: "columnheader", id: `head-${place}`, class: column.kind, "data-key": column.key, "aria-sort": direction ?? "none" }, button);
    });
    return element("div", { role: "row", class: "grid-row", "aria-rowindex": "1" }, ...cells);
  }

  /** Fills the rows in view. */
  paint() {
    if (!this.columns) return;
    const { scrollTop, clientHeight, scrollLeft, clientWidth, scrollWidth } = this.element;
    this.element.dataset.more = String(scrollLeft + clientWidth < scrollWidth - 1); // columns on the right
    const first = Math.max(0, Math.floor(scrollTop / ROW) - SPARE);
    const last = Math.min(this.queries.length, Math.ceil((scrollTop + clientHeight) / ROW) + SPARE);
    const slots = Math.ceil(clientHeight / ROW) + 2 * SPARE + 2;
    while (this.pool.length < slots) this.pool.push(this.slot(this.pool.length));
    const drawn = new Set();
    for (let row = first; row < last; row += 1) {
      const slot = this.pool[row % this.pool.length];
      if (slot.index !== row) this.fill(slot, row);
      drawn.add(slot);
    }
    for (const slot of this.pool) slot.element.hidden = !drawn.has(slot);
    this.mark();
  }

  slot(place) {
    const cells = this.columns.map((column, at) => {
      const link = at === 0 ? element("a", { tabindex: "-1" }, nameOf(" "), element("small", {}, element("bdi"))) : null;
      return element("div", { role: at === 0 ? "rowheader" : "gridcell", id: `cell-${place}-${at}`, class: column.kind }, link);
    });
    const row = element("div", { role: "row", class: "grid-row" }, ...cells);
    this.body.append(row);
    return { element: row, cells, index: -1 };
  }

  fill(slot, row) {
    const query = this.queries[row];
    slot.index = row;
    slot.element.style.transform = `translateY(${row * ROW}px)`;
    slot.element.setAttribute("aria-rowindex", row + 2);
    slot.element.dataset.query = this.evaluation.queries.id[query];
    this.columns.forEach((column, place) => {
      if (place === 0) this.fillName(slot.cells[0], query);
      else fillCell(slot.cells[place], column, query);
    });
  }

  fillName(cell, query) {
    const id = this.evaluation.queries.id[query];
    const title = this.evaluation.title(query);
    const link = cell.firstChild;
    link.href = this.told.link(query);
    link.title = title;
    link.firstChild.textContent = title || "(empty)";
    link.lastChild.hidden = title === id;
    link.lastChild.firstChild.textContent = id;
  }

  /** Marks the active cell and the chosen query. */
  mark() {
    for (const cell of this.element.querySelectorAll(".active")) cell.classList.remove("active");
    for (const slot of this.pool) {
      const chosen = slot.index >= 0 && this.queries[slot.index] === this.chosen;
      slot.element.setAttribute("aria-selected", String(chosen));
    }
    const cell = this.activeCell();
    cell?.classList.add("active");
    if (cell) this.element.setAttribute("aria-activedescendant", cell.id);
    else this.element.removeAttribute("aria-activedescendant");
  }

  activeCell() {
    if (this.at.row < 0) return document.getElementById(`head-${this.at.column}`);
    const slot = this.pool[this.at.row % this.pool.length];
    return slot?.index === this.at.row && !slot.element.hidden ? slot.cells[this.at.column] : null;
  }

  /** Makes a query the chosen one and brings it into view. */
  choose(query) {
    this.chosen = query;
    const row = query === null ? -1 : this.queries.indexOf(query);
    if (row >= 0) this.move(row, this.at.column);
    else this.mark();
  }

  /** Makes a cell the active one and brings it into view. */
  move(row, column) {
    this.at = {
      row: Math.max(-1, Math.min(this.queries.length - 1, row)),
      column: Math.max(0, Math.min(this.columns.length - 1, column)),
    };
    const top = this.at.row * ROW;
    const room = this.element.clientHeight - this.head.offsetHeight - ROW;
    if (this.at.row >= 0) this.element.scrollTop = Math.max(top - room, Math.min(top, this.element.scrollTop));
    this.paint();
    this.activeCell()?.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  }

  onKey(event) {
    const { row, column } = this.at;
    const page = Math.max(1, Math.floor(this.element.clientHeight / ROW) - 2);
    const last = this.columns.length - 1;
    const steps = {
      ArrowDown: [row + 1, column], ArrowUp: [row - 1, column], ArrowRight: [row, column + 1], ArrowLeft: [row, column - 1],
      PageDown: [row + page, column], PageUp: [Math.max(0, row - page), column],
      Home: [event.ctrlKey ? 0 : row, 0], End: [event.ctrlKey ? this.queries.length - 1 : row, last],
    };
    if (event.key in steps && !event.altKey && !event.metaKey) this.move(...steps[event.key]);
    else if ((event.key === "Enter" || event.key === " ") && event.target === this.element) this.enter();
    else return;
    event.preventDefault();
  }

  enter() {
    if (this.at.row < 0) this.told.sort(this.columns[this.at.column].key);
    else if (this.queries.length) this.told.open(this.queries[this.at.row]);
  }

  onClick(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const head = event.target.closest("[role=columnheader]");
    const slot = this.pool.find((each) => each.element.contains(event.target));
    if (head) this.told.sort(head.dataset.key);
    else if (slot) {
      event.preventDefault();
      this.at.row = slot.index;
      this.told.open(this.queries[slot.index]);
    }
  }
}

function fillCell(cell, column, query) {
  const text = column.text(query);
  cell.textContent = text;
  cell.className = column.mood ? `${column.kind} ${column.mood(query)}` : column.kind;
  if (column.kind === "text") cell.title = text;
}
