// Elements: text from the data only ever becomes text.

/**
 * Makes an element. Names beginning with "on" listen, `class` and `data-…` are attributes, all others too.
 * @param {string} tag
 * @param {Object<string, any>} [attributes] null and false are left out, true is an empty attribute
 * @param {...(Node|string|null)} children
 */
export function made(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false || value === undefined) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Makes a name from the data: its direction of writing stays within it. */
export function nameOf(text, attributes = {}) {
  return made("bdi", attributes, text === "" ? "(empty)" : text);
}

/** Makes a field of a form with its label. */
export function labelledField(label, control) {
  return made("label", { class: "field" }, label, control);
}

/**
 * Makes a choice of one of several.
 * @param {string} id
 * @param {[string, string][]} options value and words
 * @param {string} chosen
 * @param {(value: string) => void} told
 */
export function choice(id, options, chosen, told) {
  const entries = options.map(([value, words]) => made("option", { value, selected: value === chosen }, words));
  return made("select", { id, onchange: (event) => told(event.target.value) }, ...entries);
}
