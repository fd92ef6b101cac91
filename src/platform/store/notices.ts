/**
 * @file Notifies other tabs which run changed, or that policies or everything may have changed. Only a hint to read again.
 */
import type { ChangeNotices } from '../../core/contract';

/** Objects, because ids of runs are sent as strings. */
const ALL = true;
const POLICIES = 1;

export interface BroadcastNotices extends ChangeNotices {
  close(): void;
}

/** A tab does not receive its own notices. Without BroadcastChannel there are none, and lists update when they are read again. */
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
