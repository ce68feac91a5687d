// What every page does: times in the reader's own zone where the server does not know it, and forms sent once.
const known = document.documentElement.dataset.zone;
function local(root) {
  for (const time of root.querySelectorAll("time[data-local]:not([data-told])")) {
    const at = new Date(time.dateTime);
    if (known || Number.isNaN(at.getTime())) continue;
    time.textContent = at.toLocaleString("en-GB", {
      weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit",
    }).replaceAll(",", "");
    time.dataset.told = "";
    time.title = at.toISOString().slice(0, 16).replace("T", " ") + " UTC";
  }
}
local(document);
for (const news of ["table-shown", "htmx:afterSettle"]) document.addEventListener(news, () => local(document));
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
    setTimeout(() => delete form.dataset.sent, 4000);
  });
}
function copies() {
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
}
copies();
document.addEventListener("table-shown", copies);
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(button.dataset.copy);
  button.textContent = "Copied";
});
for (const field of document.querySelectorAll("input[data-zone-guess]")) {
  if (!field.value || field.value === "UTC") field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}
