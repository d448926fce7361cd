// The colours of the charts: custom properties of the page, because a canvas knows no styles.

import { chartElement } from "./element.js";

const CHART_INKS = [
  "ink",
  "muted",
  "grid",
  "axis",
  "ground",
  "gain",
  "loss",
  "tie",
  "baseline",
  "system",
  "third",
  "fourth",
  "other",
  "low",
  "high",
];

/** Returns the colours that hold where an element stands, by name, as `rgb(…)`. */
export function chartInk(element) {
  const probe = chartElement(element, "span"); // only a property that is a colour tells light from dark
  const colour = (name) => {
    probe.style.color = `var(--chart-${name})`;
    return getComputedStyle(probe).color;
  };
  const found = Object.fromEntries(CHART_INKS.map((name) => [name, colour(name)]));
  probe.remove();
  return found;
}

/** Returns the colours of a gain (1), none (0) and a loss (-1); a count is neither good nor bad. */
export function turnInks(ink, { direction }) {
  return direction === "count" ? { 1: ink.tie, 0: ink.tie, "-1": ink.tie } : { 1: ink.gain, 0: ink.tie, "-1": ink.loss };
}

/** Returns the colour of a grade between the lowest (0) and the highest (1): one hue. */
export function gradeInk(ink, share) {
  return `rgb(${blended(ink, share).map(Math.round).join(" ")})`;
}

/** Returns the colour of text that can be read on the colour of a grade. */
export function textInk(ink, share) {
  const there = luminance(blended(ink, share));
  return there > 0.179 ? "#000000" : "#ffffff"; // either has a contrast of 4.58 here
}

// The luminance of WCAG 2, 0 to 1.
function luminance(colour) {
  const [r, g, b] = colour.map((value) => (value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function blended({ low, high }, share) {
  const [from, to] = [low, high].map(channelsOf);
  return from.map((value, i) => value + share * (to[i] - value));
}

function channelsOf(colour) {
  return colour.match(/\d+/g).map(Number);
}
