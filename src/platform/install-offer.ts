/**
 * @file Stores the event `beforeinstallprompt`, with which the browser offers to install Podium. The browser
 * may fire this event before the lazy-loaded `install.ts` can listen.
 */

export interface InstallOffer {
  /** The event. `null` if the browser currently doesn't offer the installation. */
  event: Event | null;
  /** Called after `event` changes. */
  changed: () => void;
}

/**
 * Starts listening for the browser's offer.
 * @param page the window
 */
export function holdInstallOffer(page: EventTarget): InstallOffer {
  const offer: InstallOffer = { event: null, changed: () => undefined };
  const receive = (event: Event) => {
    // Prevents the browser from showing its own install prompt.
    event.preventDefault();
    offer.event = event.type === 'appinstalled' ? null : event;
    offer.changed();
  };
  page.addEventListener('beforeinstallprompt', receive);
  page.addEventListener('appinstalled', receive);
  return offer;
}
