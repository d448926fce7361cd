// What the page asks of the evaluation: values, differences and states of queries, out of the parts of the report.

import { systemNameOf } from "./elements.js";
import { fixed } from "./format.js";

const NAMES = ["summary", "systems", "baseline", "pairs", "measures", "queries", "values", "states", "holes", "overlap", "segments", "means", "compared", "all_pairs"];

const LEFT_OUT = "left out on request";
const FAILED = "judged, search failed";
const NOTHING = { "judged, nothing returned": "no results", "judged, never asked": "no search" };
const WHY = { no_results: "no results", no_relevant: "no relevant document", no_judgments: "no judgments", failed: "search failed" };

/** The small parts of the report together; lists and arithmetic are read when a query is chosen. */
export class Evaluation {
  constructor(parts) {
    Object.assign(this, parts);
    this.size = this.queries.id.length;
    this.places = new Map(this.queries.id.map((id, place) => [id, place]));
    this.paired = this.pairs.length > 0 || this.all_pairs !== null; // whether two systems are looked at, or each alone
    this.choosable = this.systems.length > 2 || !this.paired; // whether there are others than those looked at first
    this.estimates = estimatesOf(parts);
    this.unasked = new Set(parts.states.filter(({ state }) => state === LEFT_OUT).map(({ query }) => this.places.get(query)));
    this.states = new Map(parts.states.map((row) => [`${row.system}\u0000${row.query}`, row]));
  }

  /** Reads the parts. */
  static async read() {
    const found = await Promise.all(NAMES.map(part));
    return new Evaluation(Object.fromEntries(NAMES.map((name, place) => [name, found[place]])));
  }

  /** The text of a query, its id where it has none. */
  title(query) {
    return this.queries.text?.[query] ?? this.queries.id[query];
  }

  /** The value of a query; null where it is left out. */
  value(measure, system, query) {
    return this.values[measure][system][query];
  }

  /** System minus baseline; null where one of them is left out. */
  difference(measure, baseline, system, query) {
    const before = this.values[measure][baseline][query];
    const after = this.values[measure][system][query];
    return before === null || after === null ? null : after - before;
  }

  /** "higher", "lower" or "count". */
  direction(measure) {
    return this.measures.find((each) => each.label === measure).direction;
  }

  /** What became of a query, where it is not simply computed; else "". */
  state(measure, system, query) {
    const said = this.states.get(`${system}\u0000${this.queries.id[query]}`)?.[measure] ?? "computed";
    return said === "computed" ? "" : said;
  }

  /** The same in words: `no_results=0` is "no results, counts 0". */
  stateWords(measure, system, query) {
    const state = this.state(measure, system, query);
    const [why, answer] = state.split("=");
    if (!Object.hasOwn(WHY, why)) return state;
    return `${WHY[why]}, ${answer.startsWith("skip") ? "left out" : `counts ${answer}`}`;
  }

  /** A value in words: that there was nothing says more than the 0 they count. */
  valueText(measure, system, query) {
    const state = this.states.get(`${system}\u0000${this.queries.id[query]}`)?.state;
    return NOTHING[state] ?? fixed(this.value(measure, system, query));
  }

  /** Whether a system's search failed for a query. */
  failed(system, query) {
    return this.states.get(`${system}\u0000${this.queries.id[query]}`)?.state === FAILED;
  }

  /** How much the lists of a pair share, (Q,) each; null for a pair that is not compared. */
  shared(baseline, system) {
    return this.overlap.find((each) => each.baseline === baseline && each.system === system) ?? null;
  }

  /** What is looked at where nothing else was asked for: values, filters and order. */
  get usual() {
    const [baseline, system] = this.paired ? this.summary.pair : [null, this.summary.order[0]];
    const filters = Object.fromEntries(Object.keys(this.segments.labels).map((name) => [`in.${name}`, ""]));
    return { measure: this.measures[0].label, baseline, system, find: "", outcome: "", ...filters, sort: "", all: "" };
  }

  /** The link of a query, with what is looked at where that is not the usual. */
  link(query, state) {
    return this.address({ ...state, query, unknown: null }, "");
  }

