/**
 * @file Starts the page: creates the services, mounts the app, and registers the service worker for
 * offline use. Inside an iframe, shows a link to Podium instead.
 */
import { mount } from 'svelte';
import App from './app/App.svelte';
import { isFramed, showFramed } from './app/framed';
import { compose } from './composition/compose';
import { systemClock } from './platform/clock';
import { keepForOffline } from './platform/offline';

const target = document.getElementById('app');
if (!target) throw new Error('The page has no #app element.');
if (isFramed()) showFramed(target);
// Renders in a separate task, because one task for evaluating the modules and rendering would take
// over 50 ms.
else setTimeout(start, 0, target);

function start(target: Element): void {
  const services = compose();
  mount(App, { target, props: { services, loaded: loaded().then(keep) } });
  // Only the build of a demo site contains this line.
  if (import.meta.env.MODE === 'demo') void import('./composition/demo').then(({ loadDemo }) => loadDemo(services));
}

/** Resolves after the page's `load` event. */
function loaded(): Promise<unknown> {
  if (document.readyState === 'complete') return Promise.resolve();
  return new Promise((resolve) => window.addEventListener('load', resolve, { once: true }));
}

/**
 * Registers the service worker. Call this function after the page has loaded, so that caching files
 * does not delay the page.
 */
function keep(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return Promise.resolve();
  return keepForOffline(navigator.serviceWorker, systemClock);
}
