/** @file Loads the sample runs at the first visit of a demo site. Only builds of `npm run build:demo` contain this file. */
import type { Services } from '../app/services';
import { RunFiles } from '../app/state/run-files.svelte';
import { SampleArchive } from '../app/state/sample-archive.svelte';

const KEY = 'podium-demo';

/** Remembers whether the sample runs were loaded. */
export type DemoMemory = Pick<Storage, 'getItem' | 'setItem'>;

/**
 * Loads the sample runs if this browser has no runs and has never loaded them. If loading fails, the next visit tries again.
 * @param load returns whether the sample runs were loaded. Default: loads them like the button on the page *Runs*
 */
export async function loadDemo(
  services: Services,
  memory: DemoMemory = localStorage,
  load: (services: Services) => Promise<boolean> = loadSample,
): Promise<void> {
  if (memory.getItem(KEY) !== null || (await services.store.count()) > 0) return;
  if (await load(services)) memory.setItem(KEY, 'loaded');
}

async function loadSample(services: Services): Promise<boolean> {
  const sample = new SampleArchive(services, new RunFiles(services));
  await sample.load();
  return sample.fault === null;
}
