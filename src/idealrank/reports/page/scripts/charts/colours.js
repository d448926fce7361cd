// The colours of the charts: custom properties of the page, because a canvas knows no styles.

import { element } from "../elements.js";

const INKS = ["ink", "muted", "grid", "axis", "ground", "gain", "loss", "tie", "baseline", "system", "third", "fourth", "other", "low", "high"];
const SHADES = 100;
const FEW_GRADES = 8;

/** Returns the colours that hold where an element stands, by name, as `rgb(…)`. */
export function inkOf(host) {
  const probe = element("span"); // only a property that is a colour tells light from dark
  host.append(probe);
  const colour = (name) => {
    probe.style.color = `var(--chart-${name})`;
    return getComputedStyle(probe).color;
  };
  const found = Object.fromEntries(INKS.map((name) => [name, colour(name)]));
  probe.remove();
  return found;
}

/** Returns the colours of a gain (1), none (0) and a loss (-1); a count is neither good nor bad. */
export function turnInks(ink, { direction }) {
  return direction === "count" ? { 1: ink.tie, 0: ink.tie, "-1": ink.tie } : { 1: ink.gain, 0: ink.tie, "-1": ink.loss };
}

/** Returns the colour of a grade between the lowest (0) and the highest (1): one hue. */
function gradeInk(ink, share) {
  return `rgb(${blendInk(ink, share).map(Math.round).join(" ")})`;
}

/** Returns the colour of text that can be read on the colour of a grade. */
function textInk(ink, share) {
  const there = luminance(blendInk(ink, share));
  return there > 0.179 ? "#000000" : "#ffffff"; // either has a contrast of 4.58 here
}

// The luminance of WCAG 2, 0 to 1.
function luminance(colour) {
  const [r, g, b] = colour.map((value) => (value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function blendInk({ low, high }, share) {
  const [from, to] = [low, high].map(channelsOf);
  return from.map((value, i) => value + share * (to[i] - value));
}

function channelsOf(colour) {
  return colour.match(/\d+/g).map(Number);
}

/** Colours by grade, worked out once, since a strip has tens of thousands of cells; and the hatching of unjudged results. */
export class GradeHues {
  constructor(ink, { low, high }, pixels) {
    const shades = Array.from({ length: SHADES + 1 }, (_, i) => i / SHADES);
    Object.assign(this, { low, scale: SHADES / (high - low) });
    this.fills = shades.map((share) => gradeInk(ink, share));
    this.texts = shades.map((share) => textInk(ink, share));
    this.hatch = hatchPattern(ink.axis, pixels);
  }

  /** The colour of a cell. */
  fill(grade) {
    return this.fills[Math.round((grade - this.low) * this.scale)];
  }

  /** The colour of the text in a cell. */
  text(grade) {
    return this.texts[Math.round((grade - this.low) * this.scale)];
  }
}

function hatchPattern(colour, pixels) {
  const tile = element("canvas");
  tile.width = tile.height = Math.round(6 * pixels);
  const context = tile.getContext("2d");
  context.strokeStyle = colour;
  context.lineWidth = pixels;
  for (const shift of [-1, 0, 1]) {
    context.moveTo(shift * tile.width, tile.height);
    context.lineTo((shift + 1) * tile.width, 0);
  }
  context.stroke();
  return context.createPattern(tile, "repeat");
}

/** Returns what the cells of a strip mean: grades by colour, holes, no result. */
export function gradeKey(lists, ink) {
  const { low, high, known } = gradeSpan(lists);
  const shown = keyGrades(known, low, high);
  return element(
    "ul", { class: "chart-legend" },
    ...shown.map((grade, place) => element("li", {}, place === 0 ? "grade " : null, gradeSwatch(ink, grade, (grade - low) / (high - low)))),
    element("li", {}, element("span", { class: "chart-swatch chart-hatched" }), "unjudged (a hole)"),
    element("li", {}, element("span", { class: "chart-swatch chart-empty" }), "no result"),
  );
}

// Of many grades: steps from the lowest to the highest.
function keyGrades(known, low, high) {
  return known.length <= FEW_GRADES ? known : [0, 1 / 3, 2 / 3, 1].map((share) => low + share * (high - low));
}

function gradeSwatch(ink, grade, share) {
  const swatch = element("span", { class: "chart-swatch" }, `${Number(grade.toPrecision(4))}`);
  Object.assign(swatch.style, { backgroundColor: gradeInk(ink, share), color: textInk(ink, share) });
  return swatch;
}

const gradeSpans = new WeakMap();

/** Returns the lowest and the highest grade there is, 0 among them, and all grades of the best judged documents. */
export function gradeSpan(lists) {
  if (!gradeSpans.has(lists)) gradeSpans.set(lists, spanOfGrades(lists));
  return gradeSpans.get(lists);
}

function spanOfGrades({ best, systems }) {
  const known = new Set([0]);
  for (const grade of best.grade) known.add(grade);
  let low = 0;
  let high = 0;
  for (const { grade: grades } of [best, ...Object.values(systems)]) {
    for (const grade of grades) {
      if (grade < low) low = grade;
      if (grade > high) high = grade; // neither holds for null, a result nobody judged
    }
  }
  return { low, high: high > low ? high : low + 1, known: [...known].sort((p, q) => p - q) };
}
