// The lines between two lists: up, down and same are told apart by dash and arrow, too.

const SVG = "http://www.w3.org/2000/svg";

/** Returns the drawing of the lines in the gap between the lists on both sides of it; nothing where they are stacked. */
export function linesIn(gap) {
  const { width, height, top } = gap.getBoundingClientRect();
  if (width < 8) return [];
  const drawing = drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height });
  const right = new Map([...gap.nextElementSibling.querySelectorAll("li")].map((item) => [item.dataset.document, item]));
  for (const item of gap.previousElementSibling.querySelectorAll("li")) {
    const other = right.get(item.dataset.document);
    if (other && item.dataset.document !== undefined) drawing.append(line(item, other, top, width, gap.dataset.ideal === "true"));
  }
  return [drawing];
}

function line(item, other, top, width, ideal) {
  const [from, to] = [item, other].map((each) => middle(each) - top);
  const step = Number(item.dataset.rank) - Number(other.dataset.rank);
  const kind = step > 0 ? "up" : step < 0 ? "down" : "same";
  const group = drawn("g", { class: `line ${kind}${ideal ? " to-ideal" : ""}`, "data-document": item.dataset.document });
  const end = ideal || kind === "same" ? width - 3 : width - 8;
  group.append(drawn("path", { d: `M3 ${from} C${width / 2} ${from} ${width / 2} ${to} ${end} ${to}` }));
  if (end < width - 3) group.append(drawn("path", { class: "arrow", d: `M${width - 2} ${to} l-7 -4 v8 z` }));
  return group;
}

function middle(element) {
  const { top, height } = element.getBoundingClientRect();
  return top + height / 2;
}

function drawn(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
