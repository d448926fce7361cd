// One query: lines between its lists, keys, and grades given where a result stands.

import { followDocuments, linesIn, walk } from "./lines.js";

const page = () => document.getElementById("query");
const lists = () => document.getElementById("lists");
const said = () => document.getElementById("saved");
const REST = 500; // milliseconds without a grade until the verdict is worked out anew

/** Makes the page quick after it was shown, or shown anew. */
function start() {
  if (!lists()) return;
  followDocuments(lists());
  lists().addEventListener("keydown", (event) => event.target.closest("input, button, summary") || walk(event));
  const items = lists().querySelectorAll("li");
  items.forEach((item, place) => (item.tabIndex = place === 0 ? 0 : -1));
  draw();
}

function draw() {
  for (const gap of lists()?.querySelectorAll(".between") ?? []) gap.replaceChildren(...linesIn(gap));
}
new ResizeObserver(draw).observe(document.body);

// What is shown of the lists.

const shown = { adding: "false", place: matchMedia("(max-width: 56rem)").matches ? "1" : "all" };

function apply() {
  if (!lists()) return;
  lists().dataset.adding = shown.adding;
  lists().dataset.shown = shown.place;
  document.getElementById("adds").setAttribute("aria-pressed", shown.adding);
  for (const tab of document.querySelectorAll(".list-tabs button")) tab.setAttribute("aria-pressed", String(tab.dataset.place === shown.place));
  draw();
}

document.addEventListener("click", (event) => {
  const tab = event.target.closest?.(".list-tabs button");
  if (tab) shown.place = tab.dataset.place;
  else if (event.target.closest?.("#adds")) shown.adding = String(shown.adding !== "true");
  else return;
  apply();
});
document.addEventListener("change", (event) => event.target.closest?.(".list-tools")?.requestSubmit());

// Grades.

let sending = Promise.resolve();
let waiting = 0;

/** Sends what a form says of a result: one after the other, in the order of the keys. */
function rate(item, values) {
  const { rater, door } = page().dataset;
  if (!rater) return location.assign(door);
  const form = item.querySelector("form");
  if (!form) return undefined;
  const fields = new FormData(form);
  for (const [name, value] of Object.entries(values)) fields.set(name, value);
  if ("grade" in values) for (const each of sameDocument(item)) chip(each, values.grade);
  return follow(async () => {
    for (const name of ["seen", "token"]) fields.set(name, form.elements[name].value); // what was sent before this one changed them
    const answer = await post("/rate", fields);
    if (!answer) return;
    for (const each of sameDocument(item)) {
      const other = each.querySelector("form");
      if (!other) continue;
      other.elements.seen.value = answer.saved.id;
      other.elements.token.value = token();
    }
  }, placeOf(item));
}

/** Where a result is found again when the page was shown anew. */
function placeOf(item) {
  return { list: item.closest(".list").dataset.place, document: item.dataset.document };
}

function undo(item) {
  const { rater, door, here } = page().dataset;
  if (!rater) return location.assign(door);
  return follow(() => post("/undo", new URLSearchParams({ back: here, token: token() })), item && placeOf(item));
}

/** Does one thing after the others, then shows values and lists as they are now. */
function follow(send, place) {
  waiting += 1;
  sending = sending.then(send).finally(async () => {
    waiting -= 1;
    if (waiting === 0) await renew(place);
  });
  return sending;
}

async function post(address, fields) {
  const answer = await fetch(address, { method: "POST", body: new URLSearchParams([...fields]), headers: { "X-Part": "json" } }).catch(() => null);
  if (answer?.ok) return answer.json();
  say(answer === null ? "The studio does not answer: nothing was saved. Is it still running?" : await reason(answer));
  return null;
}

async function reason(answer) {
  const text = await answer.text();
  try {
    return JSON.parse(text).error ?? text;
  } catch {
    return new DOMParser().parseFromString(text, "text/html").querySelector(".lead")?.textContent || "This was refused: nothing was saved.";
  }
}

function token() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (each) => each.toString(16).padStart(2, "0")).join("");
}

function say(text) {
  said().textContent = text;
  clearTimeout(say.until);
  say.until = setTimeout(() => (said().textContent = ""), 6000);
}

