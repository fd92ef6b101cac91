/** @file The page begins here: services, frame, and the service worker that keeps it for offline. */
import { mount } from 'svelte';
import App from './app/App.svelte';
import { compose } from './composition';

const target = document.getElementById('app');
if (!target) throw new Error('The page has no #app to stand in.');
mount(App, { target, props: { services: compose() } });

/** After everything else: keeping the files must not compete with showing the page. */
function keepForOffline(): void {
  navigator.serviceWorker.register('./sw.js').catch((thrown: unknown) => {
    // Private windows and file:// refuse it; the page works all the same while the network is there.
    console.info('Podium could not be kept for offline use.', thrown);
  });
}
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  if (document.readyState === 'complete') keepForOffline();
  else window.addEventListener('load', keepForOffline, { once: true });
}
