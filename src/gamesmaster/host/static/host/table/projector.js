// The projector view: what has changed is shown by itself, and the last hour is counted in seconds.
import { ask, FIRST, LONGEST } from "../asking.js";
import { drawMap, forgetLayers } from "./map.js";

const HOUR = 3600; // seconds
const two = (number) => String(number).padStart(2, "0");

let later = 0;

async function refresh(wait = FIRST) {
  clearTimeout(later);
  const text = await ask(location.href, { headers: { Accept: "text/html" } }).then((answer) => answer.ok && answer.text()).catch(() => "");
  if (!text) {
    later = setTimeout(refresh, wait, Math.min(2 * wait, LONGEST));
    return;
  }
  const page = new DOMParser().parseFromString(text, "text/html");
  document.getElementById("projected").replaceWith(document.adoptNode(page.getElementById("projected")));
  document.dispatchEvent(new CustomEvent("table-shown"));
  forgetLayers();
  await drawMap();
}

document.addEventListener("table-changed", (event) => {
  event.preventDefault(); // the page sees to all of it
  refresh();
});

setInterval(() => {
  for (const tag of document.querySelectorAll("[data-left]")) {
    const left = Math.floor((new Date(tag.dataset.left) - Date.now()) / 1000);
    if (left >= 0 && left < HOUR) tag.textContent = `${two(Math.floor(left / 60))}:${two(left % 60)}`;
  }
}, 1000);
