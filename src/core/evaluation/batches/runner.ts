/** @file Starts, resumes and observes batches. A lock prevents two tabs from running the same batch. */
import {
  batchLock,
  fault,
  FaultError,
  unitKey,
  type Batch,
  type BatchPlan,
  type BatchProgress,
  type BatchRunner,
  type BatchStore,
  type Clock,
  type Conductor,
  type ConductorInfo,
  type DatasetStore,
  type GradedRun,
  type GraderKind,
  type LiveBatch,
  type Locks,
  type Method,
  type Outcome,
  type ProgressListener,
  type Regraded,
  type RunStore,
  type Unit,
} from '../../contract';
import { REPLACING_LOCK } from '../../contract/evaluation/hold-batches';
import type { Runs, RunsDependencies } from '../../runs/runs';
import { historyOf } from './batch-history';
import { BatchRun, type BatchRunOptions } from './batch-run';
import { estimateBatch } from './estimate';
import { UnitGrader, type UnitGraders } from './grading';
import { judgedRuns, openRuns } from './open-runs';
import { outsideName } from './outside';
import { isPlayable, type UnitPlayer } from './player';
import { outdatedOutcomes, regrade } from './regrade';
import { Tally } from './progress';
import { UnitWorks } from './unit-work';
import { unitsOf } from './units';
import { withMeasuredChecks } from './measured-checks';
import { weightsByMethod, weightsProblem, withWeights, type PolicyRevision } from './weights';

export interface BatchRunnerDependencies {
  readonly datasets: DatasetStore;
  readonly batches: Pick<BatchStore, 'list' | 'get' | 'outcomes' | 'addOutcomes' | 'removeOutcomes'>;
  readonly locks: Locks;
  readonly store: Pick<RunStore, 'summaries'>;
  readonly clock: Clock;
  readonly runs: Runs;
  /** Runs units (a unit is one task with one method) in bulk, if `isPlayable` permits it. */
  readonly player: UnitPlayer;
  readonly graders: UnitGraders;
  /** May throw a `FaultError`. */
  readonly conductorFor: (info: ConductorInfo) => Conductor;
  readonly policyRevision: PolicyRevision;
  /** As in `RunsDependencies`. */
  readonly measuredChecks?: RunsDependencies['measuredChecks'];
  /** Whether Private is on: only workers, Conductors and judges on this machine may be called. Absent: off. */
  readonly isPrivate?: () => Promise<boolean>;
  /** Whether this process runs the unit. Absent: this process runs all units, because it shares the batch with no other. */
  readonly isOwn?: (unit: Unit, plan: BatchPlan) => boolean;
  /** Called with errors that don't stop the batch. */
  readonly report?: (thrown: unknown) => void;
}

export function createBatchRunner(dependencies: BatchRunnerDependencies): BatchRunner {
  return new Runner(dependencies);
}

class Runner implements BatchRunner {
  readonly #dependencies: BatchRunnerDependencies;
  readonly #live = new Map<string, BatchRun>();

  constructor(dependencies: BatchRunnerDependencies) {
    this.#dependencies = dependencies;
  }

  async prepare(plan: BatchPlan): Promise<BatchPlan> {
    const { policyRevision, measuredChecks } = this.#dependencies;
    return withMeasuredChecks(await withWeights(plan, policyRevision), measuredChecks);
  }

