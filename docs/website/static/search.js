// The search box: opened by the button, or by / and Ctrl+K; arrow keys move through what is found.
"use strict";

const SHOWN = 12;
const home = new URL(document.documentElement.dataset.content_root, location.href);
let asking = false;
let rank; // from a question to pages, once they are loaded

function made(tag, values = {}, ...children) {
  const element = Object.assign(document.createElement(tag), values);
  element.append(...children);
  return element;
}

const input = made("input", { type: "search", placeholder: "Search", autocomplete: "off" });
input.setAttribute("aria-label", "Search");
const count = made("p", { className: "search-count" });
count.setAttribute("role", "status");
const list = made("ol", { className: "search-found" });
const close = made("button", { type: "button", textContent: "Close" });
const dialog = made("dialog", { className: "search" }, made("div", { className: "search-head" }, input, close), count, list);
dialog.setAttribute("aria-label", "Search");
document.body.append(dialog);

function show() {
  if (!asking) load();
  if (!dialog.open) dialog.showModal();
  input.select();
}

/** Fetch what is searched when it is first needed, as a script: a page opened from a file may fetch nothing else. */
function load() {
  asking = true;
  const script = made("script", { src: new URL("pages.js", home).href });
  script.addEventListener("load", () => {
    rank = ranker(PAGES);
    found();
  });
  document.head.append(script);
}

function found() {
  if (!rank) {
    count.textContent = "Loading …";
    return;
  }
  const pages = input.value.trim() ? rank(input.value) : [];
  list.replaceChildren(...pages.slice(0, SHOWN).map(entry));
  count.textContent = input.value.trim() ? `${pages.length} ${pages.length === 1 ? "page" : "pages"}` : "";
}

function entry(part) {
  const address = new URL(`${part.page}.html${part.anchor && `#${part.anchor}`}`, home).href;
  const title = made("span", { className: "search-title", textContent: part.title });
  const heading = made("span", { className: "search-heading", textContent: part.heading });
  const link = made("a", { href: address }, title, heading, made("span", { className: "search-text" }, ...excerpt(part.text)));
  link.addEventListener("click", () => dialog.close());
  return made("li", {}, link);
}

/** The text around the first word that was asked for, with those words marked. */
function excerpt(text) {
  const asked = new Set(words(input.value).filter((word) => !COMMON.has(word)));
  const pieces = text.split(/([\p{L}\p{N}_]+)/u);
  const marked = (piece) => words(piece).some((word) => asked.has(word));
  const first = Math.max(0, pieces.findIndex(marked) - 12);
  const near = pieces.slice(first, first + 60);
  return [first ? "… " : "", ...near.map((piece) => (marked(piece) ? made("mark", { textContent: piece }) : piece))];
}

function moved(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Enter" && event.target === input) list.querySelector("a")?.click();
  if (!step) return;
  event.preventDefault();
  const places = [input, ...list.querySelectorAll("a")];
  places[Math.min(Math.max(places.indexOf(document.activeElement) + step, 0), places.length - 1)].focus();
}

function asked(event) {
  const typing = event.target.closest?.("input, textarea, select, dialog");
  if ((event.key === "/" && !typing) || (event.key === "k" && (event.ctrlKey || event.metaKey))) {
    event.preventDefault();
    show();
  }
}

input.addEventListener("input", found);
dialog.addEventListener("keydown", moved);
dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
close.addEventListener("click", () => dialog.close());
document.addEventListener("keydown", asked);
const button = made("button", { type: "button", className: "open-search header-search", textContent: "Search" });
document.querySelector(".mobile-header .header-right")?.prepend(button);
for (const opener of document.querySelectorAll(".open-search")) opener.addEventListener("click", show);
