/**
 * @file Prepares the units of a batch: their tasks, their run requests and their run ids. A run id is a digest of everything
 * that determines the run. Therefore a batch finds its runs again after a crash, and reuses equal runs of other batches.
 */
import {
  canonicalJson,
  FaultError,
  sha256Hex,
  type Batch,
  type BatchStore,
  type Conductor,
  type ConductorInfo,
  type DatasetStore,
  type EvaluationTask,
  type GradedRun,
  type Method,
  type PoolWorker,
  type Unit,
} from '../../contract';
import { startOf, type NewRun } from '../../runs/new-run';
import { trustIn } from '../../runs/check-trust';
import { isWritten } from '../../runs/preferred-run';
import { poolOf } from './ablation';
import { measuredOf, observationsOf } from './measured-checks';
import { ControlBudgets, controlSettings } from './equal-cost';
import { sentQuestion } from './sent-question';
import { batchConductor } from './batch-conductor';
import { seedOf } from './units';

export interface UnitWork {
  readonly unit: Unit;
  readonly task: EvaluationTask;
  readonly runId: string;
  /** The request for the unit's run. Throws a `FaultError` if the Conductor is missing, or there is no equal-cost control. */
  readonly request: () => NewRun;
}

export interface UnitWorkOptions {
  readonly datasets: DatasetStore;
  readonly batches: Pick<BatchStore, 'outcomes'>;
  /** May throw a `FaultError`. */
  readonly conductorFor: (info: ConductorInfo) => Conductor;
  /** The graded runs that Conductors may use. */
  readonly history: readonly GradedRun[];
}

/** Part of every run id. Increase it when a code change alters the runs that the same settings produce. */
const GENERATION = 1;

export class UnitWorks {
  readonly #batch: Batch;
  readonly #options: UnitWorkOptions;
  /** Digests of the methods' settings, by method, pool and settings of a control. */
  readonly #digests = new Map<string, string>();
  /** Made when the first unit of a control is prepared. The other methods have outcomes then. */
  #budgets: Promise<ControlBudgets> | null = null;

  constructor(batch: Batch, options: UnitWorkOptions) {
    this.#batch = batch;
    this.#options = options;
  }

  /** The work of these units, in the same order. Leaves out units whose task was deleted. */
  async of(units: readonly Unit[]): Promise<UnitWork[]> {
    const { plan } = this.#batch;
    const tasks = new Map<string, EvaluationTask>();
    for (const [index, { id }] of plan.datasets.entries()) {
      const ids = new Set(units.flatMap(({ dataset, taskId }) => (dataset === index ? taskId : [])));
      if (ids.size === 0) continue;
      for (const task of await this.#options.datasets.tasks(id, [...ids])) tasks.set(`${index}:${task.id}`, task);
    }
    const hasControl = units.some(({ method }) => plan.methods[method]?.equalCost);
    const budgets = hasControl ? await (this.#budgets ??= this.#readBudgets()) : null;
    return units.flatMap((unit) => {
      const task = tasks.get(`${unit.dataset}:${unit.taskId}`);
      const method = plan.methods[unit.method];
      if (!task || !method) return [];
      if (!method.equalCost || !budgets) return this.#workOf(unit, task, method);
      const settings = controlSettings(plan, method, unit, { grader: task.grader, budgets });
      if (settings instanceof FaultError) return this.#refusedWork(unit, task, settings);
      return this.#workOf(unit, task, { ...method, settings });
    });
  }

  async #readBudgets(): Promise<ControlBudgets> {
    const { id, plan } = this.#batch;
    return new ControlBudgets(plan, await this.#options.batches.outcomes(id));
  }

  /** The work of a unit that can't have a run. */
  #refusedWork(unit: Unit, task: EvaluationTask, refusal: FaultError): UnitWork {
    const runId = sha256Hex(JSON.stringify([this.#batch.id, unit])).slice(0, 32);
    const request = () => {
      throw refusal;
    };
    return { unit, task, runId, request };
  }

  #workOf(unit: Unit, task: EvaluationTask, method: Method): UnitWork {
    const { id, plan } = this.#batch;
    const { revision = '' } = plan.datasets[unit.dataset] ?? {};
    const seed = seedOf(plan, unit);
    const pool = poolOf(method.settings.pool, method.ablation, { seed: plan.seed, revision, taskId: task.id });
    const runId = sha256Hex(
      JSON.stringify([
        GENERATION,
        this.#digestOf(unit.method, method, pool),
        sentQuestion(task, plan),
        seed,
        // With a history, this run depends on the runs that were graded before this batch, or on the other tasks of this
        // batch. The batch's id prevents other batches from reusing this run.
        plan.history === 'none' ? null : id,
      ]),
    ).slice(0, 32);
    return { unit, task, runId, request: () => this.#requestOf(unit, { task, method, pool, seed, runId }) };
  }

  #requestOf(
    unit: Unit,
    {
      task,
      method,
      pool,
      seed,
      runId,
    }: Pick<UnitWork, 'task' | 'runId'> & { method: Method; pool: readonly PoolWorker[]; seed: number },
  ): NewRun {
    const { conductorFor, history } = this.#options;
    const { id, plan } = this.#batch;
    const request: NewRun = {
      ...method.settings,
      pool,
      question: sentQuestion(task, plan),
      conductor: batchConductor(conductorFor(method.settings.conductor), method),
      seed,
      // A batch runs unattended, so it must never wait for approval, and no user can decide how to go on after a failure.
      choice: 'vote',
      approval: false,
      leaveOutFailed: true,
      planHistory: { history },
      id: runId,
      batch: {
        id,
        dataset: plan.datasets[unit.dataset]?.id ?? '',
        task: task.id,
        method: method.id,
        repeat: unit.repeat,
        ...(plan.datasets[unit.dataset]?.isConfidential ? { isConfidential: true } : {}),
      },
    };
    const measured = observationsOf(measuredOf(plan, pool));
    const trust = method.trustRules && trustIn(startOf(request), history, method.trustRules, measured);
    return trust ? { ...request, trust } : request;
  }

  #digestOf(
    index: number,
    { settings, ablation = {}, weights, trustRules }: Method,
    pool: readonly PoolWorker[],
  ): string {
    const measured = trustRules ? measuredOf(this.#batch.plan, pool) : [];
    const ids = pool.length === settings.pool.length ? '' : pool.map(({ id }) => id).join('\n');
    const key = `${index}:${settings.conductor.id}:${settings.maxSteps}:${settings.skipSettled}:${ids}`;
    let digest = this.#digests.get(key);
    if (digest === undefined) {
      const { subset: _, ...changes } = ablation;
      digest = sha256Hex(
        canonicalJson({
          ...settings,
          pool,
          ablation: changes,
          weights,
          ...(trustRules ? { trustRules } : {}),
          ...(measured.length > 0 ? { measured } : {}),
          ...withoutFallback(settings.conductor),
        }),
      );
      this.#digests.set(key, digest);
    }
    return digest;
  }
}

/**
 * A field of the digest for methods whose plan is written by a model. In older versions, a built-in Conductor
 * could replace such a plan. The field gives the runs new ids, so that runs of older versions are not reused.
 */
function withoutFallback(info: ConductorInfo): { readonly fallback?: 'none' } {
  return isWritten(info) ? { fallback: 'none' } : {};
}
