// The table of queries: rows are fetched as they scroll, filters follow what is typed, keys go through the rows.

const ROW = 40; // height of a row in pixels, as in query.css
const SPARE = 40; // rows kept above and below those in view
const REST = 150; // milliseconds without a key, or without scrolling, until something follows

/** The rows of one order: only windows near those in view are in the document. */
class Rows {
  constructor(box) {
    this.box = box;
    this.table = box.querySelector("table");
    this.count = Number(box.dataset.count);
    this.size = Number(box.dataset.window);
    this.columns = this.table.tHead.rows[0].cells.length;
    this.above = space(this.columns);
    this.below = space(this.columns);
    const given = this.table.tBodies[0];
    this.windows = new Map([[Number(given.dataset.first) / this.size, given]]);
    given.before(this.above);
    given.after(this.below);
    // Keys move the row that is marked, and the table keeps the focus: the rows come and go.
    this.table.setAttribute("role", "grid");
    this.table.tabIndex = 0;
    this.at = Number(box.dataset.at ?? box.dataset.begin);
    this.pad();
    this.box.scrollTop = Math.max(0, this.at - (box.dataset.at ? 5 : 0)) * ROW;
    box.addEventListener("scroll", () => this.onScroll(), { passive: true });
    this.table.addEventListener("keydown", (event) => this.onKey(event));
    box.addEventListener("click", (event) => this.onClick(event));
    new ResizeObserver(() => this.paint()).observe(box);
    this.paint();
  }

  onScroll() {
    this.paint();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => keepPlace(Math.round(this.box.scrollTop / ROW)), REST);
  }

  /** Puts the windows near those in view into the document, and takes the others out. */
  paint() {
    if (!this.box.isConnected) return;
    const top = this.box.scrollTop / ROW;
    const last = this.count - 1;
    const first = Math.floor(Math.min(last, Math.max(0, top - SPARE)) / this.size);
    const end = Math.floor(Math.min(last, top + this.box.clientHeight / ROW + SPARE) / this.size);
    for (const [window, body] of this.windows) if (window < first || window > end) this.drop(window, body);
    for (let window = first; window <= end; window += 1) if (!this.windows.has(window)) this.add(window);
    this.pad();
    this.mark();
  }

  add(window) {
    const body = space(this.columns);
    body.querySelector("td").style.height = `${this.rowsOf(window) * ROW}px`;
    body.asked = new AbortController();
    const after = [...this.windows.keys()].filter((each) => each < window).sort((a, b) => b - a)[0];
    (after === undefined ? this.above : this.windows.get(after)).after(body);
    this.windows.set(window, body);
    this.fill(window, body);
  }

  async fill(window, waiting) {
    const asked = `${this.box.dataset.rows}&start=${window * this.size}&count=${this.size}`;
    try {
      const answer = await fetch(asked, { signal: waiting.asked.signal });
      if (!answer.ok) return;
      const made = document.createElement("template");
      made.innerHTML = await answer.text();
      const body = made.content.querySelector("tbody");
      if (this.windows.get(window) !== waiting || !body) return;
      this.windows.set(window, body);
      waiting.replaceWith(body);
      this.quiet(body);
      this.mark();
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    }
  }

  drop(window, body) {
    body.asked?.abort();
    body.remove();
    this.windows.delete(window);
  }

  rowsOf(window) {
    return Math.min(this.size, this.count - window * this.size);
  }

  /** Keeps the room of what is not in the document. */
  pad() {
    const there = [...this.windows.keys()].sort((a, b) => a - b);
    const heights = [there[0] * this.size, this.count - there.at(-1) * this.size - this.rowsOf(there.at(-1))];
    [this.above, this.below].forEach((each, place) => {
      each.hidden = heights[place] === 0;
      each.querySelector("td").style.height = `${heights[place] * ROW}px`;
    });
    for (const body of this.windows.values()) this.quiet(body);
  }

  /** The table is one stop of the Tab key: Enter opens the row that is marked. */
  quiet(body) {
    for (const link of body.querySelectorAll("a")) link.tabIndex = -1;
  }

  mark() {
    for (const row of this.table.querySelectorAll("tr.active")) row.classList.remove("active");
    const row = document.getElementById(`row-${this.at}`);
    row?.classList.add("active");
    if (row) this.table.setAttribute("aria-activedescendant", row.id);
    else this.table.removeAttribute("aria-activedescendant");
  }

  /** Marks a row, and brings it into view. */
  move(row) {
    this.at = Math.max(0, Math.min(this.count - 1, row));
    const room = this.box.clientHeight - this.table.tHead.offsetHeight - ROW;
    const top = this.at * ROW;
    this.box.scrollTop = Math.max(top - room, Math.min(top, this.box.scrollTop));
    this.paint();
  }

  onKey(event) {
    if (event.target !== this.table || event.altKey || event.metaKey || event.ctrlKey) return;
    const page = Math.max(1, Math.floor(this.box.clientHeight / ROW) - 2);
    const steps = { ArrowDown: this.at + 1, ArrowUp: this.at - 1, PageDown: this.at + page, PageUp: this.at - page, Home: 0, End: this.count - 1 };
    if (event.key in steps) this.move(steps[event.key]);
    else if (event.key === "Enter") document.querySelector(`#row-${this.at} a`)?.click();
    else return;
    event.preventDefault();
  }

  onClick(event) {
    const row = event.target.closest("tbody tr[id]");
    if (row && !event.target.closest("a") && !getSelection().toString()) row.querySelector("a").click();
  }
}

