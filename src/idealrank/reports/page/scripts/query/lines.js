// Between lists side by side: lines from document to document, and keys that go from list to list.

const SVG = "http://www.w3.org/2000/svg";

/** A document pointed at, or focused, is lit in all lists. */
export function followDocuments(host) {
  const light = (event) => {
    const code = event.target.closest?.("[data-document]")?.dataset.document;
    for (const each of host.querySelectorAll("[data-document]")) each.classList.toggle("lit", code !== undefined && each.dataset.document === code);
    host.classList.toggle("lighting", code !== undefined);
  };
  for (const kind of ["pointerover", "focusin"]) host.addEventListener(kind, light);
  for (const kind of ["pointerleave", "focusout"]) host.addEventListener(kind, () => light({ target: host }));
}

/** Up and down go through a list, left and right to the same place of the next. */
export function walk(event) {
  const item = event.target.closest("li");
  const lists = [...event.currentTarget.querySelectorAll(".list")];
  const at = lists.findIndex((list) => list.contains(item));
  const row = item ? [...item.parentNode.children].indexOf(item) : -1;
  const steps = { ArrowDown: [at, row + 1], ArrowUp: [at, row - 1], ArrowLeft: [at - 1, row], ArrowRight: [at + 1, row] };
  if (!item || !(event.key in steps)) return;
  const [column, place] = steps[event.key];
  lists[column]?.querySelectorAll("li")[place]?.focus();
  event.preventDefault();
}

/**
 * Returns the drawing of the lines in the gap between the lists on both sides of it; nothing where they are stacked.
 *
 * Up, down and same are told apart by dash and arrow, too.
 */
export function linesIn(gap) {
  const { width, height, top } = gap.getBoundingClientRect();
  if (width < 8) return [];
  const drawing = svgElement("svg", { viewBox: `0 0 ${width} ${height}`, width, height });
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
  const group = svgElement("g", { class: `line ${kind}${ideal ? " to-ideal" : ""}`, "data-document": item.dataset.document });
  const end = ideal || kind === "same" ? width - 3 : width - 8;
  group.append(svgElement("path", { d: `M3 ${from} C${width / 2} ${from} ${width / 2} ${to} ${end} ${to}` }));
  if (end < width - 3) group.append(svgElement("path", { class: "arrow", d: `M${width - 2} ${to} l-7 -4 v8 z` }));
  return group;
}

function middle(node) {
  const { top, height } = node.getBoundingClientRect();
  return top + height / 2;
}

/** Makes an element of a drawing. */
export function svgElement(tag, attributes) {
  const shape = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
  return shape;
}
