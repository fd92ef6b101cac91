/** @file Every page: its path, its name in the bar, and how it is loaded. Conduct comes with the first chunk, the others late. */
import type { Component } from 'svelte';
import { wrap } from 'svelte-spa-router/wrap';
import Conduct from './pages/Conduct.svelte';
import LoadFailed from './pages/LoadFailed.svelte';
import NotFound from './pages/NotFound.svelte';

/** What the bar shows. */
export interface Page {
  readonly path: string;
  readonly name: string;
  /** Stands on the right: what is set up once. */
  readonly aside?: boolean;
}

export const PAGES: readonly Page[] = [
  { path: '/', name: 'Conduct' },
  { path: '/runs', name: 'Runs' },
  { path: '/train', name: 'Train' },
  { path: '/workers', name: 'Workers', aside: true },
  { path: '/models', name: 'Models', aside: true },
  { path: '/settings', name: 'Settings', aside: true },
];

type LatePage = () => Promise<{ default: Component }>;

/** A page that comes in a chunk of its own; where that cannot be loaded, a page that says so. */
function late(load: LatePage) {
  return wrap({ asyncComponent: () => load().catch(() => ({ default: LoadFailed })) });
}

export const ROUTES = {
  '/': Conduct,
  '/runs': late(() => import('./pages/Runs.svelte')),
  '/runs/:id': late(() => import('./pages/Run.svelte')),
  '/train': late(() => import('./pages/Train.svelte')),
  '/workers': late(() => import('./pages/Workers.svelte')),
  '/models': late(() => import('./pages/Models.svelte')),
  '/settings': late(() => import('./pages/Settings.svelte')),
  '*': NotFound,
};
