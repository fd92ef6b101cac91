/**
 * @file Runs before each file of component tests. The files share a page, because loading all modules again for each file would
 * take a third of the processor time. So what a file changes about the page is undone here.
 */
import { afterEach, beforeAll } from 'vitest';
import { page } from 'vitest/browser';
import { cleanup } from 'vitest-browser-svelte';

/** Vitest's default size, CSS px. */
const [WIDTH, HEIGHT] = [414, 896];

beforeAll(async () => {
  if (innerWidth !== WIDTH || innerHeight !== HEIGHT) await page.viewport(WIDTH, HEIGHT);
});

// `vitest-browser-svelte` removes components only in the first file that imports it.
afterEach(async () => {
  await cleanup();
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', location.pathname + location.search);
});
