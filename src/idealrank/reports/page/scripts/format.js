// Numbers as people write them: three decimals, four where arithmetic is shown, a real minus, thousands apart.

const ALIKE = 1e-12;

/** Returns a number with three decimals; a dash where there is none. */
export function fixed(value) {
  return roundText(value, 3);
}

/** Returns a number with four decimals, as the command line explains it. */
export function exact(value) {
  return roundText(value, 4);
}

/** Returns milliseconds in three digits, whole ones in full; a dash where there are none. */
export function milliseconds(value) {
  if (value === null || value === undefined) return "–";
  const digits = value === 0 ? 0 : Math.max(0, Math.min(3, 2 - Math.floor(Math.log10(Math.abs(value)))));
  const text = roundText(value, digits);
  return digits ? text : countText(Number(text));
}

/** Returns a number with its sign. */
export function signedText(value) {
  return withSign(fixed(value), value);
}

/** Returns a number with its sign and four decimals. */
export function exactSignedText(value) {
  return withSign(exact(value), value);
}

/** Returns a difference with the glyph of its turn; what is equal has no sign. */
export function changeText(difference, turned) {
  return turned === 0 ? `${glyph(0)} 0.000` : `${glyph(turned)} ${signedText(difference)}`;
}

/** Returns a difference in hundredths with its sign, as there is room for in a cell: "+.12". */
export function hundredths(value) {
  return withSign(roundText(value, 2), value).replace("0.", ".");
}

/** Returns a count with its thousands apart. */
export function countText(number) {
  return number.toLocaleString("en");
}

/** Returns a text with a real minus before its number. */
export function minus(text) {
  return text.replace(/^-/, "−");
}

// Ties go to the even digit, as in Python: of numbers that binary can hold only odd multiples of 1/2^(digits + 1) are ties.
function roundText(value, digits) {
  if (value === null || value === undefined) return "–";
  const parts = value * 2 ** (digits + 1);
  const tie = Number.isInteger(parts) && Math.abs(parts % 2) === 1;
  return minus((tie ? toEven(value, 10 ** digits) : value).toFixed(digits)).replace(/^−(?=0\.?0*$)/, "");
}

function toEven(value, scale) {
  const below = Math.floor(value * scale);
  return (below % 2 === 0 ? below : below + 1) / scale;
}

// What is rounded to zero keeps the sign of its number, as it keeps its glyph.
function withSign(text, value) {
  return text.startsWith("−") || text === "–" ? text : `${value < 0 ? "−" : "+"}${text}`;
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
  return minus(Number.isInteger(value) ? String(value) : String(Number(value.toFixed(4))));
}

/** Returns the level of a grade, 0 to 4, for its shade; "none" where nobody judged. */
export function level(value, top) {
  if (value === null || value === undefined) return "none";
  return String(Math.max(0, Math.min(4, Math.round((4 * value) / top))));
}
