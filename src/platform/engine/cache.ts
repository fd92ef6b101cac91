/**
 * @file Lists and deletes the downloaded models of WebLLM and transformers.js, including sentence
 * models. The list has the size of each model, and whether its files are complete.
 */
import type { CachedModel, ModelCache } from '../../core/contract';
import { deleteFiles, deleteReceipt, readReceipts, sizeOf, type Receipt } from './receipts';

export function createModelCache(storage: CacheStorage = caches): ModelCache {
  return {
    async list(manifests) {
      const all = await readReceipts(storage);
      const receipts = new Map(all.map((receipt) => [receipt.manifestId, receipt]));
      // A file that several models share belongs to the first of them.
      const owners = new Map(
        all.toReversed().flatMap((receipt) => receipt.files.map(({ url }) => [url, receipt] as const)),
      );
      const listed = await Promise.all(
        manifests.map(async ({ id }) => {
          const receipt = receipts.get(id);
          return receipt ? cachedModelOf(receipt, owners, storage) : null;
        }),
      );
      return listed.filter((model) => model !== null);
    },
    async delete({ id }) {
      const receipts = await readReceipts(storage);
      const own = receipts.find(({ manifestId }) => manifestId === id);
      if (!own) return;
      await deleteFiles(
        own.files,
        receipts.filter((each) => each !== own),
        storage,
      );
      // Deletes the receipt last, because it lists the files. If deleting is interrupted, the
      // remaining files can still be found.
      await deleteReceipt(id, storage);
    },
  };
}

async function cachedModelOf(
  receipt: Receipt,
  owners: ReadonlyMap<string, Receipt>,
  storage: CacheStorage,
): Promise<CachedModel> {
  const { manifestId } = receipt;
  const files = [...new Map(receipt.files.map((file) => [file.url, file])).values()];
  const sizes = await Promise.all(
    files.map(async ({ cache, url, bytes }) => {
      const found = await (await storage.open(cache)).match(url);
      return { found: found ? (sizeOf(found) ?? bytes) : null, bytes, isOwn: owners.get(url) === receipt };
    }),
  );
  const isWhole = ({ found, bytes }: (typeof sizes)[number]) => found !== null && (bytes === 0 || found === bytes);
  return {
    manifestId,
    bytes: sizes.reduce((sum, { found }) => sum + (found ?? 0), 0),
    ownBytes: sizes.reduce((sum, { found, isOwn }) => sum + (isOwn ? (found ?? 0) : 0), 0),
    total: sizes.reduce((sum, { found, bytes }) => sum + Math.max(found ?? 0, bytes), 0),
    complete: sizes.length > 0 && sizes.every(isWhole),
  };
}
