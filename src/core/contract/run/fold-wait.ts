/** @file Computes the wait of a call from the event that reports it. */
import type { Wait } from './state';
import type { Waiting } from '../worker/worker';

/**
 * @param time active time of the event, ms
 * @returns `null` if the call is sent now
 */
export function waitOf({ for: cause, delay }: Waiting, time: number): Wait | null {
  return cause === null ? null : { for: cause, since: time, until: delay === null ? null : time + delay };
}
