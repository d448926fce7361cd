// The bar: what is looked at, light or dark, the keys; sheets open from its links.

import { choice, made } from "./made.js";

/** Puts the choosers of measure and system into the bar. */
export function choosers(host, evaluation, view) {
  const labels = evaluation.measures.map(({ label }) => [label, label]);
  const measures = spoken("Measure", choice("measure", labels, view.state.measure, (measure) => view.change({ measure })));
  if (labels.length > 1) host.append(measures);
  view.listen(({ measure }) => { measures.value = measure; });
  const { sides } = evaluation;
  if (sides.length < 2) return;
  const one = evaluation.baseline !== null || !evaluation.pairs.length;
  const options = sides.map(([baseline, system], place) => [String(place), one ? system : `${system} vs ${baseline}`]);
  const systems = spoken("System", choice("system", options, "0", (place) => view.change({ baseline: sides[place][0], system: sides[place][1] })));
  host.append(systems);
  view.listen((state) => { systems.value = String(sides.findIndex(([baseline, system]) => baseline === state.baseline && system === state.system)); });
}

function spoken(label, select) {
  select.setAttribute("aria-label", label);
  return select;
}

/** Puts the buttons for light and dark and for the keys into the bar. */
export function buttons(host) {
  host.append(
    made("button", { type: "button", class: "icon", id: "theme", "aria-label": "Light or dark", title: "Light or dark", onclick: changeTheme }, "◐"),
    made("button", { type: "button", class: "icon", id: "help", "aria-label": "Keys", title: "Keys (?)", onclick: () => openSheet("keys") }, "?"),
  );
  if (kept()) document.documentElement.dataset.theme = kept();
}

const THEME = "idealrank-theme";

function changeTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  keep(root.dataset.theme);
}

function kept() {
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
export function openSheet(id) {
  const sheet = document.getElementById(id);
  if (!document.querySelector("dialog[open]")) sheet.showModal();
}

/** Makes links to sheets open them, their buttons and the page behind close them. */
export function sheetsOpen() {
  for (const link of document.querySelectorAll("a[aria-haspopup=dialog]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      openSheet(link.hash.slice(1));
    });
  }
  for (const sheet of document.querySelectorAll("dialog")) {
    sheet.addEventListener("click", (event) => {
      if (event.target === sheet || event.target.closest(".close")) sheet.close();
    });
  }
  const named = document.getElementById(location.hash.slice(1));
  if (named?.matches(".sheet")) named.showModal();
}
