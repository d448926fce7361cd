// The tooltip of the charts: there is one, and it stands beside what is pointed at.

import { chartElement } from "./element.js";
import { chartName } from "./words.js";

/** Shows what a point, a bar or a cell stands for; all text is text. */
export class ChartTip {
  constructor(host) {
    this.element = document.createElement("div");
    this.element.className = "chart-tip";
    this.element.setAttribute("aria-hidden", "true");
    this.element.hidden = true;
    this.host = host;
    host.append(this.element);
  }

  /** @param {{id?: string, text: string, rows: [string, string][], hint?: string}} told */
  show({ left, top, width, height }, { id, text, rows, hint }) {
    this.element.replaceChildren(...tipHead(text, id), tipRows(rows), ...(hint ? [tipLine("chart-hint", hint)] : []));
    this.element.hidden = false;
    const [size, origin] = [this.element.getBoundingClientRect(), this.host.getBoundingClientRect()];
    const room = document.documentElement.clientWidth;
    const beside = left + width + 12;
    const x = beside + size.width < room - 4 ? beside : left - size.width - 12;
    const y = top + height / 2 - size.height / 2;
    this.element.style.left = `${Math.max(4, Math.min(x, room - size.width - 4)) - origin.left}px`;
    this.element.style.top = `${Math.max(4, Math.min(y, innerHeight - size.height - 4)) - origin.top}px`;
  }

  hide() {
    this.element.hidden = true;
  }
}

function tipHead(text, id) {
  const lines = text ? [tipLine("chart-tip-text", text)] : [];
  return id === undefined ? lines : [...lines, tipLine("chart-tip-id", id)];
}

function tipLine(name, text) {
  const element = document.createElement("div");
  element.className = name;
  element.append(chartName(text, 300));
  return element;
}

function tipRows(rows) {
  const element = document.createElement("dl");
  for (const [name, value] of rows) {
    chartElement(element, "dt").append(chartName(name));
    chartElement(element, "dd", "", value);
  }
  return element;
}
