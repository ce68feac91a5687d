// Letters that were on the screen for a while count as read, without a click.
async function mark() {
  const form = document.querySelector("form[data-read]");
  if (!form || document.visibilityState !== "visible") return;
  const answer = await fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" });
  if (answer.ok || answer.type === "opaqueredirect") form.remove();
}
setTimeout(mark, 2500);
document.addEventListener("table-shown", () => setTimeout(mark, 2500));