function space(columns) {
  const body = document.createElement("tbody");
  body.className = "space";
  body.setAttribute("aria-hidden", "true");
  body.insertRow().insertCell().colSpan = columns;
  return body;
}

/** The address says where the table was scrolled to. */
function keepPlace(row) {
  const here = new URL(location.href);
  here.searchParams.delete("at");
  if (row > 0) here.searchParams.set("start", row);
  else here.searchParams.delete("start");
  history.replaceState(history.state, "", here);
}

/** Shows what an address asks for; the form, and what is typed into it, stay. */
async function show(address, { push }) {
  const mine = (show.last = (show.last ?? 0) + 1);
  const answer = await fetch(address, { headers: { "X-Part": "main" } });
  const text = await answer.text();
  if (mine !== show.last) return;
  const made = new DOMParser().parseFromString(text, "text/html");
  const found = made.getElementById("found");
  if (!found) return location.assign(address); // an error has a page of its own
  if (push) history.pushState(null, "", address);
  else history.replaceState(history.state, "", address);
  const focused = document.activeElement?.id === "queries";
  document.getElementById("found").replaceWith(found);
  start();
  if (focused) document.getElementById("queries")?.focus({ preventScroll: true });
}

function addressOf(form) {
  const pairs = [...new FormData(form)].filter(([, value]) => value !== "");
  return `${form.getAttribute("action")}?${new URLSearchParams(pairs)}`;
}

function start() {
  const box = document.getElementById("rows");
  if (box && !box.started) {
    box.started = true;
    new Rows(box);
  }
}

let typing;
document.addEventListener("input", (event) => {
  const form = event.target.form;
  if (form?.id !== "filters" || event.target.type !== "search") return;
  clearTimeout(typing);
  typing = setTimeout(() => show(addressOf(form), { push: false }), REST);
});
document.addEventListener("change", (event) => {
  const form = event.target.form;
  if (form?.id !== "filters" || event.target.type === "search") return;
  if (["baseline", "system", "all"].includes(event.target.name)) form.requestSubmit(); // counts and words of the form change, too
  else show(addressOf(form), { push: true });
});
document.addEventListener("submit", (event) => {
  if (event.target.id !== "filters" || event.submitter === null && document.activeElement?.type !== "search") return;
  if (document.activeElement?.type !== "search") return;
  event.preventDefault(); // Enter in the filter opens the query that is left; of several, it goes to the table
  clearTimeout(typing);
  show(addressOf(event.target), { push: false }).then(() => {
    const rows = document.querySelectorAll("#queries tbody tr[id]");
    if (rows.length === 1) rows[0].querySelector("a").click();
    else document.getElementById("queries")?.focus();
  });
});
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-in-place]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const at = [...link.closest("tr").children].indexOf(link.closest("th"));
  show(link.href, { push: true }).then(() => {
    document.querySelectorAll("#queries thead a")[at]?.focus();
    const sort = new URL(link.href).searchParams.get("sort") ?? "";
    document.querySelector("#filters [name=sort]").value = sort;
  });
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target.closest?.("input, select, textarea, dialog[open]")) return;
  event.preventDefault();
  document.getElementById("filter")?.select();
});
document.addEventListener("shown", start);
start();
