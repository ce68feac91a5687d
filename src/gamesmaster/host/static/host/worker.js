// Shows pushes of the site, and opens what they are about. It keeps no pages: the site needs its server.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("push", (event) => {
  const told = event.data?.json() ?? {};
  event.waitUntil(Promise.all([
    self.registration.showNotification(told.title ?? "Gamesmaster", {
      body: told.body ?? "", tag: told.tag, data: { url: told.url ?? "/inbox" },
      icon: "/static/host/icons/icon-192.png", renotify: Boolean(told.tag),
    }),
    badge(told.calls),
  ]));
});

const badge = async (calls) => {
  if (!Number.isInteger(calls) || !self.navigator.setAppBadge) return;
  await (calls ? self.navigator.setAppBadge(calls) : self.navigator.clearAppBadge()).catch(() => {});
};

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.url, self.location.origin);
  if (url.origin === self.location.origin) event.waitUntil(open(url.href));
});

async function open(url) {
  const pages = await self.clients.matchAll({ type: "window" });
  const page = pages.find((one) => one.url === url);
  return page ? page.focus() : self.clients.openWindow(url);
}
