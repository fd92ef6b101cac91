/**
 * @file Composes the batch runner for one shard, which is the part of an evaluation that one process carries out.
 * `src/composition/evaluation` composes the batch runner of the page.
 */
import type { Batch, BatchRunner, CodeRunner, DatasetStore } from '../../core/contract';
import { createBatchRunner } from '../../core/evaluation/batches/runner';
import { createUnitPlayer } from '../../core/evaluation/batches/player';
import { createSimulatedWorkers } from '../../core/simulation/client';
import { systemClock } from '../../platform/clock';
import type { Engine } from '../engine';
import type { FileRunStore } from '../store/run-files';
import { createGraders } from './graders';
import type { ShardStore } from './outcome-file';
import { shardOf, type Shard } from './shards';

export interface EvaluationParts {
  readonly engine: Engine;
  readonly store: FileRunStore;
  readonly outcomes: ShardStore;
  readonly datasets: DatasetStore;
  readonly shard: Shard;
  /** Runs programs. `null`: answers that contain programs are not graded. */
  readonly programs: CodeRunner | null;
  readonly report: (thrown: unknown) => void;
}

export function createEvaluation(parts: EvaluationParts): BatchRunner {
  const { engine, store, outcomes, datasets, shard, programs, report } = parts;
  const { runs, locks, directory, conductorFor, policyRevision } = engine;
  const graders = createGraders(directory, programs);
  const player = createUnitPlayer({
    datasets,
    batches: outcomes,
    store,
    graders,
    conductorFor,
    workersOn: (clock) => {
      const simulated = createSimulatedWorkers({ clock, isCoarse: true });
      return () => simulated;
    },
    settled: nextTurn(),
  });
  return createBatchRunner({
    datasets,
    batches: outcomes,
    locks,
    store,
    clock: systemClock,
    runs,
    player,
    graders,
    conductorFor,
    policyRevision: async () => policyRevision,
    isOwn: (unit, plan) => shardOf(plan, unit, shard.of) === shard.index,
    report,
  });
}

/**
 * Returns a function that waits for the next turn of the event loop, after all pending microtasks. Concurrent calls share one
 * wait.
 */
function nextTurn(): () => Promise<void> {
  let next: Promise<void> | null = null;
  return () =>
    (next ??= new Promise((resolve) =>
      setImmediate(() => {
        next = null;
        resolve();
      }),
    ));
}

/** Caps in US dollars. `null`: no cap is given. */
export interface ShardCaps {
  /** The maximum cost of this shard. */
  readonly own: number | null;
  /** The maximum cost of all shards together, in place of the budget of the plan. */
  readonly all: number | null;
}

/**
 * The batch with the budget of one shard. Without `own`, the budget of all shards is divided equally among them.
 */
export function withShardBudget(batch: Batch, { own, all }: ShardCaps, { of }: Shard): Batch {
  const { plan } = batch;
  const shared = all ?? plan.usd;
  return { ...batch, plan: { ...plan, usd: own ?? (shared === null ? null : shared / of) } };
}
