/**
 * @file What belongs to a model in the browser's caches: written down when its download begins, since the caches of the
 * engines know URLs and not models. Models may share a file; it goes when the last of them goes.
 */
import * as z from 'zod/mini';

const receiptSchema = z.object({
  manifestId: z.string(),
  files: z.array(z.object({ cache: z.string(), url: z.string(), bytes: z.number() })),
});

export interface ReceiptFile {
  /** Name of the cache that holds it. */
  readonly cache: string;
  readonly url: string;
  readonly bytes: number;
}

export interface Receipt {
  readonly manifestId: string;
  readonly files: readonly ReceiptFile[];
}

const RECEIPTS = 'podium/models';

/** A name for a cache entry; `.invalid` can never be anyone's address. */
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

/** Every receipt that can be read. */
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
