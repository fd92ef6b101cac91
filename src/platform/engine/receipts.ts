/**
 * @file Records which cached files belong to a model, because the engines' caches store URLs without models. A record is
 * written when the download begins. A file that several models share is deleted together with the last of them.
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

export async function deleteReceipt(manifestId: string, storage: CacheStorage): Promise<void> {
  await (await storage.open(RECEIPTS)).delete(addressOf(manifestId));
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
