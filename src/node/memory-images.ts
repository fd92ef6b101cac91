/** @file Holds the images of questions in memory while runs need them. */
import type { ImageFile, ImageStore } from '../core/contract';

export interface MemoryImages extends Pick<ImageStore, 'get'> {
  /** Holds the images until the returned function is called. */
  hold(images: readonly ImageFile[]): () => void;
}

export function createMemoryImages(): MemoryImages {
  const held = new Map<string, { readonly image: ImageFile; holders: number }>();
  return {
    get: (hash) => Promise.resolve(held.get(hash)?.image ?? null),
    hold(images) {
      for (const image of images) {
        const present = held.get(image.hash);
        if (present) present.holders += 1;
        else held.set(image.hash, { image, holders: 1 });
      }
      return () => {
        for (const { hash } of images) {
          const present = held.get(hash);
          if (present && --present.holders === 0) held.delete(hash);
        }
      };
    },
  };
}
