/**
 * @file Records which cached files belong to a model, because the engines' caches know a file only by its
 * URL. Such a record is called a receipt. It is written when the download begins. A file that several models
 * share is deleted with the last of these models.
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
  /** The file's size in bytes. 0: the size is unknown until the file is downloaded. */
  readonly bytes: number;
}

export interface Receipt {
  readonly manifestId: string;
  readonly files: readonly ReceiptFile[];
}

const RECEIPTS = 'podium/models';

/** The cache key of a receipt. Domains under `.invalid` never exist. */
function addressOf(manifestId: string): string {
  return `https://models.invalid/${encodeURIComponent(manifestId)}`;
}

export async function writeReceipt(receipt: Receipt, storage: CacheStorage): Promise<void> {
  const cache = await storage.open(RECEIPTS);
  await cache.put(addressOf(receipt.manifestId), Response.json(receipt));
}

/**
 * Writes the receipt of a new download. Until the download is complete, the receipt also lists the
 * files of an earlier revision.
 * @param list returns the files of the new download. Called again at the end, when all sizes are
 *   known
 * @returns a function to call after the download. It deletes the files of the earlier revision and
 *   completes the receipt
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

/** Deletes cached files, except files that other models use. */
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

/**
 * The size of a cached file in bytes, from its `content-length` header. `null`: the file was cached
 * without this header.
 */
export function sizeOf(response: Response): number | null {
  const length = response.headers.get('content-length');
  return length === null ? null : Number(length);
}

/** Reads all receipts. Ignores damaged receipts. */
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
