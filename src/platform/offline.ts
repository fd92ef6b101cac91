/**
 * @file Registers the service worker, which makes the page work offline, and reports when the service worker controls the page.
 * The service worker caches large files (engines, Python) at their first download. Callers therefore wait for `offlineReady`
 * before they fetch such a file.
 */
import type { Clock } from '../core/contract';
import { scriptAddressPolicy } from './trusted-types';

/** The part of `navigator.serviceWorker` that this file uses. */
export type Container = Pick<ServiceWorkerContainer, 'register' | 'controller' | 'addEventListener'>;

const SCRIPT = './sw.js';

const scriptAddress = scriptAddressPolicy('podium-service-worker', () => SCRIPT);

/** Maximum wait for the service worker, ms. */
const PATIENCE = 30_000;

let kept: Promise<void> = Promise.resolve();

/**
 * Resolves when the service worker controls the page and caches downloads. Also resolves if caching is not available: in a
 * private window, on a `file://` page, or when the service worker fails or takes too long. Resolves at once if `keepForOffline`
 * was not called. Never rejects.
 */
export function offlineReady(): Promise<void> {
  return kept;
}

/** Registers the service worker. Call it once, when the page has loaded. Resolves like `offlineReady`. */
export function keepForOffline(container: Container, clock: Clock): Promise<void> {
  kept = control(container, clock).catch((thrown: unknown) => {
    // Browsers allow no service workers in private windows and on file:// pages. The page still works while it is online.
    console.info('Couldn’t cache Podium for offline use.', thrown);
  });
  return kept;
}

async function control(container: Container, clock: Clock): Promise<void> {
  const over = new AbortController();
  const controlled = new Promise<void>((resolve) => {
    container.addEventListener('controllerchange', () => resolve(), { once: true, signal: over.signal });
  });
  const alarm = clock.sleep(PATIENCE, over.signal).catch(() => undefined);
  try {
    const { installing, active } = await container.register(scriptAddress(SCRIPT));
    // After a forced reload, no service worker takes control of the page, so there is nothing to wait for.
    const coming = installing ?? (active?.state === 'activating' ? active : null);
    if (!container.controller && coming) await Promise.race([controlled, failed(coming, over.signal), alarm]);
  } finally {
    over.abort();
  }
}

/** Resolves when the browser discards the service worker, for example because a file could not be fetched. */
function failed(worker: ServiceWorker, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (worker.state === 'redundant') resolve();
    };
    worker.addEventListener('statechange', look, { signal });
    look();
  });
}
