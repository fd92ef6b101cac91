/** @file Sentences that explain the result of a search by meaning. */
import type { Nearness } from '../../../core/contract';
import { count, plural } from '../../ui/figures';

interface Comparison {
  readonly words: string;
  /** `null`: no sentence model can compare the questions, or the comparison is not finished. */
  readonly nearness: Nearness | null;
  /** Whether the result is still being computed. */
  readonly isReading: boolean;
  /** Whether the user has chosen a sentence model. */
  readonly isModelInUse: boolean;
}

/** Describes the result of a search by meaning, or says why there is no result. */
export function nearnessWords({ words, nearness, isReading, isModelInUse }: Comparison): string {
  if (words.trim() === '')
    return 'Type a question or a few words. Runs are found if their question has a similar meaning.';
  if (!nearness && isReading) return 'Comparing questions by meaning…';
  if (!nearness && isModelInUse) return 'The sentence model is not available now. The Models page shows the reason.';
  if (!nearness) return 'Searching by meaning needs a sentence model, and none is in use. Choose one on Models.';
  const found = Object.keys(nearness.similarities).length;
  if (found === 0) return `No question has a similar meaning, according to ${nearness.by}. Try other words.`;
  const legend = `Compared by ${nearness.by}. The number beside a question is its similarity, at most 1.`;
  if (nearness.beyond === 0) return legend;
  return `${legend} The nearest ${plural(found, 'run')} are shown, and ${count(nearness.beyond)} less similar ones are left out.`;
}

/** Says how many runs can't be found by meaning. `''` if there are none. */
export function missingWords({ missing }: Pick<Nearness, 'missing'>): string {
  if (missing === 0) return '';
  return missing === 1
    ? '1 run can’t be found by meaning yet.'
    : `${count(missing)} runs can’t be found by meaning yet.`;
}
