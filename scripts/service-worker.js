/**
 * The service worker of the page. On the first visit, it caches the files that every visit needs, so that Podium opens and works
 * offline. `scripts/offline.ts` fills in the version and the lists of files with their SHA-256.
 *
 * A new version of the service worker waits until all tabs of the page are closed, or until the user updates in one tab. After
 * an update in one tab, the other tabs may still need files of the old version. These files are removed later, when at most one
 * tab is open.
 *
 * A file is cached only if its SHA-256 is right, because a cached file is not fetched again. A response can be wrong: some public
 * Wi-Fi networks, for example, answer every request with their login page.
 *
 * Large files, such as Python and the engines of local models, are cached when they are first used. Their names contain a hash of
 * their content. An update fetches the new versions of the cached files, so that a downloaded model works offline after the
 * update, too. It removes only the files that the new version does not use.
 */
const CACHE = `podium-app-${__VERSION__}`;
const LATE_CACHE = 'podium-late';
/** SHA-256 in base64 of each file that every visit needs, by address. */
const FILES = byAddress(__FILES__);
/** SHA-256 in base64 of each file that is cached when it is first used, by address. */
const LATE = byAddress(__LATE__);

/** The allowed content types of a response, by the ending of its address. */
const TYPES = {
  '/': /^text\/html$/,
  js: /^(text|application)\/(x-)?(java|ecma)script$/,
  css: /^text\/css$/,
};
/** Matches the allowed types of all other files: everything except a web page, which would be a login or error page. */
const ANY_BUT_A_PAGE = /^(?!text\/html$|application\/xhtml)/;

function byAddress(files) {
  return new Map(Object.entries(files).map(([path, digest]) => [new URL(path, self.location.href).href, digest]));
}

self.addEventListener('install', (event) => event.waitUntil(install()));

/**
 * Caches all files that every visit needs, or none. If this fails, the browser discards this service worker
 * and tries again on the next visit.
 */
async function install() {
  try {
    const fetched = await Promise.all(
      [...FILES].map(async ([address, digest]) => [address, await fetchEarly(address, digest)]),
    );
    const cache = await caches.open(CACHE);
    await Promise.all(fetched.map(([address, response]) => cache.put(address, response)));
  } catch (thrown) {
    await caches.delete(CACHE);
    throw thrown;
  }
  await fetchSuccessors();
}

/** The address of a file without the hash in its name. The same file of another version has the same stem. */
function stemOf(address) {
  return address.replace(/-[\w-]{8}(?=\.\w+$)/, '');
}

/** The large files of this version that are not cached, although an older version of them is. */
function successorsOf(kept) {
  const old = new Set(kept.filter((address) => !LATE.has(address)).map(stemOf));
  return [...LATE.keys()].filter((address) => !kept.includes(address) && old.has(stemOf(address)));
}

/**
 * Fetches the new versions of the large files that were used before. If one can't be fetched, the next visit tries again, and the
 * file is fetched when it is used at the latest.
 */
async function fetchSuccessors() {
  const late = await caches.open(LATE_CACHE);
  for (const address of successorsOf(await addressesIn(late))) {
    try {
      const response = await fetch(address, {
        cache: 'reload',
        redirect: 'error',
        integrity: `sha256-${LATE.get(address)}`,
      });
      if (looksRight(address, response)) await late.put(address, response);
    } catch {
      // The network or the storage failed.
    }
  }
}

async function addressesIn(cache) {
  return (await cache.keys()).map(({ url }) => url);
}

/** Fetches a file that every visit needs. For the digest check, the browser holds the whole file in memory. */
async function fetchEarly(address, digest) {
  const response = await fetch(address, { cache: 'reload', redirect: 'error', integrity: `sha256-${digest}` });
  if (!looksRight(address, response)) throw new TypeError(`The server sent an unexpected response for ${address}.`);
  return response;
}

function looksRight(address, { status, headers }) {
  const type = (headers.get('content-type') ?? '').split(';')[0].trim().toLowerCase();
  const ending = address.endsWith('/') ? '/' : address.split('.').at(-1);
  return status === 200 && (TYPES[ending] ?? ANY_BUT_A_PAGE).test(type);
}

