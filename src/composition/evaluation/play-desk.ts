/**
 * @file Carries out units of a batch in a Web Worker. The units
 * use only simulated workers and workers with recorded answers. Yields outcomes once they are stored.
 */
import { unitKey, type Batch, type Outcome } from '../../core/contract';
import type { UnitPlayer } from '../../core/evaluation/batches/player';
import { readPlayReport, type PlayOrder } from '../../core/evaluation/batches/orders';
import { unitsOf } from '../../core/evaluation/batches/units';
import type { Checkpoint } from '../../core/policy/checkpoint';
import { startWorker } from '../../platform/start-worker';
import { failingWith, WorkerLink } from '../../platform/worker-link';
import program from './batch-worker?worker&url';

interface PlayDeskOptions {
  /** Awaited before the Web Worker's script is loaded. */
  readonly ready?: () => Promise<void>;
  /** Loads the trained policy in use. If this rejects, the units that need the policy fail. */
  readonly checkpoint: () => Promise<Checkpoint>;
  /**
   * Wraps the stream of outcomes. When the stream ends, the wrapper updates the count of stored runs that is
   * kept outside the database (see `KeptMarker`). Default: no wrapper.
   */
  readonly around?: <Item>(change: AsyncIterable<Item>) => AsyncIterable<Item>;
  /** Lets tests replace the Web Worker. */
  readonly createWorker?: () => Worker;
}

export function createPlayDesk({
  ready,
  checkpoint,
  around = (change) => change,
  createWorker = () => startWorker(program),
}: PlayDeskOptions): UnitPlayer {
  return {
    async *play(batch, units, { history, isRetry = false }, signal) {
      const needsPolicy = batch.plan.methods.some(({ settings }) => settings.conductor.kind === 'policy');
      const order: PlayOrder = {
        batchId: batch.id,
        units: indexesOf(batch, units),
        history: [...history],
        isRetry,
        checkpoint: needsPolicy ? await checkpoint().catch(() => null) : null,
      };
      const link = new WorkerLink<PlayOrder, readonly Outcome[]>({
        start: createWorker,
        ready,
        read: readPlayReport,
        errorOf,
      });
      yield* around(link.call(order, signal));
    },
  };
}

function indexesOf(batch: Batch, units: Parameters<UnitPlayer['play']>[1]): number[] {
  const indexes = new Map(unitsOf(batch.plan).map((unit, index) => [unitKey(unit), index]));
  return units.flatMap((unit) => indexes.get(unitKey(unit)) ?? []);
}

const errorOf = failingWith({
  notLoaded: 'Couldn’t load the code that runs batches. Check the connection, then start the batch again.',
  crashed: 'The batch stopped because its Web Worker crashed. Close other tabs and programs, then resume the batch.',
});
