/** @file The sentence models that come with Podium (`models/sentence/*.json`). */
import * as z from 'zod/mini';
import type { SentenceModel } from '../../../core/contract';
import { sentenceModelSchema } from '../../../core/contract/model/sentence-model-schema';

const files = import.meta.glob('../../../../models/sentence/*.json', { eager: true, import: 'default' });

/** All models, the smallest download first. Throws if a file does not match the schema. */
export function builtInSentenceModels(): readonly SentenceModel[] {
  return z
    .parse(z.array(sentenceModelSchema), Object.values(files))
    .sort((one, other) => one.download - other.download);
}
