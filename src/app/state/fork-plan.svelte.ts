/** @file A fork that the user edits: its plan, its reused steps and its cost. A fork is a new run from a step of another run. */
import {
  forkedSteps,
  sameWorkflow,
  stepsBefore,
  TEMPLATE_MAX_STEPS,
  toFault,
  type Fault,
  type ForkedStep,
  type PoolWorker,
  type Run,
  type Workflow,
} from '../../core/contract';
import type { ForkPoint } from '../../core/runs/fork';
import type { ForkProposal } from '../../core/runs/fork-outline';
import type { RunServices } from '../services';
import { draftIdOf, draftOf, draftProblem, workflowOf, type PlanDraft } from './plan-draft';

/** Debounce of edits, in ms. */
const TYPING_PAUSE = 150;

/** `steps`: runs the edited plan, and reuses the outputs of unchanged steps. `anew`: the Conductor plans again. */
export type ForkMode = 'steps' | 'anew';

export class ForkPlan {
  readonly #runs: RunServices['runs'];
  readonly #run: Run;
  readonly #start: ForkPoint;
  readonly #original: Workflow;
  /** Whether `proposal` was ever set. Not reactive, so that a new proposal doesn't rerun the effect that calls `follow`. */
  #hasProposal = false;
  mode: ForkMode = $state('steps');
  /** The key of a step is its index in the original plan. Added steps have other keys. */
  draft: PlanDraft = $state.raw([]);
  /** Keys of the steps that the user wants to run again, even if they are unchanged. */
  #again: readonly number[] = $state.raw([]);
  /** The newest description of the fork. `null`: there is none yet. */
  proposal: ForkProposal | null = $state.raw(null);
  #fault: Fault | null = $state.raw(null);

  /** Workers that a step may use. If a step uses a worker outside the run's pool, this worker joins the fork's pool. */
  readonly workers: readonly PoolWorker[];
  readonly maxSteps = TEMPLATE_MAX_STEPS;
  /** Number of steps in the rounds before the forked round. */
  readonly stepsBefore: number;
  /** Whether a Conductor can plan again. A run whose plan was written by hand has no such Conductor. */
  readonly canReplan: boolean;

  /** Workers of the plan that are not in the run's pool. */
  readonly #joining: readonly PoolWorker[] = $derived.by(() => {
    const isUsed = (id: string) => this.draft.some(({ workerId }) => workerId === id);
    return this.workers.filter(({ id }) => isUsed(id) && this.#run.pool.every((own) => own.id !== id));
  });
  readonly #pool: readonly PoolWorker[] = $derived.by(() => [...this.#run.pool, ...this.#joining]);
  readonly workflow: Workflow = $derived.by(() => {
    const { steps } = workflowOf(this.draft, this.#pool);
    return {
      steps: steps.map((step, index) => {
        // An unchanged worker keeps its index, because its id may be ambiguous: a pool may have two workers with
        // the same id.
        const worker = this.#original.steps[this.draft[index]?.key ?? -1]?.worker;
        const before = worker === undefined ? undefined : this.#pool[worker];
        const isSame = worker !== undefined && before && draftIdOf(before) === this.draft[index]?.workerId;
        return isSame ? { ...step, worker } : step;
      }),
    };
  });
  /** What the fork does with each step. */
  readonly steps: readonly ForkedStep[] = $derived.by(() =>
    forkedSteps(this.#run, { ...this.#place, step: 0 }, this.workflow, this.#pool),
  );
  readonly point: ForkPoint = $derived.by(() => {
    const { round } = this.#start;
    if (this.mode === 'anew') return { round, step: 0, replan: true };
    const last = Math.min(this.workflow.steps.length, this.#original.steps.length) - 1;
    const called = this.steps.findIndex(({ kind }) => kind === 'called');
    const isEdited = !sameWorkflow(this.workflow, this.#original);
    return {
      ...this.#place,
      step: Math.max(0, Math.min(called === -1 ? this.#start.step : called, last)),
      ...(this.#joining.length > 0 ? { joining: this.#joining.map(({ id }) => id) } : {}),
      ...(isEdited ? { workflow: this.workflow } : {}),
    };
  });
  /** Why the fork can't start, as a sentence. `null`: no reason is known. */
  readonly refusal: string | null = $derived.by(() => {
    if (this.mode === 'steps') {
      const { recursion } = this.#run;
      const { maxSteps } = this;
      const limits = { maxSteps, recursion, allowEmpty: this.#start.round > 0, stepsBefore: this.stepsBefore };
      const problem = draftProblem(this.draft, this.#pool, limits);
      if (problem) return problem.message;
    }
    return (this.#fault ?? this.proposal?.refusal)?.message ?? null;
  });
  readonly #place: Pick<ForkPoint, 'round' | 'again' | 'origins'> = $derived.by(() => ({
    round: this.#start.round,
    again: this.draft.flatMap(({ key }, index) => (this.#again.includes(key) ? [index] : [])),
    origins: this.draft.map(({ key }) => (key < this.#original.steps.length ? key : null)),
  }));

  /** @param own the user's workers that may join the fork's pool */
  constructor(runs: RunServices['runs'], run: Run, start: ForkPoint, own: readonly PoolWorker[] = []) {
    this.#runs = runs;
    this.#run = run;
    this.#start = start;
    this.#original = run.rounds[start.round]?.plan?.workflow ?? { steps: [] };
    this.stepsBefore = stepsBefore(run, start.round);
    this.canReplan = run.conductor.kind !== 'by-hand';
    const handsOver = this.#original.steps.some(({ worker }) => run.pool[worker]?.kind === 'conductor');
    const isFirst = (id: string, index: number) => run.pool.findIndex((each) => each.id === id) === index;
    const ofRun = run.pool.filter(({ id, kind }, index) => isFirst(id, index) && (kind !== 'conductor' || handsOver));
    // With recursion, the Conductor must stay the last entry of the pool, so no worker can be appended.
    const joinable = run.recursion ? [] : own.filter(({ id }) => run.pool.every((each) => each.id !== id));
    this.workers = [...ofRun, ...joinable];
    const joining = (start.joining ?? []).flatMap((id) => own.find((worker) => worker.id === id) ?? []);
    this.draft = draftOf(start.workflow ?? this.#original, [...run.pool, ...joining]);
    this.#again = start.again ?? [start.step];
  }

  change(draft: PlanDraft): void {
    this.draft = draft;
  }

  /** Restores the plan of the forked run. Only the step at which the fork starts is marked to run again. */
  restore(): void {
    this.draft = draftOf(this.#original, this.#run.pool);
    this.#again = [this.#start.step];
  }

  isAgain(key: number): boolean {
    return this.#again.includes(key);
  }

  setAgain(key: number, on: boolean): void {
    const others = this.#again.filter((each) => each !== key);
    this.#again = on ? [...others, key] : others;
  }

  /** Updates `proposal`, debounced. Call in an effect. @returns a function that cancels the update */
  follow(point: ForkPoint): () => void {
    let isStopped = false;
    const pause = this.#hasProposal ? TYPING_PAUSE : 0;
    const timer = setTimeout(() => {
      this.#runs.outlineFork(this.#run.id, point).then(
        (proposal) => {
          if (isStopped) return;
          this.#hasProposal = true;
          this.proposal = proposal;
          this.#fault = null;
        },
        (thrown: unknown) => {
          if (!isStopped) this.#fault = toFault(thrown);
        },
      );
    }, pause);
    return () => {
      isStopped = true;
      clearTimeout(timer);
    };
  }
}