/** Shows a grade before the server has answered. */
function chip(item, grade) {
  const button = [...item.querySelectorAll("button[name=grade]")].find((each) => each.value === grade);
  const place = item.querySelector("summary .grade");
  if (!button || !place) return;
  place.dataset.level = button.firstElementChild.dataset.level;
  place.replaceChildren(...[...button.firstElementChild.childNodes].map((each) => each.cloneNode(true)));
}

function sameDocument(item) {
  return [...lists().querySelectorAll("li[data-document]")].filter((each) => each.dataset.document === item.dataset.document);
}

/** Fetches the page anew; the result that was graded keeps the focus, wherever it is now. */
async function renew(place) {
  const mine = (renew.last = (renew.last ?? 0) + 1);
  const answer = await fetch(page().dataset.here, { headers: { "X-Part": "main" } }).catch(() => null);
  const made = answer && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("query");
  if (!made || mine !== renew.last || waiting) return;
  const words = said().textContent;
  page().replaceWith(made);
  said().textContent = words;
  start();
  apply();
  const list = place && lists().querySelector(`.list[data-place="${place.list}"]`);
  const item = [...(list?.querySelectorAll("li") ?? [])].find((each) => each.dataset.document === place.document);
  focus(item ?? null);
  clearTimeout(renew.verdict);
  renew.verdict = setTimeout(verdict, REST);
}

async function verdict() {
  const place = document.getElementById("verdict-place");
  if (!place || place.querySelector("#verdict")) return;
  place.textContent = "verdict being worked out …";
  const answer = await fetch(page().dataset.verdict).catch(() => null);
  if (answer?.ok && place.isConnected) place.innerHTML = await answer.text();
}

function focus(item) {
  if (!item) return;
  for (const each of lists().querySelectorAll("li[tabindex='0']")) each.tabIndex = -1;
  item.tabIndex = 0;
  item.focus({ preventScroll: true });
}

// Keys.

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") return close(event);
  if (event.target.closest?.("input, select, textarea")) return;
  const item = event.target.closest?.("#lists li");
  const grades = new Map(page().dataset.keys.trim().split(" ").map((each) => each.split("=")));
  if (event.key === "j" || event.key === "k") document.querySelector(event.key === "j" ? "a#next" : "a#previous")?.click();
  else if (event.key === "u") undo(item);
  else if (["ArrowDown", "ArrowUp"].includes(event.key) && !item && event.target === document.body) focus(lists().querySelector("li"));
  else if (!item?.dataset.document) return;
  else if (grades.has(event.key)) rate(item, { grade: grades.get(event.key) });
  else if (event.key === "s") rate(item, { state: "later" });
  else if (event.key === "c") comment(item);
  else return;
  event.preventDefault();
});

/** Opens the comment of a result; Enter says "cannot tell" with it. */
function comment(item) {
  if (!page().dataset.rater) return location.assign(page().dataset.door);
  const panel = item.querySelector("details");
  if (!panel) return;
  panel.open = true;
  panel.querySelector("[name=comment]").focus();
}

document.addEventListener("toggle", (event) => { // of a result far below it would open out of view
  if (event.target.matches?.(".grading[open]")) event.target.querySelector(".panel").scrollIntoView({ block: "nearest" });
}, true);

function close(event) {
  const panel = event.target.closest?.("details[open]") ?? document.querySelector("#lists details[open]");
  if (!panel) return;
  panel.open = false;
  panel.closest("li").focus();
}

document.addEventListener("submit", (event) => {
  const item = event.target.closest("#lists li");
  if (!item) return;
  event.preventDefault();
  const pressed = event.submitter;
  const entered = pressed === null || document.activeElement?.name === "comment"; // Enter in the comment
  const values = entered ? { state: "cannot tell" } : { [pressed.name]: pressed.value };
  item.querySelector("details").open = false;
  rate(item, values);
});
document.addEventListener("shown", () => {
  start();
  apply();
});
document.addEventListener("focusin", (event) => {
  const item = event.target.closest("#lists li");
  if (item && event.target === item) focus(item);
});

start();
apply();
if (page()?.querySelector("#verdict-place a")) verdict();
