/**
 * @file Composes the export of replay files. A replay file is an HTML file with runs and a viewer. The export leaves out
 * confidential runs, and runs that may contain one of the user's keys. The page lazy-loads this file.
 */
import { pairParts } from '../core/analysis/pair-words';
import { keyKindOf, loadOnce, originOf, type KeySource, type ReplayFileWriter } from '../core/contract';
import { disagreementIn } from '../core/graders/disagreement-words';
import { readExtras } from '../core/contract/worker/connection-extras';
import { systemClock } from '../platform/clock';
import { openConfidentialityCheck } from '../platform/store/confidential-runs';
import { createReplayFileWriter } from '../platform/store/replay-file/write';
import type { StorageParts } from './storage';
import { createKeyFinder } from '../platform/workers/provider-words';

export function createReplayFiles(
  { connections, database, runs }: StorageParts,
  keys: KeySource,
): ReplayFileWriter<Blob> {
  /** The keys that can be read now. Stored keys are missing while the vault is locked. */
  async function knownKeys(): Promise<readonly string[]> {
    const known = await connections.list();
    const secrets = known.flatMap(({ id, baseUrl }) => {
      const origin = originOf(baseUrl);
      const extras = Object.values(readExtras(keys, { id, connection: id }, origin) ?? {});
      return [keys.get(id, origin) ?? [], ...extras.filter((value) => keyKindOf(value) === 'long')].flat();
    });
    return [...new Set(secrets)];
  }

  return createReplayFileWriter({
    store: runs,
    clock: systemClock,
    viewer: loadOnce(async () => (await import('virtual:replay-viewer')).default, 'the viewer for replay files'),
    keyFinder: async () => createKeyFinder(await knownKeys()),
    disagreementIn: (run) => [...disagreementIn(run), ...pairParts(run)],
    confidentiality: () => openConfidentialityCheck(database, runs),
  });
}
