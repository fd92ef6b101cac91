/** @file Starts the page: composes the services, mounts the frame, and registers the service worker for offline use. */
import { mount } from 'svelte';
import App from './app/App.svelte';
import { isFramed, showFramed } from './app/framed';
import { compose } from './composition/compose';
import { systemClock } from './platform/clock';
import { keepForOffline } from './platform/offline';

const target = document.getElementById('app');
if (!target) throw new Error('The page has no #app element.');
if (isFramed()) showFramed(target);
// The page starts in a separate task, because evaluating the modules and rendering together take over 50 ms.
else setTimeout(start, 0, target);

function start(target: Element): void {
  const services = compose();
  mount(App, { target, props: { services, loaded: loaded().then(keep) } });
  // The build removes this line, unless it builds a demo site.
  if (import.meta.env.MODE === 'demo') void import('./composition/demo').then(({ loadDemo }) => loadDemo(services));
}

/** Resolves when the browser has loaded the page. */
function loaded(): Promise<unknown> {
  if (document.readyState === 'complete') return Promise.resolve();
  return new Promise((resolve) => window.addEventListener('load', resolve, { once: true }));
}

/** Registers the service worker last, because caching files must not compete with showing the page. */
function keep(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return Promise.resolve();
  return keepForOffline(navigator.serviceWorker, systemClock);
}
