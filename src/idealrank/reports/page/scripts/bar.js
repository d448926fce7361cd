// The bar: what is looked at, light or dark, the keys; on a phone they are in a menu.

import { choice, element, splitAt } from "./elements.js";

/** Puts the choosers of measure and system into the bar. */
export function choosers(host, evaluation, view) {
  const labels = evaluation.measures.map(({ label }) => [label, label]);
  const measures = withLabel("Measure", choice("measure", labels, view.state.measure, (measure) => view.change({ measure })));
  if (labels.length > 1) host.append(measures);
  view.listen(({ measure }) => { measures.value = measure; });
  if (!evaluation.choosable) return;
  const { order } = evaluation.summary;
  const texts = shortNames(order);
  const options = order.map((system, place) => [system, texts[place]]);
  // The other of the two that is taken makes room for this one.
  const pick = (one, other) => (name) => view.change({ [one]: name, ...(view.state[other] === name ? { [other]: view.state[one] } : {}) });
  const systems = withLabel("System", choice("system", options, view.state.system, pick("system", "baseline")));
  host.append(systems);
  view.listen(({ system }) => { systems.value = system; });
  if (!evaluation.paired) return;
  const against = withLabel("Compared with", choice("against", options, view.state.baseline, pick("baseline", "system")));
  host.append(element("span", { class: "soft" }, "vs"), against);
  view.listen(({ baseline }) => { against.value = baseline; });
}

const ENDS = [4, 14]; // letters of a name in a chooser: of its start, and from where it differs

function shortNames(names) {
  const [first, last] = ENDS;
  const short = names.map((name) => {
    const at = splitAt(name, names);
    return at === 0 ? name : `${name.slice(0, first)}…${name.slice(at, at + last)}${at + last < name.length ? "…" : ""}`;
  });
  return new Set(short).size === names.length ? short : names;
}

function withLabel(label, select) {
  select.setAttribute("aria-label", label);
  return select;
}

/** Puts the menu into the bar, with the place for all that is in it; on a wide screen it stands open. */
export function menu(host) {
  const bar = host.closest(".bar");
  const toggle = ({ currentTarget }) => {
    bar.dataset.open = String(bar.dataset.open !== "true");
    currentTarget.setAttribute("aria-expanded", bar.dataset.open);
  };
  const choices = element("div", { class: "choices", id: "choices" });
  host.append(choices, element("button", { type: "button", class: "icon", id: "menu", "aria-label": "Menu", "aria-expanded": "false", "aria-controls": "choices", onclick: toggle }, "⋯"));
  return choices;
}

/** Puts the buttons for light and dark and for the keys into the bar. */
export function buttons(host) {
  host.append(
    element("button", { type: "button", class: "icon", id: "theme", "aria-label": "Light or dark", title: "Light or dark", onclick: changeTheme }, "◐"),
    element("button", { type: "button", class: "icon", id: "help", "aria-label": "Keys", title: "Keys (?)", onclick: () => openSheet("keys") }, "?"),
  );
  if (storedTheme()) document.documentElement.dataset.theme = storedTheme();
}

const THEME = "idealrank-theme";

function changeTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  keep(root.dataset.theme);
}

function storedTheme() {
  try {
    return localStorage.getItem(THEME);
  } catch {
    return null; // a file may keep nothing
  }
}

function keep(theme) {
  try {
    localStorage.setItem(THEME, theme);
  } catch {
    // then the choice lasts as long as the page
  }
}

/** Opens a sheet above the page. */
function openSheet(id) {
  const sheet = document.getElementById(id);
  if (!document.querySelector("dialog[open]")) sheet.showModal();
}

/** Makes the sheet close by its button and by the page behind it. */
export function sheetCloses(sheet) {
  sheet.addEventListener("click", (event) => {
    if (event.target === sheet || event.target.closest(".close")) sheet.close();
  });
}

const TEXTS = [["Enter"], "on a result, show the text of the document"];
// What each key does, in words; `listenForKeys` and whatever has the keyboard do it.
const KEYS = [
  [["/"], "find a query; Enter opens it if it is the only one left, else goes to the table"],
  [["↑", "↓", "←", "→"], "go through the table, and through the lists of a query"],
  [["Home", "End", "PgUp", "PgDn"], "to the ends of a row, by whole pages"],
  [["Enter"], "open the query of this row; on a heading, sort by it"],
  TEXTS,
  [["j", "k"], "next and previous query, in the order of the table"],
  [["Esc"], "back to the table; closes what is open"],
  [["?"], "these keys"],
];

/** Makes the sheet of keys; `texts` says whether documents have any. */
export function keysSheet(texts) {
  const rows = KEYS.filter((each) => texts || each !== TEXTS).flatMap(([keys, words]) => [element("dt", {}, ...keys.flatMap((key) => [element("kbd", {}, key), " "])), element("dd", {}, words)]);
  const close = element("button", { type: "button", class: "plain close", "aria-label": "Close" }, "✕");
  return element("dialog", { id: "keys", class: "sheet", "aria-labelledby": "keys-title" }, element("header", {}, element("h2", { id: "keys-title" }, "Keys"), close), element("dl", { class: "keys" }, ...rows));
}

/** Listens for keys that hold for the whole page. */
export function listenForKeys(view, table) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") back(event, view, table);
    else if (!typing(event.target)) act(event, view, table);
  });
}

function typing(target) {
  return target.matches?.("input:not([type=checkbox]), select, textarea") ?? false;
}

function back(event, view, table) {
  if (event.target.id === "filter" && event.target.value) return; // the field empties itself
  if (view.state.query === null && view.state.unknown === null) return;
  view.change({ query: null, unknown: null });
  table.focus();
}

function act(event, view, table) {
  const acts = {
    "/": () => document.getElementById("filter").focus(),
    "?": () => openSheet("keys"),
    j: () => step(1, view, table),
    k: () => step(-1, view, table),
  };
  if (!(event.key in acts)) return;
  event.preventDefault();
  acts[event.key]();
}

function step(by, view, table) {
  const query = view.state.query === null ? null : table.neighbour(view.state.query, by);
  if (query !== null) view.change({ query });
}
