// The keys of the page.

import { openSheet } from "./bar.js";
import { made } from "./made.js";

const KEYS = [
  [["/"], "find a query; Enter opens it if it is the only one left, else goes to the table"],
  [["↑", "↓", "←", "→"], "go through the table, and through the lists of a query"],
  [["Home", "End", "PgUp", "PgDn"], "to the ends of a row, by whole pages"],
  [["Enter"], "open the query of this row; on a heading, sort by it"],
  [["j", "k"], "next and previous query, in the order of the table"],
  [["Esc"], "back to the table; closes what is open"],
  [["?"], "these keys"],
];

/** Makes the sheet of keys. */
export function keysSheet() {
  const rows = KEYS.flatMap(([keys, words]) => [made("dt", {}, ...keys.flatMap((key) => [made("kbd", {}, key), " "])), made("dd", {}, words)]);
  const close = made("button", { type: "button", class: "plain close", "aria-label": "Close" }, "✕");
  return made("dialog", { id: "keys", class: "sheet", "aria-labelledby": "keys-title" }, made("header", {}, made("h2", { id: "keys-title" }, "Keys"), close), made("dl", { class: "keys" }, ...rows));
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

function typing(element) {
  return element.matches?.("input:not([type=checkbox]), select, textarea") ?? false;
}

function back(event, view, table) {
  if (event.target.id === "filter" && event.target.value) return; // the field empties itself
  if (view.state.query === null && view.state.unknown === null) return;
  location.hash = "#queries";
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
