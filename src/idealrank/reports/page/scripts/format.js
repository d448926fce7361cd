// Numbers as the command line prints them.

const ALIKE = 1e-12;

/** Returns a number with four decimals; a dash where there is none. Ties go to the even digit, as in Python. */
export function fixed(value) {
  if (value === null || value === undefined) return "–";
  const eighths = value * 32; // of numbers that binary can hold, odd multiples of 1/32 alone end in a 5 at the fifth place
  if (Number.isInteger(eighths) && Math.abs(eighths % 2) === 1) {
    const below = Math.floor(value * 10000);
    return ((below % 2 === 0 ? below : below + 1) / 10000).toFixed(4);
  }
  return value.toFixed(4);
}

/** Returns a number with its sign; what rounds to nothing has one, too, as on the command line. */
export function signed(value) {
  if (value === null || value === undefined) return "–";
  const text = fixed(value);
  return text.startsWith("-") ? text : `+${text}`;
}

/** Returns a difference with the glyph of its turn; what is equal has no sign. */
export function changed(difference, turned) {
  return turned === 0 ? `${glyph(0)} 0.0000` : `${glyph(turned)} ${signed(difference)}`;
}

/** Says whether a difference is a gain (1), a loss (-1) or none (0), where more is better or less is. */
export function turn(difference, direction) {
  if (difference === null || Math.abs(difference) <= ALIKE) return 0;
  return difference > 0 === (direction !== "lower") ? 1 : -1;
}

/** The mood of a gain, a loss and none: a class that colours it; that of a count has no colour. */
export function mood(turned, direction) {
  return direction === "count" ? "neither" : turned > 0 ? "gain" : turned < 0 ? "loss" : "same";
}

/** The glyph of a gain, a loss and none: colour is never the only sign. */
export function glyph(turned) {
  return turned > 0 ? "▲" : turned < 0 ? "▼" : "=";
}

/** Writes a grade: a whole one without a point; a dash where nobody judged. */
export function grade(value) {
  if (value === null || value === undefined) return "–";
  return Number.isInteger(value) ? String(value) : String(Number(value.toFixed(4)));
}

/** Returns the level of a grade, 0 to 4, for its shade; "none" where nobody judged. */
export function level(value, top) {
  if (value === null || value === undefined) return "none";
  return String(Math.max(0, Math.min(4, Math.round((4 * value) / top))));
}