  /** The address of a state, opened at a part of the page; what is the usual is left out. */
  address(state, part) {
    const { usual } = this;
    const id = state.query === null ? state.unknown : this.queries.id[state.query];
    const base = state.baseline !== this.besides(state.system) && state.baseline;
    const asked = { q: id ?? false, m: state.measure !== usual.measure && state.measure, s: state.system !== usual.system && state.system, b: base };
    for (const name of this.kept) asked[name] = state[name] !== usual[name] && state[name];
    const pairs = Object.entries(asked).filter(([, value]) => value !== false).map(([name, value]) => `${encode(name)}=${encode(value)}`);
    return `#${[...(part ? [part] : []), ...pairs].join("&")}`;
  }

  /** Names of the state that stand in an address under their own name. */
  get kept() {
    return Object.keys(this.usual).filter((name) => !["measure", "baseline", "system"].includes(name));
  }

  /** What an address asks to look at; the usual for what it does not name, or names wrongly. */
  readAddress(hash) {
    const { usual, kept } = this;
    const names = ["q", "m", "s", "b", ...kept.filter((name) => !name.startsWith("in.")), "in\\.[^=&]*"]; // an older report may have other segments
    const asked = Object.fromEntries(hash.slice(1).split(new RegExp(`&(?=(?:${names.join("|")})=)`)).map((each) => each.split(/=(.*)/s, 2).map(decode)));
    const { q: id = null, m, s, b } = asked;
    const query = this.places.get(id) ?? null;
    const system = this.systems.includes(s) ? s : usual.system;
    const baseline = this.paired && this.systems.includes(b) && b !== system ? b : this.besides(system);
    return {
      ...usual,
      ...Object.fromEntries(kept.filter((name) => Object.hasOwn(asked, name)).map((name) => [name, asked[name]])),
      query, unknown: query === null ? id : null, baseline, system,
      measure: this.measures.some(({ label }) => label === m) ? m : usual.measure,
    };
  }

  /** The link of a query by its id; null where it is not in the report. */
  linkTo(id, state) {
    const place = this.places.get(id);
    return place === undefined ? null : this.link(place, state);
  }

  /** What a system is compared with where nothing else was asked for; null where each is looked at alone. */
  besides(system) {
    const { baseline, system: other } = this.usual;
    return system === baseline && baseline !== null ? other : baseline;
  }

  /** The difference of a pair under the deciding measure, the interval of it and what is known; undefined if nothing is. */
  estimate(baseline, system) {
    const found = this.estimates.get(`${baseline}\u0000${system}`);
    const [one, other] = [baseline, system].map((each) => this.estimates.get(`${this.baseline}\u0000${each}`));
    return found ?? (one && other ? { difference: other.difference - one.difference, low: null, high: null, apart: null } : undefined);
  }

  /** The name of a system as an element, cut where there is no room for it. */
  nameOf(system) {
    return systemNameOf(system, this.systems);
  }
}

// The differences of the pairs in both directions.
function estimatesOf({ compared, all_pairs: all, measures }) {
  const found = new Map();
  const rows = all?.rows ?? compared?.differences.filter(({ measure }) => measure === measures[0].label) ?? [];
  for (const row of rows) {
    const judged = row.calibrated ?? null;
    const [difference, low, high] = judged === null ? [row.difference, row["corrected low"], row["corrected high"]] : [judged, row["calibrated low"], row["calibrated high"]];
    const { wins, ties, losses } = row;
    const apart = row["told apart"] ?? null;
    const minus = (value) => (value === null ? null : -value);
    found.set(`${row.baseline}\u0000${row.system}`, { difference, low, high, wins, ties, losses, apart });
    found.set(`${row.system}\u0000${row.baseline}`, { difference: minus(difference), low: minus(high), high: minus(low), wins: losses, ties, losses: wins, apart });
  }
  return found;
}

// Colons are left as they are: an address is read by people, too.
function encode(text) {
  return encodeURIComponent(text).replaceAll("%3A", ":");
}

function decode(written) {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

// The parts of the report: each is one block of compressed JSON in the page.

const known = new Map();

/** Whether this browser can unpack the parts. */
export const readable = typeof DecompressionStream === "function";

/**
 * Returns a part of the report by name; it is unpacked when first asked for.
 * @param {string} name one of the parts of `Report.to_dict`
 * @returns {Promise<any>}
 */
export function part(name) {
  if (!known.has(name)) known.set(name, unpackBlock(document.getElementById(`part-${name}`)));
  return known.get(name);
}

async function unpackBlock(block) {
  const packed = bytesOf(block.textContent);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const signs = atob(text);
  const bytes = new Uint8Array(signs.length);
  for (let at = 0; at < signs.length; at += 1) bytes[at] = signs.charCodeAt(at);
  return bytes;
}
