/** @file Sentence models for the page, put together when they are first needed: a visit without one loads none of it. */
import {
  isAbort,
  type Preferences,
  type PreferencesStore,
  type QuestionEmbedder,
  type SentenceModels,
} from './core/contract';
import { once } from './once';
import { systemClock } from './platform/clock';
import { whenKept } from './platform/offline';
import type { Database } from './platform/store/database';

export interface LateSentenceModels {
  readonly models: () => Promise<SentenceModels>;
  readonly embedder: QuestionEmbedder;
}

export function createSentenceModels(
  database: Database,
  preferences: PreferencesStore & { known(): Preferences },
): LateSentenceModels {
  const models = once(async () => {
    const [service, { createSentenceLoader }, { builtInSentenceModels }, cache, vectors, notices, yardstick] =
      await Promise.all([
        import('./platform/engine/sentence/sentence-models'),
        import('./platform/engine/sentence/loader'),
        import('./platform/engine/sentence/manifests'),
        import('./platform/engine/cache'),
        import('./platform/store/sentence-vectors'),
        import('./platform/store/notices'),
        import('./core/analysis/kernel-width'),
      ]);
    return service.createSentenceModels({
      clock: systemClock,
      models: builtInSentenceModels(),
      loader: createSentenceLoader({ clock: systemClock, ready: whenKept }),
      cache: cache.createModelCache(),
      vectors: vectors.createSentenceVectors(database, systemClock),
      preferences,
      notices: notices.createBroadcastNotices('podium-sentence-model'),
      reference: yardstick.UNLIKE_QUESTIONS,
      kernelWidthOf: yardstick.kernelWidthOf,
    });
  }, 'The sentence model');
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
