/** @file Starts a new batch from the plan of an imported batch. First checks whether this browser has what the plan needs. */
import { toFault, type Batch, type BatchEstimate, type BatchPlan, type Fault } from '../../core/contract';
import { changedWeights } from '../../core/evaluation/batches/weights';
import type { EvaluationDesk } from '../services';
import { planHere, type PlanParts } from './evaluate-plan-here';

type PlanDesk = Pick<EvaluationDesk, 'batches' | 'datasets'> & {
  readonly runner: Pick<EvaluationDesk['runner'], 'prepare' | 'estimate' | 'start'>;
};

export class PlanAgain {
  isOpen = $state(false);
  isStarting = $state(false);
  /** The checked plan, ready to start. `null`: the check has not finished, or found a problem. */
  plan: BatchPlan | null = $state.raw(null);
  /** Why the plan can't be used in this browser, as sentences. */
  problems: readonly string[] = $state.raw([]);
  estimate: BatchEstimate | null = $state.raw(null);
  fault: Fault | null = $state.raw(null);
  readonly #desk: PlanDesk;
  readonly #parts: () => Omit<PlanParts, 'datasets'>;
  readonly #leaving = new AbortController();

  constructor(desk: PlanDesk, parts: () => Omit<PlanParts, 'datasets'>) {
    this.#desk = desk;
    this.#parts = parts;
  }

  /** Checks the plan and estimates its calls and cost, without starting the batch. */
  async open({ plan }: Pick<Batch, 'plan'>): Promise<void> {
    const { datasets, runner } = this.#desk;
    this.isOpen = true;
    this.plan = null;
    this.estimate = null;
    this.problems = [];
    await this.#try(async () => {
      const here = planHere(plan, { ...this.#parts(), datasets: await datasets.list() });
      if (!here.ok) {
        this.problems = here.problems;
        return;
      }
      const prepared = await runner.prepare(here.plan);
      const changed = changedWeights(here.plan, prepared);
      if (changed.length > 0) {
        this.problems = changed.map(({ message }) => message);
        return;
      }
      this.estimate = await runner.estimate(prepared, null, this.#leaving.signal);
      this.plan = prepared;
    });
  }

  /** Stores the new batch and starts it. @returns its id. `null`: starting failed, no plan is ready, or a start is in progress */
  async start({ name }: Pick<Batch, 'name'>): Promise<string | null> {
    const { plan } = this;
    if (!plan || this.isStarting) return null;
    const id = crypto.randomUUID();
    this.isStarting = true;
    const isStarted = await this.#try(async () => {
      await this.#desk.batches.put({ id, name, createdAt: Date.now(), plan, isImported: false });
      await this.#desk.runner.start(id);
    });
    this.isStarting = false;
    return isStarted ? id : null;
  }

  close(): void {
    this.#leaving.abort();
  }

  /** @returns whether the work succeeded */
  async #try(work: () => Promise<void>): Promise<boolean> {
    this.fault = null;
    try {
      await work();
      return true;
    } catch (thrown) {
      if (!this.#leaving.signal.aborted) this.fault = toFault(thrown);
      return false;
    }
  }
}
