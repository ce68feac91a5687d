// The Gamesmaster's desk: what is looked ahead at is drawn as this window wants it.
import { look, wireMap } from "./table/map.js";

for (const form of document.querySelectorAll("form[data-style]")) {
  form.addEventListener("submit", () => {
    for (const [name, value] of Object.entries(look(form))) form.elements[name].value = value;
  });
}
wireMap();
