/** @file Describes the origin of a policy in words. */
import type { PolicyOrigin } from '../../core/contract';
import { count } from '../ui/figures';

/** Where a policy comes from, in one line. */
export function originWords(origin: PolicyOrigin): string {
  switch (origin.kind) {
    case 'trained': {
      const { seed, loss, updates, planned, from, runs } = origin;
      const start = from === null ? 'from random weights' : `from ${from}`;
      return `seed ${seed}, ${loss} loss, update ${count(updates)} of ${count(planned)}, ${start}${runs > 0 ? `, plus ${count(runs)} of your saved runs` : ''}`;
    }
    case 'imported':
      return `imported from ${origin.file}`;
    default:
      return origin satisfies never;
  }
}
