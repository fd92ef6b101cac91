/** @file The path, name and component of every page. All pages except Conduct and the error pages are lazy-loaded. */
import type { Component } from 'svelte';
import { wrap } from 'svelte-spa-router/wrap';
import Conduct from './conduct/ConductPage.svelte';
import LoadFailed from './frame/LoadFailed.svelte';
import NotFound from './frame/NotFound.svelte';

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
  '/runs': lazy(() => import('./runs/RunsPage.svelte')),
  '/runs/:id': lazy(() => import('./run/RunPage.svelte')),
  '/compare': lazy(() => import('./compare/ComparePage.svelte')),
  '/evaluate': lazy(() => import('./evaluate/EvaluatePage.svelte')),
  '/evaluate/new': lazy(() => import('./evaluate/NewBatchPage.svelte')),
  '/evaluate/:id': lazy(() => import('./evaluate/BatchPage.svelte')),
  '/analyze': lazy(() => import('./analyze/AnalyzePage.svelte')),
  '/train': lazy(() => import('./train/TrainPage.svelte')),
  '/train/new': lazy(() => import('./train/NewSearchPage.svelte')),
  '/train/:id': lazy(() => import('./train/SearchPage.svelte')),
  '/workers': lazy(() => import('./workers/WorkersPage.svelte')),
  '/workers/measure': lazy(() => import('./workers/measure/MeasurePage.svelte')),
  '/models': lazy(() => import('./models/ModelsPage.svelte')),
  '/prompt': lazy(() => import('./settings/PromptPage.svelte')),
  '/settings': lazy(() => import('./settings/SettingsPage.svelte')),
  '*': NotFound,
};
