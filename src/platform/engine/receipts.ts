/**
 * @file Records which cached files belong to a model, because the engines' caches store only URLs. A record, called a receipt,
 * is written when the download begins. A file that several models share is deleted together with the last of these models.
 */
import * as z from 'zod/mini';

const receiptSchema = z.object({
  manifestId: z.string(),
  files: z.array(z.object({ cache: z.string(), url: z.string(), bytes: z.number() })),
});

export interface ReceiptFile {
  /** Name of the cache that holds the file. */
  readonly cache: string;
  readonly url: string;
  /** The file's size. 0 if the size is not known in advance. */
  readonly bytes: number;
}

export interface Receipt {
  readonly manifestId: string;
  readonly files: readonly ReceiptFile[];
}

const RECEIPTS = 'podium/models';

/** The key of a cache entry. `.invalid` is never a real address. */
function addressOf(manifestId: string): string {
  return `https://models.invalid/${encodeURIComponent(manifestId)}`;
}

export async function writeReceipt(receipt: Receipt, storage: CacheStorage): Promise<void> {
  const cache = await storage.open(RECEIPTS);
  await cache.put(addressOf(receipt.manifestId), Response.json(receipt));
}

/**
 * Records the files of a download that begins. Files of an earlier revision stay recorded until the download is complete, and
 * are then deleted.
 * @param list returns the files. Called again when the download is complete, because only then all sizes are known
 * @returns a function that completes the record and deletes the files of the earlier revision
 */
export async function replaceReceipt(
  manifestId: string,
  list: () => Promise<readonly ReceiptFile[]>,
  storage: CacheStorage,
): Promise<() => Promise<void>> {
  const files = await list();
  const before = (await readReceipts(storage)).find((receipt) => receipt.manifestId === manifestId);
  const stays = new Set(files.map(({ url }) => url));
  const old = (before?.files ?? []).filter(({ url }) => !stays.has(url));
  await writeReceipt({ manifestId, files: [...files, ...old] }, storage);
  return async () => {
    const others = (await readReceipts(storage)).filter((receipt) => receipt.manifestId !== manifestId);
    await deleteFiles(old, others, storage);
    await writeReceipt({ manifestId, files: await list() }, storage);
  };
}

export async function deleteReceipt(manifestId: string, storage: CacheStorage): Promise<void> {
  await (await storage.open(RECEIPTS)).delete(addressOf(manifestId));
}

/** Deletes cached files, except those that other models use. */
export async function deleteFiles(
  files: readonly ReceiptFile[],
  others: readonly Receipt[],
  storage: CacheStorage,
): Promise<void> {
  const shared = new Set(others.flatMap((other) => other.files.map(({ url }) => url)));
  for (const { cache, url } of files) {
    if (!shared.has(url)) await (await storage.open(cache)).delete(url);
  }
}

/** The size of a cached file in bytes, from its header. `null` if another program cached the file without that header. */
export function sizeOf(response: Response): number | null {
  const length = response.headers.get('content-length');
  return length === null ? null : Number(length);
}

/** All readable receipts. */
export async function readReceipts(storage: CacheStorage): Promise<readonly Receipt[]> {
  const cache = await storage.open(RECEIPTS);
  const receipts = await Promise.all(
    (await cache.keys()).map(async (key) => {
      const response = await cache.match(key);
      const content: unknown = await response?.json().catch(() => null);
      const { data } = receiptSchema.safeParse(content);
      return data ? [data] : [];
    }),
  );
  return receipts.flat();
}
