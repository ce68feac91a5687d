// What is left empty follows the pace: its waits stand in the empty fields.  Of the options of variants only those of the chosen one are shown; without this script all are, each under its name.
const groups = [...document.querySelectorAll("[data-options]")];
const none = document.querySelector("[data-no-options]");
function show() {
  const chosen = document.querySelector("input[name=variant]:checked")?.value;
  for (const group of groups) group.hidden = group.dataset.options !== chosen;
  if (none) none.hidden = groups.some((group) => !group.hidden);
}
for (const radio of document.querySelectorAll("input[name=variant]")) radio.addEventListener("change", show);
for (const radio of document.querySelectorAll("input[name=pace]")) radio.addEventListener("change", () => {
  for (const [name, usual] of Object.entries(JSON.parse(radio.dataset.waits))) {
    const field = document.querySelector(`input[name=${name}]`);
    if (field) field.placeholder = usual;
  }
});
for (const fold of document.querySelectorAll("details.fold")) if (fold.querySelector(".errorlist")) fold.open = true;
show();
