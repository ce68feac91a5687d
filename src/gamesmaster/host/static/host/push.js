// The page of notices: this device is registered for push, or taken out again.
import { ask } from "./asking.js";

const box = document.getElementById("push"), button = box.querySelector("button"), says = box.querySelector("[role=status]");
const SAID = {
  unable: gettext("This browser cannot show notifications of a site. On an iPhone or iPad, add the site to the home screen first."),
  denied: gettext("This browser does not let the site show notifications. Allow them in the settings of the browser."),
  failed: gettext("The device could not be registered."),
  on: gettext("This device is registered."),
};

function tell(what) {
  says.textContent = SAID[what] ?? what;
  button.hidden = what === "unable" || what === "on";
}

const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const bytes = (word) => Uint8Array.from(atob(word.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));

async function known() {
  const registration = await navigator.serviceWorker.getRegistration("/");
  const found = await registration?.pushManager?.getSubscription();
  if (found && text(found.options.applicationServerKey) === box.dataset.key) return found;
  await found?.unsubscribe(); // made for another key of the site
  return null;
}

async function register() {
  if (await Notification.requestPermission() !== "granted") return tell("denied");
  const registration = await navigator.serviceWorker.register("/worker.js", { scope: "/" });
  await navigator.serviceWorker.ready;
  const options = { userVisibleOnly: true, applicationServerKey: bytes(box.dataset.key) };
  const made = await known() ?? await registration.pushManager.subscribe(options);
  const body = new FormData(box.querySelector("form"));
  body.set("endpoint", made.endpoint);
  body.set("key", text(made.getKey("p256dh")));
  body.set("auth", text(made.getKey("auth")));
  const answer = await ask(box.dataset.address, { method: "POST", body });
  if (answer.ok) return location.reload();
  return tell((await answer.json().catch(() => ({}))).what ?? "failed");
}

if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) tell("unable");
else {
  known().then((found) => found && box.dataset.known.split(" ").includes(found.endpoint) && tell("on"));
  button.addEventListener("click", (event) => {
    event.preventDefault();
    register().catch(() => tell("failed"));
  });
}
