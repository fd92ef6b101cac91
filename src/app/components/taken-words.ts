/** @file What became of things that came in from a file, in sentences. */
import type { RestoredPart, RestoreMode, TakenIn } from '../../core/contract';
import { count, plural } from './figures';

/** One sentence for each thing that happened, the gains first. */
export function takenSentences({ one, many, taken }: Pick<RestoredPart, 'one' | 'many' | 'taken'>): readonly string[] {
  const things = (value: number) => plural(value, one, many);
  const verb = (value: number, single: string, several: string) => (value === 1 ? single : several);
  const said: readonly (readonly [keyof TakenIn, (value: number) => string])[] = [
    ['added', (value) => `${things(value)} added.`],
    ['updated', (value) => `${things(value)} brought to where the file is.`],
    [
      'copied',
      (value) =>
        `${things(value)} ${verb(value, 'differs', 'differ')} from what is here and ${verb(value, 'stands', 'stand')} beside it.`,
    ],
    [
      'mended',
      (value) =>
        `${things(value)} ${verb(value, 'was here without its images and has', 'were here without their images and have')} them again.`,
    ],
    ['present', (value) => `${things(value)} ${verb(value, 'was', 'were')} here already.`],
    [
      'kept',
      (value) =>
        `${things(value)} ${verb(value, 'differs', 'differ')} and ${verb(value, 'stays as it is', 'stay as they are')} here.`,
    ],
    [
      'busy',
      (value) => `${things(value)} ${verb(value, 'is', 'are')} at work and ${verb(value, 'was', 'were')} left alone.`,
    ],
    ['removed', (value) => `${things(value)} removed that the file does not hold.`],
  ];
  return said.flatMap(([name, sentence]) => (taken[name] > 0 ? [sentence(taken[name])] : []));
}

/** Said where a restoring was stopped: what it did until then stands, and in mode `replace` it may have taken things away. */
export function restoreStopped(mode: RestoreMode, parts: readonly Pick<RestoredPart, 'taken'>[]): string {
  const isAny = (name: 'removed' | 'updated') => parts.some(({ taken }) => taken[name] > 0);
  const came = 'Stopped. What had come is here, each run whole';
  if (mode === 'merge' || !(isAny('removed') || isAny('updated'))) return `${came}; nothing was taken away.`;
  const differed = isAny('updated') ? ' What differed is now as in the file.' : '';
  return isAny('removed')
    ? `${came}.${differed} Some of what the file does not hold was removed, the rest is still here.`
    : `${came}.${differed} What the file does not hold is still here.`;
}

/** `and 12 more lines`; `''` where there are none. */
export function moreLines(value: number): string {
  return value > 0 ? `And ${count(value)} more ${value === 1 ? 'line' : 'lines'}.` : '';
}
