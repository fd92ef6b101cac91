/**
 * @file The list entry of the browser's built-in model, and whether this browser can use the model.
 */
import type { BrowserModelAvailability, FitVerdict, ModelManifest } from '../../../core/contract';

export const BROWSER_MODEL: ModelManifest = {
  id: 'browser:language-model',
  label: 'Browser model',
  engine: 'browser',
  source: { kind: 'prebuilt', id: 'language-model' },
  download: null,
  memory: null,
  // In tokens. This default is used until a session reports its context window.
  context: 4096,
  licence: null,
  why: 'Built into this browser, which downloads it once for all sites. It supports only a few languages, and no seed or temperature.',
  needs: [],
  prompt: null,
  showWorkers: 'name',
};

export function fitBrowserModel(availability: BrowserModelAvailability): FitVerdict {
  switch (availability) {
    case 'available':
      return { fit: 'well', reasons: ['The model is already on this machine.'], instead: null };
    case 'downloading':
      return { fit: 'well', reasons: ['The browser is downloading the model.'], instead: null };
    case 'downloadable':
      return {
        fit: 'well',
        reasons: ['The browser must first download several gigabytes.'],
        instead: null,
      };
    case 'unavailable':
      return { fit: 'no', reasons: ['The browser reports that its model can’t run on this device.'], instead: null };
    default:
      return availability satisfies never;
  }
}
