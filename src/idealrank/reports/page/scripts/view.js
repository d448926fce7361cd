// What is looked at, and the address that says it: the measure, the two systems, the query chosen.

/** Holds the state; whoever listens is told what it has become, and which parts of it are new. */
export class View {
  /** @param {{measure: string, system: string, baseline: string|null, query: number|null, unknown: string|null}} state
   *   `unknown` is an id that was asked for and is not there */
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

// The address: `#q=<id>` is the chosen query, `&m=<label>` the measure, `&s=<system>` the system it is looked at under.

/**
 * Keeps the address and the view alike, on load and on back and forward, too.
 * @param {object} evaluation
 * @param {import("./view.js").View} view
 */
export function keepAddress(evaluation, view) {
  const title = document.title;
  addEventListener("hashchange", () => follow(evaluation, view));
  view.listen((state, changed) => {
    point(evaluation, state, changed);
    entitle(evaluation, state, title);
  });
  if (view.state.query === null) follow(evaluation, view);
  else point(evaluation, view.state, new Set(["query"])); // one was opened before the address was looked at
  entitle(evaluation, view.state, title);
}

// Another query is another step back; another measure or system is the same step.
function point(evaluation, state, changed) {
  if (state.query === null) return;
  const link = evaluation.link(state.query, state);
  if (link === location.hash) return;
  if (changed.has("query")) location.hash = link;
  else location.replace(link);
}

/** The title of the window, and of what is printed, names the query. */
function entitle(evaluation, { query }, title) {
  document.title = query === null ? title : `${evaluation.title(query)} · ${title}`;
}

function follow(evaluation, view) {
  const { hash } = location;
  if (hash.startsWith("#q=")) followQuery(evaluation, view, hash);
  else if (hash === "" || hash === "#queries") view.change({ query: null, unknown: null });
}

function followQuery(evaluation, view, hash) {
  const [id, ...rest] = hash.slice(3).split(/&(?=[msb]=)/).map(decode);
  const asked = Object.fromEntries(rest.map((each) => [each[0], each.slice(2)]));
  const query = evaluation.places.get(id) ?? null;
  view.change({ query, unknown: query === null ? id : null, ...evaluation.readLink(asked) });
}

function decode(written) {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
