/** @file Sentence models for the page, loaded when they are first needed. */
import {
  isAbort,
  type ChangeNotices,
  type Preferences,
  type PreferencesStore,
  type QuestionEmbedder,
  type SentenceModels,
  loadOnce,
} from '../core/contract';
import type { Database } from '../platform/store/database';

export interface LateSentenceModels {
  readonly models: () => Promise<SentenceModels>;
  readonly embedder: QuestionEmbedder;
}

/** @param notices a channel of its own: other tabs tell on it that the choice has changed */
export function createSentenceModels(
  database: Database,
  preferences: PreferencesStore & { known(): Preferences },
  notices: Pick<ChangeNotices, 'tellAll' | 'listenAll'>,
): LateSentenceModels {
  let isAsked = false;
  const models = loadOnce(async () => {
    isAsked = true;
    const { createLocalSentenceModels } = await import('./local-sentence-models');
    return createLocalSentenceModels(database, preferences, notices);
  }, 'The sentence model');
  // Before anything of it is loaded: whether one is in use at all is what the next plan goes by.
  notices.listenAll(() => void preferences.read().catch(() => undefined));
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
      forget() {
        // Also what waits for it to be loaded.
        if (isAsked)
          models().then(
            (loaded) => loaded.forget(),
            () => undefined,
          );
      },
    },
  };
}
