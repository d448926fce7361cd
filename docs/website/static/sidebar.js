// The navigation scrolls to the page that is open.
"use strict";

const box = document.querySelector(".sidebar-scroll");
const current = box?.querySelector(".sidebar-tree .current-page");
if (current) {
  const top = current.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 2;
  box.scrollBy({ top, behavior: "instant" }); // the theme would scroll smoothly, on every page
}
