/**
 * @file Creates the services of the Models page: the built-in models, a probe of this machine, a check
 * whether a model fits the machine, and the cache of downloaded models.
 */
import type { ModelDesk } from '../app/services';
import { findLanguageModel, LANGUAGES } from '../platform/engine/browser/language-model';
import { BROWSER_MODEL, fitBrowserModel } from '../platform/engine/browser/manifest';
import { createModelCache } from '../platform/engine/cache';
import { fitModel } from '../platform/engine/fit';
import { builtInManifests, DEFAULT_MODEL } from '../platform/engine/manifests';
import { probeMachine } from '../platform/engine/probe';

/** Creates the services. `builtIn` contains the browser's own model if the browser has one. */
export function createModelDesk(): ModelDesk {
  const browser = findLanguageModel();
  return {
    builtIn: [...(browser ? [BROWSER_MODEL] : []), ...builtInManifests()],
    favourite: DEFAULT_MODEL,
    async probe() {
      const [machine, browserModel] = await Promise.all([
        probeMachine(),
        browser?.availability(LANGUAGES).catch(() => 'unavailable' as const),
      ]);
      return { ...machine, ...(browserModel ? { browserModel } : {}) };
    },
    fit: (manifest, machine, all, cached) =>
      manifest.engine === 'browser'
        ? fitBrowserModel(machine.browserModel ?? 'unavailable')
        : fitModel(manifest, machine, all, cached),
    cache: createModelCache(),
  };
}
