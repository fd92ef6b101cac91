/** @file A fork that the user is asked about: the step it starts from, as the user edits it, and what it would reuse, call and cost. */
import { sameWorkflow, toFault, type Fault, type PoolWorker, type Run, type Workflow } from '../../core/contract';
import type { ForkPoint, ForkProposal } from '../../core/runs';
import type { RunServices } from '../services';

/** Debounce of edits, ms. */
const TYPING_PAUSE = 150;

export class ForkPlan {
  readonly #runs: RunServices['runs'];
  readonly #run: Run;
  readonly #start: ForkPoint;
  readonly #original: Workflow;
  /** What was proposed, e.g. with another worker. */
  readonly #proposed: Workflow;
  /** Whether there was a proposal. Not reactive, because `follow` runs in the effect that a proposal would trigger again. */
  #hasProposal = false;
  /** Index of the worker of the forked step. */
  worker = $state(0);
  subtask = $state('');
  /** `null`: pending. */
  proposal: ForkProposal | null = $state.raw(null);
  /** Why it could not be described. */
  fault: Fault | null = $state.raw(null);

  /** The workflow with the edits. */
  readonly workflow: Workflow = $derived.by(() => {
    const { worker, subtask } = this;
    const steps = this.#proposed.steps.map((step, index) => {
      if (index !== this.#start.step) return step;
      const { role, ...rest } = step;
      // A new subtask removes the role, which described the old one.
      return { ...rest, worker, subtask, ...(role && subtask === step.subtask ? { role } : {}) };
    });
    return { steps };
  });
  readonly point: ForkPoint = $derived.by(() => {
    const { round, step, joining } = this.#start;
    return {
      round,
      step,
      ...(joining ? { joining } : {}),
      ...(sameWorkflow(this.workflow, this.#original) ? {} : { workflow: this.workflow }),
    };
  });
  /** Workers that may do the step. Only a step that already names the Conductor may keep it. */
  readonly candidates: readonly { readonly worker: PoolWorker; readonly index: number }[] = $derived.by(() => {
    const pool = this.proposal?.pool ?? this.#run.pool;
    const own = this.#original.steps[this.#start.step]?.worker;
    return pool.flatMap((worker, index) => (worker.kind === 'conductor' && index !== own ? [] : [{ worker, index }]));
  });

  constructor(runs: RunServices['runs'], run: Run, start: ForkPoint) {
    this.#runs = runs;
    this.#run = run;
    this.#start = start;
    this.#original = run.rounds[start.round]?.plan?.workflow ?? { steps: [] };
    this.#proposed = start.workflow ?? this.#original;
    const step = this.#proposed.steps[start.step];
    this.worker = step?.worker ?? 0;
    this.subtask = step?.subtask ?? '';
  }

  /** Describes the fork, debounced. Call in an effect. @returns a function that stops it */
  follow(point: ForkPoint): () => void {
    let isStopped = false;
    const pause = this.#hasProposal ? TYPING_PAUSE : 0;
    const timer = setTimeout(() => {
      this.#runs.outlineFork(this.#run.id, point).then(
        (proposal) => {
          if (isStopped) return;
          this.#hasProposal = true;
          this.proposal = proposal;
          this.fault = null;
        },
        (thrown: unknown) => {
          if (!isStopped) this.fault = toFault(thrown);
        },
      );
    }, pause);
    return () => {
      isStopped = true;
      clearTimeout(timer);
    };
  }
}
