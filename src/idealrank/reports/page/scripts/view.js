// What is looked at, and the address that says all of it: a page that is sent opens as it was seen.

/** Holds the state; whoever listens is told what it has become, and which parts of it are new. */
export class View {
  /** @param {object} state as `Evaluation.usual`, with `query: number|null` and `unknown: string|null`, an id that was
   *   asked for and is not there */
  constructor(state) {
    this.state = state;
    this.listeners = [];
  }

  /** Calls `told(state, changed)` after every change; `changed` is the set of names that have a new value. */
  listen(told) {
    this.listeners.push(told);
  }

  /** Takes new values for some names. */
  change(values) {
    const changed = new Set(Object.keys(values).filter((name) => values[name] !== this.state[name]));
    if (changed.size === 0) return;
    this.state = { ...this.state, ...values };
    for (const told of this.listeners) told(this.state, changed);
  }
}

// The address is `#part&q=<id>&m=<measure>&s=<system>&b=<baseline>&find=<text>&outcome=…&in.<segment>=…&sort=…&all=1`:
// each is left out where it is the usual, `part` is the id of what is to be seen first.

/**
 * Keeps the address and the view alike, on load and on back and forward, too. Every change is one step back, but for
 * the letters of a word that is typed.
 * @param {object} evaluation
 * @param {View} view
 */
export function keepAddress(evaluation, view) {
  const title = document.title;
  let following = false;
  let typing = false;
  const follow = () => {
    following = true;
    view.change(evaluation.readAddress(location.hash));
    following = typing = false;
  };
  const go = (hash, again = false) => {
    if (hash === (location.hash || "#")) return;
    const address = `${location.href.split("#")[0]}${hash}`;
    if (again) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
  };
  addEventListener("hashchange", () => {
    follow();
    jump();
  });
  document.addEventListener("change", () => { typing = false; }, true);
  document.addEventListener("click", (event) => {
    const part = partOfLink(event);
    if (part === null) return;
    event.preventDefault();
    const left = part === "queries" ? { query: null, unknown: null } : {};
    go(evaluation.address({ ...view.state, ...left }, part));
    following = true;
    view.change(left);
    following = false;
    jump();
  });
  view.listen((state, changed) => {
    entitle(evaluation, state, title);
    if (following) return;
    const typed = changed.size === 1 && changed.has("find");
    go(evaluation.address(state, partAfter(state, changed)), typed && typing);
    typing = typed;
  });
  if (view.state.query === null) follow();
  else go(evaluation.address(view.state, "")); // one was opened before the address was looked at
  entitle(evaluation, view.state, title);
}

/** Where the page is to be opened after a change: at the query, at the table, or where it is. */
function partAfter({ query }, changed) {
  if (changed.has("query")) return query === null ? "queries" : "";
  if (["measure", "system", "baseline"].some((name) => changed.has(name))) return partOf(location.hash);
  return query === null ? "queries" : "";
}

/** The id a link of this page leads to, if the browser would follow it here; null for others. */
function partOfLink(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return null;
  const href = event.target.closest?.("a[href^='#']")?.getAttribute("href") ?? "#";
  return document.getElementById(partOf(href)) ? partOf(href) : null;
}

/** The part of the page that an address names; "" where it names none. */
export function partOf(hash) {
  const [first] = hash.slice(1).split("&");
  return first.includes("=") ? "" : first;
}

/** Goes to the part of the page that the address names; the browser went there before what stands above had its height. */
export function jump() {
  const named = document.getElementById(partOf(location.hash));
  const panel = named?.closest(".panel");
  if (panel) document.getElementById(`tab-${panel.id}`)?.click();
  const shown = panel && panel === named ? panel.parentElement.closest("section") : named; // with its tabs in sight
  shown?.focus({ preventScroll: true });
  shown?.scrollIntoView({ behavior: "instant" });
}

/** The title of the window, and of what is printed, names the query. */
function entitle(evaluation, { query }, title) {
  document.title = query === null ? title : `${evaluation.title(query)} · ${title}`;
}
