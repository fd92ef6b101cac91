/**
 * @file Holds the browser's offer to install Podium until the page *Settings* uses it. The browser makes the offer soon after
 * Podium has loaded.
 */

export interface InstallOffer {
  /** The browser's offer. `null`: there is none. */
  event: Event | null;
  /** Called when `event` has changed. */
  changed: () => void;
}

/** @param page the window */
export function holdInstallOffer(page: EventTarget): InstallOffer {
  const offer: InstallOffer = { event: null, changed: () => undefined };
  const receive = (event: Event) => {
    // Prevents the browser from showing its own prompt.
    event.preventDefault();
    offer.event = event.type === 'appinstalled' ? null : event;
    offer.changed();
  };
  page.addEventListener('beforeinstallprompt', receive);
  page.addEventListener('appinstalled', receive);
  return offer;
}
