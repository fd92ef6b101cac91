/** @file Sentence models for the page, loaded when they are first needed. */
import {
  isAbort,
  type Preferences,
  type PreferencesStore,
  type QuestionEmbedder,
  type SentenceModels,
} from './core/contract';
import { once } from './once';
import type { Database } from './platform/store/database';

export interface LateSentenceModels {
  readonly models: () => Promise<SentenceModels>;
  readonly embedder: QuestionEmbedder;
}

export function createSentenceModels(
  database: Database,
  preferences: PreferencesStore & { known(): Preferences },
): LateSentenceModels {
  const models = once(
    async () => (await import('./local-sentence-models')).createLocalSentenceModels(database, preferences),
    'The sentence model',
  );
  return {
    models,
    embedder: {
      async embed(questions, signal) {
        if (preferences.known().sentenceModel === null) return null;
        try {
          return await (await models()).embed(questions, signal);
        } catch (thrown) {
          if (isAbort(thrown)) throw thrown;
          return null;
        }
      },
    },
  };
}
