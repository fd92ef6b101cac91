/** @file The path, name and component of every page. All pages except Conduct and the error pages are lazy-loaded. */
import type { Component } from 'svelte';
import { wrap } from 'svelte-spa-router/wrap';
import Conduct from './pages/Conduct.svelte';
import LoadFailed from './pages/LoadFailed.svelte';
import NotFound from './pages/NotFound.svelte';

/** A link in the navigation bar. */
export interface Page {
  readonly path: string;
  readonly name: string;
  /** Whether the link is on the right of the bar, because the page is rarely needed. */
  readonly aside?: boolean;
  /** Path of another page on which this link is also marked as current. */
  readonly also?: string;
}

export const PAGES: readonly Page[] = [
  { path: '/', name: 'Conduct' },
  { path: '/runs', name: 'Runs', also: '/compare' },
  { path: '/evaluate', name: 'Evaluate' },
  { path: '/analyze', name: 'Analyze' },
  { path: '/train', name: 'Train' },
  { path: '/workers', name: 'Workers', aside: true },
  { path: '/models', name: 'Models', aside: true },
  { path: '/settings', name: 'Settings', aside: true },
];

type LazyPage = () => Promise<{ default: Component }>;

/** A page in its own chunk. If the chunk can't be loaded, `LoadFailed` is shown. */
function lazy(load: LazyPage) {
  return wrap({ asyncComponent: () => load().catch(() => ({ default: LoadFailed })) });
}

export const ROUTES = {
  '/': Conduct,
  '/runs': lazy(() => import('./pages/Runs.svelte')),
  '/runs/:id': lazy(() => import('./pages/Run.svelte')),
  '/compare': lazy(() => import('./pages/Compare.svelte')),
  '/evaluate': lazy(() => import('./pages/Evaluate.svelte')),
  '/evaluate/new': lazy(() => import('./pages/NewBatch.svelte')),
  '/evaluate/:id': lazy(() => import('./pages/Batch.svelte')),
  '/analyze': lazy(() => import('./pages/Analyze.svelte')),
  '/train': lazy(() => import('./pages/Train.svelte')),
  '/workers': lazy(() => import('./pages/Workers.svelte')),
  '/models': lazy(() => import('./pages/Models.svelte')),
  '/prompt': lazy(() => import('./pages/Prompt.svelte')),
  '/settings': lazy(() => import('./pages/Settings.svelte')),
  '*': NotFound,
};
