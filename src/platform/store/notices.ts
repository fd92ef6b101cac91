/**
 * @file Notifies other tabs that a run, the policies or everything may have changed. A notice is only a hint to read again.
 */
import type { ChangeNotices } from '../../core/contract';

/** The messages about everything and about the policies. They are not strings, because a string is the id of a run. */
const ALL = true;
const POLICIES = 1;

export interface BroadcastNotices extends ChangeNotices {
  close(): void;
}

/**
 * A tab does not receive its own notices. Without BroadcastChannel there are no notices, and lists update when they are read
 * again.
 */
export function createBroadcastNotices(name = 'podium'): BroadcastNotices {
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : null;
  const post = (data: unknown) => channel?.postMessage(data);
  const listen = (listener: (data: unknown) => void) => {
    const onMessage = ({ data }: MessageEvent<unknown>) => listener(data);
    channel?.addEventListener('message', onMessage);
    return () => channel?.removeEventListener('message', onMessage);
  };
  return {
    notify: post,
    listen: (listener) => listen((data) => typeof data === 'string' && listener(data)),
    notifyAll: () => post(ALL),
    listenAll: (listener) => listen((data) => data === ALL && listener()),
    notifyPolicies: () => post(POLICIES),
    listenPolicies: (listener) => listen((data) => data === POLICIES && listener()),
    close: () => channel?.close(),
  };
}
