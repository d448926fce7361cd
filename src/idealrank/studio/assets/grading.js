// The queue by keys: what is graded is saved before the next result shows. Without this the same forms work.

const asked = () => document.getElementById("asked");
const trouble = document.getElementById("trouble");
let busy = false;

/** Sends a form; shows what comes next once it is saved, or says why it was not. */
async function send(form, button) {
  if (busy) return; // a key meant for the next result must not grade this one
  busy = true;
  try {
    const action = button.getAttribute("formaction") ?? form.getAttribute("action");
    const answer = await fetch(action, { method: "POST", headers: { "X-Part": "json" }, body: new URLSearchParams(new FormData(form, button)) });
    const said = await answer.json();
    if (said.door) location.assign(said.door);
    trouble.textContent = said.error ?? (action === "/undo" && !said.undone ? "There is no grade of yours to take back." : "");
    if (said.next) show(said.next);
    if (answer.ok) countDown();
  } catch {
    trouble.textContent = "The studio did not answer. What was saved before is there, this grade may not be: start the studio again, and press the key once more.";
  } finally {
    busy = false;
  }
}

/** Shows the next result. */
function show(next) {
  const held = document.activeElement === document.body || asked().contains(document.activeElement);
  asked().outerHTML = next.html;
  history.replaceState(null, "", next.address);
  if (held) document.getElementById("asked-query").focus({ preventScroll: true }); // a screen reader reads it
  scrollTo({ top: 0 });
}

/** Asks how far the verdict is, one question at a time: it may take longer than a grade. */
async function countDown() {
  countDown.again = true;
  if (countDown.runs) return;
  countDown.runs = true;
  while (countDown.again) {
    countDown.again = false;
    try {
      const answer = await fetch(`/part/countdown${new URL(location.href).search}`);
      if (answer.ok) document.getElementById("countdown").outerHTML = await answer.text();
    } catch {
      break; // the next grade says that the studio does not answer
    }
  }
  countDown.runs = false;
}

document.addEventListener("submit", (event) => {
  if (event.target.id !== "rate") return;
  event.preventDefault();
  const form = event.target, sure = form.elements.sure, button = event.submitter;
  if (sure && button.name === "grade" && sure.value !== button.value) {
    sure.value = button.value; // the first of two times
    for (const each of form.querySelectorAll(".give")) each.classList.toggle("chosen", each === button);
    form.querySelector(".confirming").textContent = `Press ${button.dataset.key} once more to confirm.`;
    return;
  }
  send(form, button);
});

document.addEventListener("keydown", (event) => {
  const form = document.getElementById("rate");
  if (!form || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const comment = form.elements.comment, key = event.key;
  if (event.target === comment) {
    if (key === "Escape") {
      form.classList.remove("cannot-tell");
      const chosen = form.querySelector(".chosen");
      form.querySelector(".confirming").textContent = chosen ? `Press ${chosen.dataset.key} once more to confirm.` : "";
      comment.blur();
    } else if (key === "Enter" && form.classList.contains("cannot-tell") && !event.shiftKey) {
      event.preventDefault();
      form.querySelector('[data-key="c"]').click();
    }
    return;
  }
  if (event.repeat || event.target.closest("input, textarea, select")) return;
  const button = form.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!button) return;
  event.preventDefault();
  if (key !== "c") return button.click();
  form.classList.add("cannot-tell"); // Enter saves it, with or without a comment
  form.querySelector(".confirming").textContent = "Say why if you can. Enter saves “cannot tell”, Esc goes back.";
  comment.focus();
});
