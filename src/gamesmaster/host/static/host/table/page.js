// The page of a table: puts its parts to work, and again after a part has been exchanged.
import { drawMap, wireMap } from "./map.js";
import { refuse, storeDesk, wireDesk } from "./desk.js";
import { wirePast } from "./past.js";

function left(until) {
  const minutes = Math.floor((new Date(until) - Date.now()) / 60000);
  if (minutes < 0) return gettext("the deadline has passed");
  const hours = Math.floor(minutes / 60), days = Math.floor(hours / 24);
  if (days) return interpolate(gettext("in %(days)s d %(hours)s h"), { days, hours: hours % 24 }, true);
  if (!hours) return interpolate(gettext("in %(minutes)s min"), { minutes }, true);
  return interpolate(gettext("in %(hours)s h %(minutes)s min"), { hours, minutes: minutes % 60 }, true);
}

function times(root) {
  for (const tag of root.querySelectorAll("[data-left]")) tag.textContent = left(tag.dataset.left);
}

function wire() {
  wirePast();
  wireMap();
  wireDesk();
}

// Another phase has come: whoever leafs by a button keeps it, and hears the name; others begin at the heading.
function arrive() {
  const heading = document.querySelector("#phase h1"), film = document.getElementById("film");
  if (film?.contains(document.activeElement)) document.getElementById("arrived").textContent = heading.textContent;
  else if (document.activeElement?.id !== "explain") heading?.focus({ preventScroll: true });
}

document.body.addEventListener("htmx:afterSettle", (event) => {
  times(document);
  const swapped = event.detail.elt ?? event.target;
  if (swapped.id === "phase" || swapped.querySelector?.("#board")) {
    wirePast();
    wireMap();
    arrive();
    return;
  }
  wirePast();
  wireDesk();
});
document.body.addEventListener("htmx:confirm", (event) => {
  if (event.detail.target?.id !== "desk") return;
  event.preventDefault();
  storeDesk().finally(() => event.detail.issueRequest(true));
});
document.body.addEventListener("htmx:responseError", (event) => refuse(interpolate(gettext("That did not work (%(status)s). Please try again."), { status: event.detail.xhr.status }, true)));
for (const lost of ["sendError", "timeout"]) document.body.addEventListener(`htmx:${lost}`, () => refuse(gettext("The site does not answer. Please try again.")));
setInterval(() => times(document), 30000);
times(document);
wire();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawMap);
