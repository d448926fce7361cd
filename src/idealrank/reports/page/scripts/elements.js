// Elements: text from the data only ever becomes text.

/**
 * Makes an element. Names beginning with "on" listen, `class` and `data-…` are attributes, all others too.
 * @param {string} tag
 * @param {Object<string, any>} [attributes] null and false are left out, true is an empty attribute
 * @param {...(Node|string|null)} children
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** Makes a name from the data: its direction of writing stays within it. */
export function nameOf(text, attributes = {}) {
  return element("bdi", attributes, text === "" ? "(empty)" : text);
}

const KEPT = [8, 22]; // as in markup.py

/** Makes the name of one of several systems: where there is no room for it, its middle is left out. */
export function systemNameOf(system, systems) {
  const at = splitAt(system, systems);
  if (at === 0) return nameOf(system);
  return element("bdi", { class: "cut", title: system }, element("span", {}, system.slice(0, at)), element("span", {}, system.slice(at)));
}

/** Makes names whole in what is copied: where a name may be cut, the browser would put the end of a line. */
export function copyWholeNames() {
  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    const cut = [...document.querySelectorAll(".cut")].filter((each) => selection.containsNode(each, true));
    if (!cut.length) return;
    const whole = (text, { firstChild, lastChild, title }) => text.replaceAll(`${firstChild.textContent}\n${lastChild.textContent}`, title);
    event.clipboardData.setData("text/plain", cut.reduce(whole, String(selection)));
    event.preventDefault();
  });
}

/** Returns where the end of a long name begins that is always shown: where names begin to differ; 0 for a short one. */
export function splitAt(system, systems) {
  const [least, most] = KEPT;
  if (system.length <= most || /[^\x20-\x7e]/.test(system)) return 0;
  const differs = [...system].findIndex((letter, at) => systems.some((each) => each[at] !== letter));
  const same = system.slice(0, differs < 0 ? system.length : differs).replace(/\d+$/, "").length; // a number stays whole
  return Math.min(Math.max(same, system.length - most), system.length - least);
}

/** Makes a field of a form with its label. */
export function fieldWithLabel(label, control) {
  return element("label", { class: "field" }, label, control);
}

/**
 * Makes a choice of one of several.
 * @param {string} id
 * @param {[string, string][]} options value and words
 * @param {string} chosen
 * @param {(value: string) => void} told
 */
export function choice(id, options, chosen, told) {
  const entries = options.map(([value, words]) => element("option", { value, selected: value === chosen }, words));
  return element("select", { id, onchange: (event) => told(event.target.value) }, ...entries);
}

/** Copies a text and says so; where a page may not, it shows the text below the button, to be copied by hand. */
export async function copyText(button, text, label) {
  const said = button.nextElementSibling;
  button.parentElement.parentElement.querySelector(".csv")?.remove();
  try {
    await navigator.clipboard.writeText(text);
    said.textContent = " copied";
  } catch {
    said.textContent = " copy it from here:";
    const area = element("textarea", { class: "csv", readonly: true, "aria-label": label });
    area.value = text;
    button.parentElement.after(area);
    area.select();
  }
}

/** Puts an element at a place in its parent, in CSS pixels: a style set here, as the page's policy forbids the attribute. */
export function putAt(node, { left, top, width, height }) {
  for (const [name, value] of Object.entries({ left, top, width, height })) node.style[name] = `${value}px`;
}

/** Puts tabs above the panels of a section: one is shown at a time. */
export function tabsOf(section) {
  const panels = [...section.querySelectorAll(".panel")];
  const tabs = panels.map((panel) => element("button", { type: "button", role: "tab", id: `tab-${panel.id}`, "aria-controls": panel.id, onclick: () => show(panel.id) }, panel.querySelector("h3").textContent));
  const show = (id) => {
    panels.forEach((panel, place) => {
      panel.hidden = panel.id !== id;
      tabs[place].setAttribute("aria-selected", String(panel.id === id));
      tabs[place].tabIndex = panel.id === id ? 0 : -1;
    });
  };
  const list = element("div", { class: "tabs", role: "tablist", "aria-label": "Method", onkeydown: (event) => walkTabs(event, tabs) }, ...tabs);
  for (const panel of panels) panel.setAttribute("role", "tabpanel");
  section.querySelector("h2").after(list);
  section.dataset.tabs = "true";
  show(panels[0].id);
}

function walkTabs(event, tabs) {
  const at = tabs.indexOf(event.target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
  if (at < 0 || to === undefined) return;
  const tab = tabs[(to + tabs.length) % tabs.length];
  tab.focus();
  tab.click();
  event.preventDefault();
}
