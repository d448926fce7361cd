// Elements of the page that charts are made of.

/** Appends a new element, with a class and a text if given, and returns it. */
export function chartElement(parent, name, className = "", text = "") {
  const element = document.createElement(name);
  if (className) element.className = className;
  if (text) element.textContent = text;
  parent.append(element);
  return element;
}

/** Puts an element at a place in its parent, in CSS pixels. */
export function chartPut(element, { left, top, width, height }) {
  for (const [name, value] of Object.entries({ left, top, width, height })) element.style[name] = `${value}px`;
}
