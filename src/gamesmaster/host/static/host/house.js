// What every page does: times in the reader's own zone where the server does not know it, forms sent once, and help.
import { ask } from "./asking.js";

const known = document.documentElement.dataset.zone;
function local(root) {
  for (const time of root.querySelectorAll("time[data-local]:not([data-told])")) {
    const at = new Date(time.dateTime);
    if (known || Number.isNaN(at.getTime())) continue;
    time.textContent = at.toLocaleString(document.documentElement.lang, {
      weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit",
      year: at.getFullYear() === new Date().getFullYear() ? undefined : "numeric",
    }).replaceAll(",", "");
    time.dataset.told = "";
    time.title = at.toISOString().slice(0, 16).replace("T", " ") + " UTC";
  }
}
local(document);
for (const told of known ? [] : document.querySelectorAll("[data-zone-said]")) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  if (timeZone) told.textContent = interpolate(gettext("Times are shown in %s."), [timeZone]);
}
for (const news of ["table-shown", "htmx:afterSettle"]) document.addEventListener(news, () => local(document));
for (const form of document.querySelectorAll("form[method=post]")) {
  const wait = form.querySelector("[data-wait]"), ripe = wait ? 1000 * wait.dataset.wait : 0; // a form that may not come too soon
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    else if (performance.now() < ripe) {
      event.preventDefault();
      setTimeout(() => form.requestSubmit(event.submitter), ripe - performance.now());
      return;
    }
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
  button.textContent = gettext("Copied");
});
for (const field of document.querySelectorAll("input[data-zone-guess]")) {
  if (!field.value || field.value === "UTC") field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}
for (const field of document.querySelectorAll("input[data-zone-offer]")) {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone, offer = document.createElement("button");
  if (!here || here.replace("Etc/", "") === field.value) continue;
  offer.type = "button";
  offer.className = "plain small";
  offer.textContent = interpolate(gettext("Use %s, the time zone of this browser"), [here]);
  offer.addEventListener("click", () => { field.value = here; offer.remove(); });
  field.after(offer);
}
const calls = Number(document.documentElement.dataset.calls ?? 0);
if ("setAppBadge" in navigator) (calls ? navigator.setAppBadge(calls) : navigator.clearAppBadge()).catch(() => {});
// Help opens over the page, so that nothing half written is lost; without this script its link is a link.
const help = document.getElementById("help");
const dialog = document.createElement("dialog");
dialog.className = "help-over";
async function showHelp() {
  if (dialog.open) return;
  try {
    const answer = await ask(help.href);
    const text = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("help-text");
    text.querySelector("h1").id = "help-title";
    dialog.setAttribute("aria-labelledby", "help-title");
    const close = document.createElement("button");
    close.className = "plain small";
    close.textContent = text.dataset.close;
    close.addEventListener("click", () => dialog.close());
    dialog.replaceChildren(close, text);
    document.body.append(dialog);
    dialog.showModal();
    dialog.scrollTop = 0;
  } catch {
    location.assign(help.href); // the list of all topics, or no connection
  }
}
if (!document.getElementById("help-text")) {
  help.addEventListener("click", (event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    showHelp();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    showHelp();
  });
}
