// The tabs of the method: one panel is shown at a time; an address may name one.

import { made } from "./made.js";

/** Puts tabs above the panels of a section. */
export function tabsOf(section) {
  const panels = [...section.querySelectorAll(".panel")];
  const tabs = panels.map((panel) => made("button", { type: "button", role: "tab", id: `tab-${panel.id}`, "aria-controls": panel.id, onclick: () => show(panel.id) }, panel.querySelector("h3").textContent));
  const show = (id) => {
    panels.forEach((panel, place) => {
      panel.hidden = panel.id !== id;
      tabs[place].setAttribute("aria-selected", String(panel.id === id));
      tabs[place].tabIndex = panel.id === id ? 0 : -1;
    });
  };
  const list = made("div", { class: "tabs", role: "tablist", "aria-label": "Method", onkeydown: (event) => walkTabs(event, tabs) }, ...tabs);
  for (const panel of panels) panel.setAttribute("role", "tabpanel");
  section.querySelector("h2").after(list);
  section.dataset.tabs = "true";
  show(panels[0].id);
  const follow = () => {
    const named = panels.find(({ id }) => location.hash === `#${id}`);
    if (!named) return;
    show(named.id);
    section.scrollIntoView({ behavior: "instant" });
  };
  addEventListener("hashchange", follow);
  follow();
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
