/**
 * @file Starts the page: creates the services, mounts the app, and registers the service worker for
 * offline use. Inside an iframe, shows a link to Podium instead.
 */
import { mount } from 'svelte';
import App from './app/App.svelte';
import { compose } from './composition/compose';
import { systemClock } from './platform/clock';
import { keepForOffline } from './platform/offline';

const target = document.getElementById('app');
if (!target) throw new Error('The page has no #app element.');
if (isFramed()) showFramed(target);
else if (location.pathname.endsWith('/hand-over')) void handOver(target);
// Renders in a separate task, because one task for evaluating the modules and rendering would take
// over 50 ms.
else setTimeout(start, 0, target);

function start(target: Element): void {
  const services = compose();
  mount(App, { target, props: { services, loaded: loaded().then(keep) } });
  // Only the build of a demo site contains this line.
  if (import.meta.env.MODE === 'demo') void import('./composition/demo').then(({ loadDemo }) => loadDemo(services));
}

/** Shows only the question whether to hand a copy of the data over. `podium open` serves this page. */
async function handOver(target: Element): Promise<void> {
  const { default: HandOver } = await import('./app/settings/HandOver.svelte');
  mount(HandOver, { target, props: { archive: compose().archive } });
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

// Refuses to run in a frame, where another page could cover Podium and make the user click what they can't see. An HTTP
// header can forbid frames, but not every host sends this header.

/** Whether the page is in a frame. */
function isFramed(): boolean {
  return window.top !== window.self;
}

/** Shows why the app does not start, with a link that opens it in its own tab. */
function showFramed(target: Element): void {
  const reason = document.createElement('p');
  reason.textContent = 'Podium doesn’t run inside other pages.';
  const link = document.createElement('a');
  link.textContent = 'Open Podium in its own tab';
  link.href = location.href;
  link.target = '_blank';
  link.rel = 'noopener';
  target.replaceChildren(reason, link);
}
