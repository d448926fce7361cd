// The address: `#q=<id>` is the chosen query.

/**
 * Keeps the address and the view alike, on load and on back and forward, too.
 * @param {object} evaluation
 * @param {import("./view.js").View} view
 */
export function keepAddress(evaluation, view) {
  addEventListener("hashchange", () => follow(evaluation, view));
  view.listen((state, changed) => {
    if (changed.has("query")) point(evaluation, state);
  });
  if (view.state.query === null) follow(evaluation, view);
  else point(evaluation, view.state); // one was opened before the address was looked at
}

function point(evaluation, { query }) {
  if (query !== null) location.hash = evaluation.link(query);
}

function follow(evaluation, view) {
  const { hash } = location;
  if (hash.startsWith("#q=")) view.change(named(evaluation, hash.slice(3)));
  else if (hash === "" || hash === "#queries") view.change({ query: null, unknown: null });
}

function named(evaluation, written) {
  const id = decoded(written);
  const query = evaluation.places.get(id) ?? null;
  return { query, unknown: query === null ? id : null };
}

function decoded(written) {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
