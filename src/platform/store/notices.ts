/**
 * @file Tells other tabs which run changed, or that everything may have. Only a hint to read again: IndexedDB is the truth.
 */
import type { ChangeNotices } from '../../core/contract';

/** No run's id: those are told as strings. */
const ALL = true;

export interface BroadcastNotices extends ChangeNotices {
  close(): void;
}

/** A tab does not hear itself. Without BroadcastChannel nobody hears anything, and lists are as new as their last reading. */
export function createBroadcastNotices(name = 'podium'): BroadcastNotices {
  if (!('BroadcastChannel' in globalThis)) {
    return { tell() {}, listen: () => () => {}, tellAll() {}, listenAll: () => () => {}, close() {} };
  }
  const channel = new BroadcastChannel(name);
  return {
    tell: (runId) => channel.postMessage(runId),
    listen(heard) {
      const hear = ({ data }: MessageEvent<unknown>) => {
        if (typeof data === 'string') heard(data);
      };
      channel.addEventListener('message', hear);
      return () => channel.removeEventListener('message', hear);
    },
    tellAll: () => channel.postMessage(ALL),
    listenAll(heard) {
      const hear = ({ data }: MessageEvent<unknown>) => {
        if (data === ALL) heard();
      };
      channel.addEventListener('message', hear);
      return () => channel.removeEventListener('message', hear);
    },
    close: () => channel.close(),
  };
}
