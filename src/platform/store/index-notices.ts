/** @file Notifies other tabs which runs have changed in the search index. */
import * as z from 'zod/mini';
import type { IndexNotices } from '../../core/contract';

z.config({ jitless: true });

const shape = z.nullable(z.array(z.string()));

export function createIndexNotices(name: string): IndexNotices {
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : null;
  return {
    notify: (ids) => channel?.postMessage(ids),
    listen(listener) {
      const onMessage = ({ data }: MessageEvent<unknown>) => {
        const ids = shape.safeParse(data);
        if (ids.success) listener(ids.data);
      };
      channel?.addEventListener('message', onMessage);
      return () => channel?.removeEventListener('message', onMessage);
    },
  };
}
