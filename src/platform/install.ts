/**
 * @file Installs Podium as an app, with the event that `install-offer.ts` stores. This module is
 * lazy-loaded.
 */
import type { AppInstall } from '../core/contract';
import type { InstallOffer } from './install-offer';

/**
 * Only Chromium has this event, so TypeScript's library doesn't declare it.
 * https://developer.mozilla.org/docs/Web/API/BeforeInstallPromptEvent
 */
interface InstallEvent extends Event {
  prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }>;
}

const isInstallEvent = (event: Event | null): event is InstallEvent => event !== null && 'prompt' in event;

export function createInstall(offer: InstallOffer): AppInstall {
  const listeners = new Set<() => void>();
  offer.changed = () => {
    for (const listener of [...listeners]) listener();
  };
  return {
    get isOffered() {
      return isInstallEvent(offer.event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async install() {
      const { event } = offer;
      if (!isInstallEvent(event)) return false;
      // `prompt()` works only once per event. If the user declines, the browser fires a new event
      // later.
      offer.event = null;
      offer.changed();
      return (await event.prompt()).outcome === 'accepted';
    },
  };
}
