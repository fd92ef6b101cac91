/** @file Words about policies. */
import type { PolicyOrigin } from '../../../core/contract';
import { count, plural } from '../figures';

/** Where a policy came from, in a line. */
export function originWords(origin: PolicyOrigin): string {
  switch (origin.kind) {
    case 'trained': {
      const { seed, loss, updates, planned, from, runs } = origin;
      const start = from === null ? 'drawn anew' : `from ${from}`;
      return `seed ${seed}, ${loss} loss, update ${count(updates)} of ${count(planned)}, ${start}${runs > 0 ? `, and ${plural(runs, 'run')} of yours` : ''}`;
    }
    case 'imported':
      return `imported from ${origin.file}`;
    default:
      return origin satisfies never;
  }
}
