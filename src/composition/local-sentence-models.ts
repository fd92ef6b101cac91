/** @file Sentence models on this machine put together. Comes late: a visit without one loads none of it. */
import { kernelWidthOf, UNLIKE_QUESTIONS } from '../core/analysis/kernel-width';
import type { ChangeNotices, Preferences, PreferencesStore, SentenceModels } from '../core/contract';
import { systemClock } from '../platform/clock';
import { createModelCache } from '../platform/engine/cache';
import { createSentenceLoader } from '../platform/engine/sentence/loader';
import { builtInSentenceModels } from '../platform/engine/sentence/manifests';
import { createSentenceModels } from '../platform/engine/sentence/sentence-models';
import { whenKept } from '../platform/offline';
import type { Database } from '../platform/store/database';
import { createSentenceVectors } from '../platform/store/sentence-vectors';

export function createLocalSentenceModels(
  database: Database,
  preferences: PreferencesStore & { known(): Preferences },
  notices: Pick<ChangeNotices, 'tellAll' | 'listenAll'>,
): Promise<SentenceModels> {
  return createSentenceModels({
    clock: systemClock,
    models: builtInSentenceModels(),
    loader: createSentenceLoader({ clock: systemClock, ready: whenKept }),
    cache: createModelCache(),
    vectors: createSentenceVectors(database, systemClock),
    preferences,
    notices,
    reference: UNLIKE_QUESTIONS,
    kernelWidthOf,
  });
}
