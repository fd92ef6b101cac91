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
 * @param notices a channel for one purpose: a tab notifies the other tabs that the user chose another sentence model
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
  // If another tab chooses a model, this tab's next plan must use this model. So the preferences are read again, even
  // before the models are loaded.
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
        // If the models are still loading, `loaded.forget` is called after the load. So it also drops the vectors of
        // requests that arrived during the load.
        if (isLoading)
          models().then(
            (loaded) => loaded.forget(),
            () => undefined,
          );
      },
    },
  };
}