  async estimate(plan: BatchPlan, batchId: string | null, signal: AbortSignal) {
    const { batches, datasets } = this.#dependencies;
    const outcomes = batchId === null ? [] : await batches.outcomes(batchId);
    const stored = batchId === null ? null : await batches.get(batchId);
    const batch: Batch = { id: batchId ?? '', name: '', createdAt: stored?.createdAt ?? 0, plan, isImported: false };
    const works = new UnitWorks(batch, { ...this.#dependencies, history: [] });
    const graders = await gradersOf(batch, datasets);
    return estimateBatch(batch, outcomes, { ...this.#dependencies, works, graders }, signal);
  }

  start(batchId: string): Promise<LiveBatch> {
    return this.#start(batchId, false);
  }

  retryFailed(batchId: string): Promise<LiveBatch> {
    return this.#start(batchId, true);
  }

  live(batchId: string): LiveBatch | null {
    return this.#live.get(batchId) ?? null;
  }

  async progress(batchId: string): Promise<BatchProgress> {
    const { batches, locks } = this.#dependencies;
    const [batch, outcomes] = await Promise.all([this.#require(batchId), batches.outcomes(batchId)]);
    const tally = new Tally(batch, this.#own(batch, outcomes), [], this.#unitsOf(batch));
    if (tally.done === tally.units) return tally.progress('finished');
    await this.#bookOpenRuns(batch, tally);
    const release = await locks.acquire(batchLock(batchId));
    release?.();
    return tally.progress(release ? 'paused' : 'running');
  }

  async grade(batchId: string, unit: Unit, correct: boolean): Promise<void> {
    const { batches, runs } = this.#dependencies;
    const key = unitKey(unit);
    const outcome = (await batches.outcomes(batchId)).find((each) => unitKey(each) === key);
    if (!outcome) throw new FaultError(fault('nothing-to-grade', 'This task has no answer yet. Run the batch first.'));
    if (outcome.status !== 'waiting') throw new FaultError(fault('nothing-to-grade', NOT_WAITING));
    const detail = correct ? 'You graded it as correct.' : 'You graded it as wrong.';
    const { fault: _, ...rest } = outcome;
    const graded: Outcome = { ...rest, status: 'graded', verdicts: { strict: { correct, detail } } };
    // An imported batch has outcomes, but its runs are not stored.
    if (outcome.runId !== undefined && (await runs.open(outcome.runId))) await runs.grade(outcome.runId, correct);
    await batches.addOutcomes([graded]);
    this.#live.get(batchId)?.adopt(graded);
  }

  async outdated(batchId: string): Promise<number> {
    return (await this.#outdated(await this.#require(batchId))).length;
  }

  async regrade(batchId: string, signal: AbortSignal, onprogress?: ProgressListener): Promise<Regraded> {
    const release = await this.#lock(batchId);
    try {
      const batch = await this.#require(batchId);
      // Graders with versions make no calls, so they need no judge.
      const grader = new UnitGrader(this.#dependencies.graders, null);
      const context = { ...this.#dependencies, grader, signal, ...(onprogress ? { onprogress } : {}) };
      return await regrade(await this.#outdated(batch), context);
    } finally {
      release();
    }
  }

  async #outdated(batch: Batch) {
    const { batches, datasets } = this.#dependencies;
    return outdatedOutcomes(batch, this.#own(batch, await batches.outcomes(batch.id)), datasets);
  }

  /** Acquires the lock of a batch. Rejects with a `FaultError` (`run-busy`) while the batch is running. */
  async #lock(batchId: string): Promise<() => void> {
    const { locks } = this.#dependencies;
    await locks.whenFree(REPLACING_LOCK, new AbortController().signal);
    const release = await locks.acquire(batchLock(batchId));
    if (release) return release;
    const message = 'This batch is already running. Stop it first, or wait until it has ended.';
    throw new FaultError(fault('run-busy', message, { retryable: true }));
  }

  async #start(batchId: string, isRetry: boolean): Promise<LiveBatch> {
    const release = await this.#lock(batchId);
    try {
      // The batch is read only after the lock is acquired, because another tab may have deleted the batch.
      const batch = await this.#require(batchId);
      if (batch.isImported) {
        const message =
          'This batch was imported without its runs, so it can’t be continued. Start a new batch with the same plan.';
        throw new FaultError(fault('run-missing', message));
      }
      await this.#keepPrivate(batch.plan);
      const { outcomes, retried } = await this.#outcomes(batch, isRetry);
      const history = await historyOf(batch, this.#dependencies);
      const options = await this.#optionsOf(batch, { outcomes, retried, history, isRetry, release });
      // Failed outcomes are deleted only once it is certain that the batch can start.
      if (retried.length > 0) await this.#dependencies.batches.removeOutcomes(batchId, retried);
      const live = new BatchRun(options);
      this.#live.set(batchId, live);
      return live;
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  /** Rejects with a `FaultError` if *Private* is on and the plan calls a server. */
  async #keepPrivate(plan: BatchPlan): Promise<void> {
    const name = outsideName(plan);
    if (name === null || !(await this.#dependencies.isPrivate?.())) return;
    const message = `Private is on, and ${name} runs on a server. Turn Private off to run this batch.`;
    throw new FaultError(fault('no-workers', message));
  }

  /** Prepares a batch. Rejects with a `FaultError` if the batch can't start. */
  async #optionsOf(
    batch: Batch,
    given: {
      readonly outcomes: readonly Outcome[];
      readonly retried: readonly Outcome[];
      readonly history: readonly GradedRun[];
      readonly isRetry: boolean;
      readonly release: () => void;
    },
  ): Promise<BatchRunOptions> {
    const { datasets, graders, player, report = () => undefined, runs } = this.#dependencies;
    const { outcomes, retried, history, isRetry, release } = given;
    const tally = new Tally(batch, outcomes, retried, this.#unitsOf(batch));
    await this.#bookOpenRuns(batch, tally);
    const kinds = await gradersOf(batch, datasets);
    const pending = this.#unitsOf(batch).filter((unit) => !tally.has(unit));
    const isPlayed = ({ method, dataset }: Unit) => {
      const by = batch.plan.methods[method];
      return by !== undefined && isPlayable(by, kinds[dataset] ?? []);
    };
    const played = pending.filter(isPlayed);
    const open = async (runId: string) => (await runs.open(runId))?.run ?? null;
    const weights = await weightsByMethod(batch.plan, outcomes, open, this.#dependencies.policyRevision);
    const blocked = (method: Method) =>
      weightsProblem(method, weights.get(method.id), this.#dependencies.policyRevision);
    for (const [index, method] of batch.plan.methods.entries()) {
      const reason = pending.some((unit) => unit.method === index) ? await blocked(method) : null;
      if (reason) throw new FaultError(reason);
    }
    return {
      ...this.#dependencies,
      batch,
      tally,
      played,
      live: pending.filter((unit) => !isPlayed(unit)),
      isRetry,
      blocked,
      works: new UnitWorks(batch, { ...this.#dependencies, history }),
      grader: new UnitGrader(graders, batch.plan.judge),
      // The player writes runs directly to the store, so cached runs must be reloaded afterwards.
      player: followedBy(player, () => runs.reloadRuns().catch(report)),
      history,
      report,
      ended: () => {
        this.#live.delete(batch.id);
        release();
      },
    };
  }

  /** Adds the cost of runs that have no outcome yet to the cost of the batch. */
  async #bookOpenRuns(batch: Batch, tally: Tally): Promise<void> {
    for await (const run of openRuns(batch, tally.runIds, this.#dependencies)) tally.book(run);
    const pending = this.#unitsOf(batch).filter((unit) => !tally.has(unit));
    const works = new UnitWorks(batch, { ...this.#dependencies, history: [] });
    for await (const run of judgedRuns(batch, pending, { ...this.#dependencies, works })) tally.book(run);
  }

  /** The units that this process runs, in order. */
  #unitsOf(batch: Batch): readonly Unit[] {
    return this.#own(batch, unitsOf(batch.plan));
  }

  #own<Each extends Unit>({ plan }: Batch, units: readonly Each[]): readonly Each[] {
    const { isOwn } = this.#dependencies;
    return isOwn ? units.filter((unit) => isOwn(unit, plan)) : units;
  }

  /** The stored outcomes. A retry gets the failed outcomes separately, as `retried`. */
  async #outcomes(batch: Batch, isRetry: boolean): Promise<Record<'outcomes' | 'retried', readonly Outcome[]>> {
    const { batches } = this.#dependencies;
    const outcomes = this.#own(batch, await batches.outcomes(batch.id));
    if (!isRetry) return { outcomes, retried: [] };
    const retried = outcomes.filter(({ status }) => status === 'failed');
    return { outcomes: outcomes.filter(({ status }) => status !== 'failed'), retried };
  }

  async #require(batchId: string): Promise<Batch> {
    const batch = await this.#dependencies.batches.get(batchId);
    if (batch) return batch;
    const message = 'This batch no longer exists. It may have been deleted in another tab.';
    throw new FaultError(fault('run-missing', message));
  }
}

const NOT_WAITING =
  'This task isn’t waiting for your grade. It may have been graded in another tab. Reload the page to see its state.';

/**
 * Wraps a player so that `next` is called when the player has ended. The batch waits for `next`, because the
 * process may close the store once the batch has ended.
 */
function followedBy(player: UnitPlayer, next: () => Promise<void>): UnitPlayer {
  return {
    async *play(...given) {
      try {
        yield* player.play(...given);
      } finally {
        await next();
      }
    },
  };
}

/** The graders of each dataset of a plan. Rejects with a `FaultError` (`run-missing`) if a dataset is missing. */
function gradersOf({ plan }: Batch, datasets: DatasetStore): Promise<readonly (readonly GraderKind[])[]> {
  return Promise.all(
    plan.datasets.map(async ({ id, name }) => {
      const dataset = await datasets.get(id);
      if (dataset) return dataset.graders;
      const message = `The dataset ${name} is missing. Import the same table again, with the same columns, to continue.`;
      throw new FaultError(fault('run-missing', message));
    }),
  );
}
