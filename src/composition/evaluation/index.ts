/** @file Lazy-loads evaluation when its page is first opened. One import, so that the first page carries few file names. */
import type { EvaluationServices } from '../../app/services';
import { loadOnce } from '../../core/contract';
import type { StorageParts } from '../storage';
import type { DeskParts } from './desk';

export function createEvaluation(storage: StorageParts, parts: DeskParts): EvaluationServices['evaluation'] {
  return loadOnce(async () => {
    const { createEvaluationDesk } = await import('./desk');
    return createEvaluationDesk(storage, parts);
  }, 'the evaluation');
}
