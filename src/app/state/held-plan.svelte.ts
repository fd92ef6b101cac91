/**
 * @file A plan that waits for a person's go, while they change it. Every change that may run becomes an event of the run once
 * the hand has rested; what may not run yet, or is not stored yet, the tab remembers. So a reload loses none.
 */
import {
  heldPlan,
  planRequestOf,
  settingsOfRound,
  type PoolWorker,
  type Run,
  type StepChoice,
  type Workflow,
} from '../../core/contract';
import { ceilingLeft, type Ceiling } from '../../core/runs';
import { forgetPlan, recallPlan, rememberPlan } from './held-plan-memory';
import type { LiveRunView } from './live-run.svelte';
import { draftOf, draftProblem, workflowOf, type PlanDraft } from './plan-draft';

/** ms that typing must rest before an edit is kept. */
const TYPING_PAUSE = 400;

export class HeldPlanDraft {
  readonly round: number;
  /** Whom a step may name. In the last round that may be, no step hands over to another. */
  readonly pool: readonly PoolWorker[];
  readonly maxSteps: number;
  readonly proposed: Workflow;
  /** Why the Conductor plans so; `''` where it does not say. */
  readonly thought: string;
  /** Why the steps of `proposed` go to their workers; `null` where nobody can say. */
  readonly choices: readonly StepChoice[] | null;
  draft: PlanDraft = $state.raw([]);
  /** It was let run, and the run has not yet said so. */
  isApproved = $state(false);

  readonly workflow: Workflow = $derived.by(() => workflowOf(this.draft, this.#run.pool));
  /** What keeps it from running: a sentence, or `null`. */
  readonly problem: string | null = $derived.by(() => {
    const { recursion, pool } = this.#run;
    const limits = { maxSteps: this.maxSteps, recursion, allowEmpty: this.round > 0 };
    return draftProblem(this.draft, pool, limits)?.message ?? null;
  });
  /** The most that may still come. */
  readonly ceiling: Ceiling = $derived.by(() => ceilingLeft(this.#run, this.round, this.workflow));

  readonly #view: LiveRunView;
  readonly #run: Run;
  /** Number of the run's event that edited the plan last, as far as the draft goes on from it. */
  #editSeq: number | null;
  #isRemembered = false;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** @param view of a run that waits for approval */
  constructor(view: LiveRunView) {
    this.#view = view;
    this.#run = view.run;
    const held = heldPlan(view.run);
    const { pool } = view.run;
    this.round = held?.round ?? 0;
    this.proposed = held?.plan.proposed ?? { steps: [] };
    this.thought = held?.plan.thought ?? '';
    this.choices = held?.plan.choices ?? null;
    this.maxSteps = settingsOfRound(view.run, this.round).maxSteps;
    this.pool = planRequestOf(view.run, { round: this.round }).pool;
    this.#editSeq = held?.plan.editSeq ?? null;
    const left = recallPlan(view.id, { round: this.round, editSeq: this.#editSeq });
    this.draft = left ?? draftOf(held?.plan.workflow ?? this.proposed, pool);
    this.#isRemembered = left !== null;
    if (left) this.keep();
    // What storage refused is in the tab's memory alone.
    void view.ended.then(() => {
      if (view.notice === null) forgetPlan(view.id);
    });
  }

  change(draft: PlanDraft): void {
    this.draft = draft;
    this.#isRemembered = true;
    this.#remember();
    this.#forget();
    this.#timer = setTimeout(() => this.keep(), TYPING_PAUSE);
  }

  /** Back to what the Conductor wrote. */
  restore(): void {
    this.change(draftOf(this.proposed, this.#run.pool));
  }

  /** The run is further: what the draft goes on from is its newest edit, which came from here. */
  follow(run: Run): void {
    const held = heldPlan(run);
    if (held?.round !== this.round || held.plan.editSeq === this.#editSeq) return;
    this.#editSeq = held.plan.editSeq;
    if (this.#isRemembered) this.#remember();
  }

  /** Hands the plan as it stands to the run, if it may run. */
  keep(): void {
    this.#forget();
    if (this.problem !== null) return;
    this.#view.decide({ type: 'edit', round: this.round, workflow: this.workflow });
  }

  approve(): void {
    if (this.problem !== null || this.isApproved) return;
    this.keep();
    this.isApproved = true;
    this.#view.decide({ type: 'approve', round: this.round });
  }

  #remember(): void {
    rememberPlan(this.#view.id, { round: this.round, editSeq: this.#editSeq }, this.draft);
  }

  #forget(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
