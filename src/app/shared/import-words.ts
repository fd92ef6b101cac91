/** @file Texts about the result of an import, an export or a restore. */
import type { RestoredPart, RestoreMode, ImportCounts } from '../../core/contract';
import { count, plural } from '../ui/figures';

/** One sentence for each count above 0, such as `3 runs added.` */
export function importSentences({
  one,
  many,
  counts,
}: Pick<RestoredPart, 'one' | 'many' | 'counts'>): readonly string[] {
  const things = (value: number) => plural(value, one, many);
  const verb = (value: number, single: string, several: string) => (value === 1 ? single : several);
  const sentences: readonly (readonly [keyof ImportCounts, (value: number) => string])[] = [
    ['added', (value) => `${things(value)} added.`],
    ['updated', (value) => `${things(value)} updated from the file.`],
    [
      'copied',
      (value) =>
        `${things(value)} ${verb(value, 'differs from the one here and was added as a copy', 'differ from the ones here and were added as copies')}.`,
    ],
    [
      'repaired',
      (value) =>
        `${things(value)} ${verb(value, 'had lost its images and has', 'had lost their images and have')} them back.`,
    ],
    ['present', (value) => `${things(value)} ${verb(value, 'was', 'were')} already here.`],
    [
      'kept',
      (value) =>
        `${things(value)} ${verb(value, 'differs from the file and was', 'differ from the file and were')} left unchanged.`,
    ],
    ['busy', (value) => `${things(value)} ${verb(value, 'is running and was', 'are running and were')} skipped.`],
    ['removed', (value) => `${things(value)} removed, because ${verb(value, 'it isn’t', 'they aren’t')} in the file.`],
  ];
  return sentences.flatMap(([name, sentence]) => (counts[name] > 0 ? [sentence(counts[name])] : []));
}

/** The message after a stopped restore. In mode `replace`, says whether items were already updated or removed. */
export function restoreStopped(mode: RestoreMode, parts: readonly Pick<RestoredPart, 'counts'>[]): string {
  const isAny = (name: 'removed' | 'updated') => parts.some(({ counts }) => counts[name] > 0);
  const stopped = 'Stopped. Everything restored so far is kept, and every run is complete';
  if (mode === 'merge' || !(isAny('removed') || isAny('updated'))) return `${stopped}. Nothing was removed.`;
  const differed = isAny('updated') ? ' Items that differed now match the file.' : '';
  return isAny('removed')
    ? `${stopped}.${differed} Some items that aren’t in the file were removed. The others are still here.`
    : `${stopped}.${differed} Items that aren’t in the file are still here.`;
}

/** `And 12 more lines.`, or `''` for 0. */
export function moreLines(value: number): string {
  return value > 0 ? `And ${count(value)} more ${value === 1 ? 'line' : 'lines'}.` : '';
}

/** The first `most` messages. If there are more, the last entry says how many: `And 12 more messages.` */
export function firstMessages(messages: readonly string[], most: number): readonly string[] {
  const more = messages.length - most;
  return more > 0 ? [...messages.slice(0, most), `And ${plural(more, 'more message', 'more messages')}.`] : messages;
}