self.addEventListener('activate', (event) => event.waitUntil(tidy().then(() => self.clients.claim())));

self.addEventListener('message', (event) => {
  if (event.data === 'activate') event.waitUntil(self.skipWaiting());
  if (event.data === 'tidy') event.waitUntil(fetchSuccessors().then(tidy));
});

/** Removes the files of older versions if at most one tab is open. If more are open, one of them may still need these files. */
async function tidy() {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (windows.filter(({ url }) => url.startsWith(self.registration.scope)).length > 1) return;
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith('podium-app-') && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
  const late = await caches.open(LATE_CACHE);
  const kept = await addressesIn(late);
  // An old file whose new version is still missing stays, so that the new version is fetched at the next visit.
  const awaited = new Set(successorsOf(kept).map(stemOf));
  const gone = kept.filter((address) => !LATE.has(address) && !awaited.has(stemOf(address)));
  await Promise.all(gone.map((address) => late.delete(address)));
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  // Only requests for the page's own files are answered here. The browser sends all others, such as calls to workers, as usual.
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  if (LATE.has(request.url)) return event.respondWith(answerLate(event));
  const options = { ignoreVary: true, ignoreSearch: request.mode === 'navigate' };
  event.respondWith(answer(request, options));
});

async function answer(request, options) {
  const names = await caches.keys();
  // The other caches hold large files, and files of older versions, which a tab may still use.
  const others = names.filter((name) => name !== CACHE && (name.startsWith('podium-app-') || name === LATE_CACHE));
  for (const cacheName of [CACHE, ...others]) {
    const kept = await caches.match(request, { ...options, cacheName });
    if (kept) return kept;
  }
  return fetch(request);
}

/**
 * Addresses of cached copies that this service worker has checked since it started. Browsers end idle service workers, so each
 * copy is checked about once per visit.
 */
const checked = new Set();

async function answerLate(event) {
  const address = event.request.url;
  const cache = await caches.open(LATE_CACHE);
  return (await findKept(cache, address)) ?? fetchLate(event, cache);
}

/**
 * The cached copy, if its digest is right. A cached copy can be wrong, because older versions of Podium cached every response,
 * and because a disk can fail.
 */
async function findKept(cache, address) {
  const kept = await cache.match(address, { ignoreVary: true });
  if (!kept || checked.has(address)) return kept;
  if (await isRight(address, await kept.arrayBuffer())) {
    checked.add(address);
    return cache.match(address, { ignoreVary: true });
  }
  await cache.delete(address, { ignoreVary: true });
  return undefined;
}

/**
 * Fetches a large file and streams it to the page, which shows progress. If the digest is right, caches the
 * file. Otherwise the stream ends with an error. For the digest, the whole file must be in memory. Each file
 * has at most 27 MB.
 */
async function fetchLate(event, cache) {
  const address = event.request.url;
  // `reload` bypasses the browser's HTTP cache, which may hold a wrong file as well.
  const response = await fetch(address, { cache: 'reload', redirect: 'error' });
  if (!looksRight(address, response)) return Response.error();
  const headers = new Headers(response.headers);
  // Both headers describe the compressed bytes that the server sent. The body here is already decompressed.
  headers.delete('content-encoding');
  headers.delete('content-length');
  const whole = response.clone().arrayBuffer();
  const right = whole.then(
    (bytes) => isRight(address, bytes),
    () => false,
  );
  event.waitUntil(
    right.then(async (isRight) => {
      if (!isRight) return;
      // If storage is full, the file is fetched again at its next use.
      await cache.put(address, new Response(await whole, { headers })).catch(() => undefined);
      checked.add(address);
    }),
  );
  const gate = new TransformStream({
    async flush() {
      if (!(await right)) throw new TypeError(`The server sent an unexpected response for ${address}.`);
    },
  });
  return new Response(response.body.pipeThrough(gate), { headers });
}

async function isRight(address, bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return btoa(String.fromCharCode(...digest)) === LATE.get(address);
}
