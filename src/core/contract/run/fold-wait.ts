/** @file What holds a call back, as it folds from what is said of it. */
import type { Wait } from './state';
import type { Waiting } from '../worker/worker';

/** @param time active time at which it was said, ms. @returns `null`: the call leaves now */
export function waitOf({ for: cause, delay }: Waiting, time: number): Wait | null {
  return cause === null ? null : { for: cause, since: time, until: delay === null ? null : time + delay };
}
