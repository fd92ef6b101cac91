/** @file Lazy-loads the sentence models, and embeds questions with the model in use. */
import { isAbort, loadOnce, type ChangeNotices, type QuestionEmbedder, type SentenceModels } from '../core/contract';
import type { Database } from '../platform/store/database';
import type { RememberedPreferences } from './remembered';

export interface LazySentenceModels {
  readonly models: () => Promise<SentenceModels>;
  readonly embedder: QuestionEmbedder;
}

/**
 * The embedder returns `null` if no sentence model is in use or the model fails.
 * @param notices a channel only for this purpose: tabs tell each other that the user chose another model
 */
export function createSentenceModels(
  database: Database,
  preferences: RememberedPreferences,
  notices: Pick<ChangeNotices, 'notifyAll' | 'listenAll'>,
): LazySentenceModels {
  let isLoading = false;
  const models = loadOnce(async () => {
    isLoading = true;
    const { createLocalSentenceModels } = await import('./local-sentence-models');
    return createLocalSentenceModels(database, preferences, notices);
  }, 'the sentence model');
  // The page listens even before the models are loaded, because the next plan depends on whether a sentence model is in use.
  notices.listenAll(() => void preferences.read().catch(() => undefined));
  return {
    models,
    embedder: {
      async embed(questions, signal, areUnstored) {
        if (preferences.known().sentenceModel === null) return null;
        try {
          return await (await models()).embed(questions, signal, areUnstored);
        } catch (thrown) {
          if (isAbort(thrown)) throw thrown;
          return null;
        }
      },
      forget() {
        // Waits until the models are loaded, so that requests that arrived during the load are also dropped.
        if (isLoading)
          models().then(
            (loaded) => loaded.forget(),
            () => undefined,
          );
      },
    },
  };
}
