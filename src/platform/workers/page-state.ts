/**
 * @file What can be told about the page or worker this code runs in. Outside a browser everything is as if all were well.
 */

export interface PageState {
  /** `false` only where the browser is sure that there is no network. */
  readonly online: boolean;
  /** Whether the page came over https, so that plain http calls are blocked as mixed content. */
  readonly secure: boolean;
  /** e.g. `https://podium.example`; `''` where there is no page. */
  readonly origin: string;
}

export function pageState(): PageState {
  const place = typeof location === 'undefined' ? null : location;
  const online = typeof navigator === 'undefined' || navigator.onLine !== false;
  return { online, secure: place?.protocol === 'https:', origin: place?.origin ?? '' };
}
