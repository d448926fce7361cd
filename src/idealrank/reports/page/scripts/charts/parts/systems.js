// How the systems look in charts with one line a system: colour, dash and marker differ.

const SYSTEM_LOOKS = {
  baseline: { dash: [7, 4], marker: "square" },
  system: { dash: [], marker: "disc" },
  third: { dash: [2, 3], marker: "triangle" },
  fourth: { dash: [9, 3, 2, 3], marker: "diamond" },
  other: { dash: [], marker: null },
};
const FEW_SYSTEMS = 4;

/** Returns the systems with their looks, the chosen ones last so that they lie above; of many, the others are grey. */
export function chartSystems(facts, ink) {
  const rest = ["third", "fourth"];
  const few = facts.systems.length <= FEW_SYSTEMS;
  const role = (name) => {
    if (name === facts.state.system) return "system";
    if (facts.two && name === facts.state.baseline) return "baseline";
    return (few && rest.shift()) || "other";
  };
  const found = facts.systems.map((name) => systemLook(name, role(name), ink));
  return [...found.filter((each) => !each.chosen), ...found.filter((each) => each.chosen)];
}

function systemLook(name, role, ink) {
  const chosen = role === "system" || role === "baseline";
  return {
    name,
    role,
    chosen,
    colour: ink[role],
    width: chosen ? 2.25 : role === "other" ? 1 : 1.75,
    ...SYSTEM_LOOKS[role],
  };
}

/** Draws the marker of a system. */
export function chartMarker(context, marker, x, y, size, colour) {
  context.fillStyle = colour;
  context.beginPath();
  if (marker === "disc") context.arc(x, y, size, 0, 2 * Math.PI);
  else markerCorners(marker).forEach(([dx, dy]) => context.lineTo(x + dx * size, y + dy * size));
  context.closePath();
  context.fill();
}

function markerCorners(marker) {
  const edge = 0.9;
  if (marker === "square")
    return [
      [-edge, -edge],
      [edge, -edge],
      [edge, edge],
      [-edge, edge],
    ];
  if (marker === "triangle")
    return [
      [0, -1.2],
      [1.1, 0.9],
      [-1.1, 0.9],
    ];
  return [
    [0, -1.3],
    [1.3, 0],
    [0, 1.3],
    [-1.3, 0],
  ];
}

/** Returns a legend: a line a system, the grey ones in one. */
export function chartLegend(systems) {
  const list = document.createElement("ul");
  list.className = "chart-legend";
  const named = systems.filter((each) => each.role !== "other").reverse();
  for (const each of named) list.append(legendEntry(each.role, each.name));
  const others = systems.length - named.length;
  if (others) list.append(legendEntry("other", `${others} other${others === 1 ? "" : "s"}`));
  return list;
}

function legendEntry(role, name) {
  const [item, key, text] = ["li", "span", "bdi"].map((each) => document.createElement(each));
  key.className = "chart-key";
  key.dataset.ink = role;
  text.textContent = name;
  item.append(key, text);
  return item;
}
