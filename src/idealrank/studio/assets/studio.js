// The script of the studio: what is on a page works without it, and gets quicker with it.

document.documentElement.classList.add("scripted");

const main = () => document.getElementById("studio");

/** Shows an address without loading the page anew; Back and a reload show the same. */
async function go(address, { push = true } = {}) {
  const asked = new URL(address, location.href);
  const mine = (go.last = (go.last ?? 0) + 1);
  let text;
  try {
    text = await (await fetch(asked, { headers: { "X-Part": "main" } })).text();
  } catch {
    return tell("The studio does not answer: what you see is out of date. Start it again, and reload the page.");
  }
  if (mine !== go.last) return; // another was asked for meanwhile
  const card = document.getElementById("card");
  if (push) history.pushState(null, "", asked);
  main().innerHTML = text;
  const waits = document.querySelector("#card.waits");
  if (waits && card) { // the old verdict stays, dimmed, until the new one is there
    card.querySelectorAll("[id]").forEach((each) => each.removeAttribute("id"));
    const old = document.createElement("div");
    old.className = "stale";
    old.setAttribute("aria-hidden", "true");
    old.inert = true;
    old.append(...card.childNodes);
    waits.append(old);
  }
  renew();
}

/** Says what went wrong above the page. */
function tell(words) {
  const notice = document.createElement("p");
  notice.className = "notice";
  notice.setAttribute("role", "alert");
  notice.textContent = words;
  main().querySelector(".notice[role=alert]")?.remove();
  main().prepend(notice);
}

/** Loads the parts of the page that take longer, and follows what is chosen. */
function renew() {
  for (const each of document.querySelectorAll("[data-part]")) load(each);
  document.dispatchEvent(new Event("shown")); // the scripts of single pages begin anew
}

/** Asks anew, once a second, for what says that it goes on. */
function watch() {
  const place = document.querySelector("[data-again]");
  if (place) setTimeout(async () => {
    const text = await (await fetch(place.dataset.again)).text();
    place.outerHTML = text;
    watch();
  }, 1000);
}

async function load(place) {
  const mine = go.last;
  const answer = await fetch(place.dataset.part);
  const text = await answer.text();
  if (mine !== go.last || !place.isConnected) return;
  place.outerHTML = text;
}

/** Returns the address that a form asks for, without what is empty. */
function addressOf(form) {
  const pairs = [...new FormData(form)].filter(([, value]) => value !== "");
  return `${form.getAttribute("action")}?${new URLSearchParams(pairs)}`;
}

document.addEventListener("change", (event) => {
  const form = event.target.closest?.("form[data-live]");
  if (form) go(addressOf(form));
});
document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-live]")) return;
  event.preventDefault();
  go(addressOf(event.target));
});
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-live]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(link.href);
});
addEventListener("popstate", () => go(location.href, { push: false }));

// Light and dark, as on the report's page.
const THEME = "idealrank-theme";
const root = document.documentElement;
if (localStorage.getItem(THEME)) root.dataset.theme = localStorage.getItem(THEME);
document.getElementById("theme").addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem(THEME, root.dataset.theme);
});

// The keys.
const keys = document.getElementById("keys");
document.getElementById("help").addEventListener("click", () => keys.showModal());
keys.addEventListener("click", (event) => {
  if (event.target === keys || event.target.closest(".close")) keys.close();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest?.("input, select, textarea")) return;
  event.preventDefault();
  keys.showModal();
});

renew();
watch();
