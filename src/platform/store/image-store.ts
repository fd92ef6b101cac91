/** @file The images and files of unsent questions. Lazy-loaded, because most questions have none. See `images.ts` for those of runs. */
import type { Clock, ImageStore } from '../../core/contract';
import { freshImage } from './add-images';
import type { Database } from './database';
import { isAwaited, readImage } from './images';

export function createImageStore(database: Database, clock: Pick<Clock, 'now'>): ImageStore {
  return {
    put: (image) =>
      database.transact(['images'], 'readwrite', async (transaction) => {
        const images = transaction.objectStore('images');
        const runs = (await images.get(image.hash))?.runs ?? [];
        // Writes the whole record again, because the browser may have lost the image's data.
        await images.put({ ...freshImage(image), runs, attachedAt: clock.now() }, image.hash);
      }),
    putText: ({ hash, text }) =>
      database.transact(['images'], 'readwrite', async (transaction) => {
        const images = transaction.objectStore('images');
        const stored = await images.get(hash);
        await images.put({ ...stored, text, runs: stored?.runs ?? [], attachedAt: clock.now() }, hash);
      }),
    get: (hash) => readImage(database, hash),
    getText: (hash) =>
      database.transact(['images'], 'readonly', async (transaction) => {
        return (await transaction.objectStore('images').get(hash))?.text ?? null;
      }),
    drop: (hash) =>
      database.transact(['images'], 'readwrite', async (transaction) => {
        const images = transaction.objectStore('images');
        const image = await images.get(hash);
        if (!image) return;
        const { attachedAt: _attachedAt, ...rest } = image;
        if (rest.runs.length === 0) await images.delete(hash);
        else await images.put(rest, hash);
      }),
    clearOut: (keep) =>
      database.transact(['images'], 'readwrite', async (transaction) => {
        const images = transaction.objectStore('images');
        // Reads only keys, because there may be many large images.
        const [all, referred] = await Promise.all([images.getAllKeys(), images.index('runs').getAllKeys()]);
        const needed = new Set([...referred, ...keep]);
        for (const hash of all.filter((each) => !needed.has(each))) {
          if (!isAwaited(await images.get(hash), clock.now())) await images.delete(hash);
        }
      }),
  };
}
