/** @file The addresses of a model's files on a hub and in the cache. transformers.js uses the same addresses. */

export const HUB_HOST = 'https://huggingface.co/';

/** Name of the cache in the Cache API. */
export const HUB_CACHE = 'transformers-cache';

/** The revision if none is pinned. */
const LATEST = 'main';

export interface HubModel {
  /** Address of the hub, with a slash at the end. */
  readonly host: string;
  /** `owner/name` */
  readonly id: string;
  readonly revision: string | null;
}

/** The address of a file, which is also its key in the cache. With an empty path: the prefix of the addresses of all files. */
export function hubAddress({ host, id, revision }: HubModel, path: string): string {
  return `${host}${id}/resolve/${encodeURIComponent(revision ?? LATEST)}/${path}`;
}
