/**
 * @file Creates the service for sentence models, which embed questions. Lazy-loaded by
 * `models.ts`, because most visits use no sentence model.
 */
import type { ChangeNotices, SentenceModels } from '../core/contract';
import { systemClock } from '../platform/clock';
import { createModelCache } from '../platform/engine/cache';
import { createSentenceLoader } from '../platform/engine/sentence/loader';
import { builtInSentenceModels } from '../platform/engine/sentence/manifests';
import { createSentenceModels } from '../platform/engine/sentence/sentence-models';
import { offlineReady } from '../platform/offline';
import type { Database } from '../platform/store/database';
import { createSentenceVectors } from '../platform/store/sentence-vectors';
import type { RememberedPreferences } from './remembered';

export function createLocalSentenceModels(
  database: Database,
  preferences: RememberedPreferences,
  notices: Pick<ChangeNotices, 'notifyAll' | 'listenAll'>,
): Promise<SentenceModels> {
  return createSentenceModels({
    clock: systemClock,
    models: builtInSentenceModels(),
    loader: createSentenceLoader({ clock: systemClock, ready: offlineReady }),
    cache: createModelCache(),
    vectors: createSentenceVectors(database, systemClock),
    preferences,
    notices,
  });
}
