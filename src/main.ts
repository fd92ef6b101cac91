/** @file The page begins here: services, frame, and the service worker that keeps it for offline. */
import { mount } from 'svelte';
import App from './app/App.svelte';
import { compose } from './composition';
import { systemClock } from './platform/clock';
import { keepForOffline } from './platform/offline';

const target = document.getElementById('app');
if (!target) throw new Error('The page has no #app to stand in.');
mount(App, { target, props: { services: compose() } });

/** After everything else: keeping the files must not compete with showing the page. */
function keep(): void {
  void keepForOffline(navigator.serviceWorker, './sw.js', systemClock);
}
if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  if (document.readyState === 'complete') keep();
  else window.addEventListener('load', keep, { once: true });
}
