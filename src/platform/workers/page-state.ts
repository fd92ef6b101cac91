/**
 * @file The state of the page or Web Worker in which this code runs. Outside a browser, `online` is true and `secure` is false.
 */

export interface PageState {
  /** `false` only if the browser reports that there is no network. */
  readonly online: boolean;
  /** Whether the page was loaded over https. If so, the browser blocks calls over plain http as mixed content. */
  readonly secure: boolean;
  /** For example `https://podium.example`. `''` if there is no page. */
  readonly origin: string;
}

export function pageState(): PageState {
  const place = typeof location === 'undefined' ? null : location;
  const online = typeof navigator === 'undefined' || navigator.onLine !== false;
  return { online, secure: place?.protocol === 'https:', origin: place?.origin ?? '' };
}
