/**
 * @file Creates the services for models on this machine: local models and sentence models. Each engine is lazy-loaded with its
 * first model.
 */
import type { ModelServices } from '../app/services';
import {
  loadOnce,
  type EngineKind,
  type EngineLoader,
  type QuestionEmbedder,
  isAbort,
  type ChangeNotices,
  type SentenceModels,
} from '../core/contract';
import { systemClock } from '../platform/clock';
import { createPickedFolders, type PickedFolders } from '../platform/engine/picked-folders';
import { offlineReady } from '../platform/offline';
import { createFolderHandles } from '../platform/store/folders';
import { createOwnModels } from '../platform/store/models';
import { createBroadcastNotices } from '../platform/store/notices';
import { createLocalModels, type LocalModelParts } from './local-models';
import type { StorageParts } from './storage';
import type { Database } from '../platform/store/database';
import type { RememberedPreferences } from './remembered';

export interface ModelParts extends Pick<LocalModelParts, 'conductor' | 'workerClient'> {
  readonly services: ModelServices;
  readonly embedder: QuestionEmbedder;
}

export function composeModels({ database, locks, preferences }: StorageParts): ModelParts {
  const folders = createPickedFolders(createFolderHandles(database));
  const { models, conductor, workerClient } = createLocalModels({
    own: createOwnModels(database),
    locks,
    folders,
    loaders: loadersFor(folders),
    desk: loadOnce(async () => (await import('./model-desk')).createModelDesk()),
    useGrammar: () => preferences.known().grammar,
  });
  const sentences = createSentenceModels(database, preferences, createBroadcastNotices('podium-sentence-model'));
  return {
    conductor,
    workerClient,
    embedder: sentences.embedder,
    services: { models, sentenceModels: sentences.models },
  };
}

function loadersFor(folders: PickedFolders): Record<EngineKind, () => Promise<EngineLoader>> {
  return {
    async browser() {
      const { createBrowserLoader } = await import('../platform/engine/browser/loader');
      return createBrowserLoader(systemClock);
    },
    async webllm() {
      await offlineReady();
      const { createWebLlmLoader } = await import('../platform/engine/webllm/loader');
      return createWebLlmLoader({ clock: systemClock, folder: folders.filesOf });
    },
    async transformers() {
      await offlineReady();
      const [{ createTransformersLoader }, { probeMachine }] = await Promise.all([
        import('../platform/engine/transformers/loader'),
        import('../platform/engine/probe'),
      ]);
      return createTransformersLoader({
        clock: systemClock,
        gpu: async () => (await probeMachine()).gpu,
        folder: folders.filesOf,
      });
    },
  };
}

/** Lazy-loads the sentence models, and embeds questions with the model in use. */
interface LazySentenceModels {
  readonly models: () => Promise<SentenceModels>;
  readonly embedder: QuestionEmbedder;
}

/**
 * The embedder returns `null` if no sentence model is in use or the model fails.
 * @param notices a channel for one purpose: a tab notifies the other tabs that the user chose another sentence model
 */
function createSentenceModels(
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
