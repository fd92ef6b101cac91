/**
 * @file Creates the services for models on this machine: local models and sentence models. Each engine is lazy-loaded with its
 * first model.
 */
import type { ModelServices } from '../app/services';
import { loadOnce, type EngineKind, type EngineLoader, type QuestionEmbedder } from '../core/contract';
import { systemClock } from '../platform/clock';
import { createPickedFolders, type PickedFolders } from '../platform/engine/picked-folders';
import { offlineReady } from '../platform/offline';
import { createFolderHandles } from '../platform/store/folders';
import { createOwnModels } from '../platform/store/models';
import { createBroadcastNotices } from '../platform/store/notices';
import { createLocalModels, type LocalModelParts } from './local-models';
import { createSentenceModels } from './sentence-models';
import type { StorageParts } from './storage';

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
