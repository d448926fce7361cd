// What is looked at: the measure, the two systems, the query chosen. Everything drawn follows from it.

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
