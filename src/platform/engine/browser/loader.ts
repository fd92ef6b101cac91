/** @file Loads the browser's built-in model. The browser downloads it once for all sites. */
import { abortError, FaultError, type Clock, type EngineLoader, type LoadProgress } from '../../../core/contract';
import { browserFault, unavailableFault } from './browser-faults';
import { BrowserEngine } from './engine';
import { findLanguageModel, LANGUAGES, type LanguageModel } from './language-model';

/** @param model `null`: the browser has no built-in model */
export function createBrowserLoader(clock: Clock, model: LanguageModel | null = findLanguageModel()): EngineLoader {
  return {
    async load(manifest, onprogress, signal) {
      const named = { label: manifest.label, host: null };
      try {
        if (!model || (await model.availability(LANGUAGES)) === 'unavailable') {
          throw new FaultError(unavailableFault(named));
        }
        const monitor = (download: EventTarget) =>
          download.addEventListener('downloadprogress', (event) => {
            const loaded: unknown = Reflect.get(event, 'loaded');
            if (typeof loaded === 'number') onprogress(progressOf(loaded));
          });
        const session = await model.create({ ...LANGUAGES, monitor, signal });
        return new BrowserEngine({ manifest, model, session, clock });
      } catch (thrown) {
        if (signal.aborted) throw abortError();
        throw new FaultError(browserFault(thrown, named));
      }
    },
  };
}

/** @param share downloaded share, from 0 to 1 */
function progressOf(share: number): LoadProgress {
  const progress = { speed: null, cached: false, isShare: true } as const;
  return share < 1
    ? { phase: 'fetching', loaded: share, total: 1, ...progress }
    : { phase: 'loading', loaded: null, total: null, ...progress };
}
