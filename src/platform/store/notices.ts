/**
 * @file Tells other tabs which run changed, or that policies or everything may have. Only a hint to read again: IndexedDB is the truth.
 */
import type { ChangeNotices } from '../../core/contract';

/** No runs' ids: those are told as strings. */
const ALL = true;
const POLICIES = 1;

export interface BroadcastNotices extends ChangeNotices {
  close(): void;
}

/** A tab does not hear itself. Without BroadcastChannel nobody hears anything, and lists are as new as their last reading. */
export function createBroadcastNotices(name = 'podium'): BroadcastNotices {
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : null;
  const tell = (data: unknown) => channel?.postMessage(data);
  const listen = (heard: (data: unknown) => void) => {
    const hear = ({ data }: MessageEvent<unknown>) => heard(data);
    channel?.addEventListener('message', hear);
    return () => channel?.removeEventListener('message', hear);
  };
  return {
    tell,
    listen: (heard) => listen((data) => typeof data === 'string' && heard(data)),
    tellAll: () => tell(ALL),
    listenAll: (heard) => listen((data) => data === ALL && heard()),
    tellPolicies: () => tell(POLICIES),
    listenPolicies: (heard) => listen((data) => data === POLICIES && heard()),
    close: () => channel?.close(),
  };
}
