/** @file Where a hub keeps a model's files, and where we keep our copies of them: transformers.js' own places for both. */

export const HUB_HOST = 'https://huggingface.co/';

/** Name in the Cache API. */
export const HUB_CACHE = 'transformers-cache';

/** What stands for a revision that is not pinned. */
const LATEST = 'main';

export interface HubModel {
  /** Ends with a slash. */
  readonly host: string;
  /** `owner/name` */
  readonly id: string;
  readonly revision: string | null;
}

/** The address of a file, which is also its key in the cache; of the whole model where the path is empty. */
export function hubAddress({ host, id, revision }: HubModel, path: string): string {
  return `${host}${id}/resolve/${encodeURIComponent(revision ?? LATEST)}/${path}`;
}
