// The tutorial: the provinces that a turn is about are marked on the map, which is zoomed to them.
import { board } from "./table/map.js";
import { lookAt } from "./table/view.js";

const SVG = "http://www.w3.org/2000/svg";
const places = document.querySelector("[data-look]").dataset.look.split(" ").filter(Boolean);

function aim() {
  const svg = board().querySelector(".sheet svg:not(.blank)");
  if (!svg || svg.querySelector(".aims")) return;
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", "aims");
  for (const place of places) {
    const shape = svg.querySelector(`[data-province="${CSS.escape(place)}"]`);
    if (!shape) continue;
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#${shape.id}`);
    group.append(use);
  }
  svg.insertBefore(group, svg.querySelector("#layer"));
  lookAt(places);
}

board().addEventListener("board:drawn", aim);
aim();
