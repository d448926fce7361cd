// A choice beside a chart, such as the attribute of its segments; the frame remembers it.

/** Puts a chooser over a chart, or none where there is only one answer; what is chosen goes into the frame's memory. */
export function chartChooser(frame, label, names, key) {
  const same = frame.tools.dataset.names === names.join("\n");
  if (same) return;
  frame.tools.dataset.names = names.join("\n");
  frame.tools.replaceChildren();
  if (names.length < 2) return;
  const [box, select] = [document.createElement("label"), document.createElement("select")];
  for (const name of names) select.append(new Option(name, name, false, name === frame.memory[key]));
  select.addEventListener("change", () => {
    frame.memory[key] = select.value;
    frame.redraw();
  });
  box.append(`${label} `, select);
  frame.tools.append(box);
}
