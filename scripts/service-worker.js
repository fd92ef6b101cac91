/**
 * The page's own service worker: after the first visit everything that was built is kept, so Podium opens and works with
 * the network off. `scripts/offline.ts` fills in the version and the lists of files. A new version waits until the last
 * tab of the old one has closed, so that no tab loses the files it may still load.
 *
 * Large files, Python and the engines of local models, are kept when they are first used. Their names hold their content's hash, so
 * they stay from version to version for as long as they do not change.
 */
const CACHE = `podium-app-${__VERSION__}`;
const FILES = __FILES__;
const LATE_CACHE = 'podium-late';
const LATE = new Set(__LATE__.map((file) => new URL(file, self.location.href).href));

self.addEventListener('install', (event) => {
  const fresh = FILES.map((file) => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      const old = names.filter((name) => name.startsWith('podium-app-') && name !== CACHE);
      await Promise.all(old.map((name) => caches.delete(name)));
      const late = await caches.open(LATE_CACHE);
      const gone = (await late.keys()).filter((request) => !LATE.has(request.url));
      await Promise.all(gone.map((request) => late.delete(request)));
      await self.clients.claim();
    })(),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  // What goes to a worker's endpoint is none of our business: only the page's own files are answered here.
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  if (LATE.has(request.url)) return event.respondWith(keepLate(event));
  const options = { ignoreVary: true, ignoreSearch: request.mode === 'navigate' };
  event.respondWith(caches.open(CACHE).then(async (cache) => (await cache.match(request, options)) ?? fetch(request)));
});

async function keepLate(event) {
  const cache = await caches.open(LATE_CACHE);
  const kept = await cache.match(event.request, { ignoreVary: true });
  if (kept) return kept;
  const response = await fetch(event.request);
  // Where there is no room the network has it again.
  if (response.ok) event.waitUntil(cache.put(event.request, response.clone()).catch(() => undefined));
  return response;
}
