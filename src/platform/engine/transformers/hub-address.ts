/**
 * @file Builds the URLs of a model's files on a hub. The URLs are also the cache keys.
 * transformers.js uses the same URLs.
 */

export const HUB_HOST = 'https://huggingface.co/';

/** Name of the cache in the Cache API. */
export const HUB_CACHE = 'transformers-cache';

/** The revision of a model without a pinned revision. */
const LATEST = 'main';

export interface HubModel {
  /** Base URL of the hub, with a slash at the end. */
  readonly host: string;
  /** `owner/name` */
  readonly id: string;
  /** The pinned revision. `null`: none is pinned. */
  readonly revision: string | null;
}

/**
 * The URL of a file, which is also its key in the cache. For an empty path, returns the prefix that the URLs
 * of all files share.
 */
export function hubAddress({ host, id, revision }: HubModel, path: string): string {
  return `${host}${id}/resolve/${encodeURIComponent(revision ?? LATEST)}/${path}`;
}
