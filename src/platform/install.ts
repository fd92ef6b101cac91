/**
 * @file Installs Podium as an app. Uses the browser's offer to install it, an event that `install-offer.ts` stores. This module
 * is lazy-loaded.
 */
import type { AppInstall } from '../core/contract';
import type { InstallOffer } from './install-offer';

/**
 * Not in TypeScript's library, because only Chromium has it. https://developer.mozilla.org/docs/Web/API/BeforeInstallPromptEvent
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
      // An offer can be used once. If the user declines, the browser makes a new one later.
      offer.event = null;
      offer.changed();
      return (await event.prompt()).outcome === 'accepted';
    },
  };
}
