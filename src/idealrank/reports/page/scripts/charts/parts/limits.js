// How far an axis of intervals goes: what cannot be, or stands far out, would squash all others.

const FAR = 5; // so many times the middles' spread and a middling interval beyond the middles

/** Returns the ends of the axis for rows of value, low and high; intervals may go on beyond them. */
export function chartLimits(rows, measure, differs) {
  const middles = hull(rows, ["value"], differs);
  const all = hull(rows, ["value", "low", "high"], differs);
  const most = possible(measure, differs) ?? sensible(rows, middles);
  const low = Math.min(middles.low, Math.max(all.low, most.low));
  const high = Math.max(middles.high, Math.min(all.high, most.high));
  const room = (high - low || 1) * 0.06;
  return { low: low - room, high: high + room };
}

function hull(rows, names, differs) {
  const known = rows.flatMap((row) => names.map((name) => row[name])).filter((value) => value !== null);
  const numbers = differs ? [0, ...known] : known;
  return { low: Math.min(...numbers), high: Math.max(...numbers) };
}

/** Says whether an interval goes on beyond the axis, to the left (-1) and to the right (1). */
export function chartBeyond({ low, high }, span) {
  return low === null ? [] : [low < span.low ? -1 : 0, high > span.high ? 1 : 0];
}

function possible({ lowest, highest }, differs) {
  if (lowest === null || highest === null) return null;
  return differs ? { low: lowest - highest, high: highest - lowest } : { low: lowest, high: highest };
}

function sensible(rows, { low, high }) {
  const halves = rows.filter((row) => row.low !== null).map((row) => (row.high - row.low) / 2);
  const middling = halves.sort((p, q) => p - q)[(halves.length - 1) >> 1] ?? 0;
  const reach = FAR * (high - low + middling);
  return { low: low - reach, high: high + reach };
}
