/** @file Composes the services for the app's version, installation and updates. */
import { version } from '../../package.json';
import type { AppServices } from '../app/services';
import { loadOnce } from '../core/contract';
import { holdInstallOffer } from '../platform/install-offer';
import { offlineReady } from '../platform/offline';

export function composeApp(): AppServices {
  const offer = holdInstallOffer(window);
  return {
    app: {
      version,
      install: loadOnce(async () => (await import('../platform/install')).createInstall(offer)),
      updates: loadOnce(async () => {
        const [{ watchUpdates }] = await Promise.all([import('../platform/updates'), offlineReady()]);
        const container = 'serviceWorker' in navigator ? navigator.serviceWorker : undefined;
        return watchUpdates({ container, locks: navigator.locks, reload: () => location.reload() });
      }),
    },
  };
}
