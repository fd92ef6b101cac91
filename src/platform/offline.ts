/**
 * @file Keeping the page for offline: registers the service worker, and tells when it stands between the page and the network.
 * Large files (engines, Python) are kept when they pass through it, so whoever fetches one waits for that first.
 */
import type { Clock } from '../core/contract';
import { scriptAddressPolicy } from './trusted-types';

/** What is needed of `navigator.serviceWorker`. */
export type Container = Pick<ServiceWorkerContainer, 'register' | 'controller' | 'addEventListener'>;

const SCRIPT = './sw.js';

const scriptAddress = scriptAddressPolicy('podium-service-worker', () => SCRIPT);

/** ms after which a large file is fetched all the same, and kept at its next use. */
const PATIENCE = 30_000;

let kept: Promise<void> = Promise.resolve();

/**
 * Resolves when what is fetched from now on is kept, or when that is not to be had: in a private window, without a server, or
 * after too long a wait. Never rejects.
 */
export function whenKept(): Promise<void> {
  return kept;
}

/** Registers the service worker. Call once, when the page has loaded. */
export function keepForOffline(container: Container, clock: Clock): Promise<void> {
  kept = control(container, clock).catch((thrown: unknown) => {
    // Private windows and file:// refuse it; the page works all the same while the network is there.
    console.info('Podium could not be kept for offline use.', thrown);
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
    // On a page that was reloaded past its worker none will take over.
    const coming = installing ?? (active?.state === 'activating' ? active : null);
    if (!container.controller && coming) await Promise.race([controlled, failed(coming, over.signal), alarm]);
  } finally {
    over.abort();
  }
}

/** Resolves when the worker is given up, e.g. because one of the files could not be fetched. */
function failed(worker: ServiceWorker, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (worker.state === 'redundant') resolve();
    };
    worker.addEventListener('statechange', look, { signal });
    look();
  });
}
