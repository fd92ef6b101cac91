/**
 * @file Edits a plan that waits for the user's approval. Valid edits are debounced and stored in the run. The
 * newest edit is also kept in `sessionStorage`, because the run never stores an invalid edit, and the page
 * may be reloaded before a valid edit is stored.
 */
import {
  heldPlan,
  planRequestOf,
  limitsOfPlan,
  stepsBefore,
  type PoolWorker,
  type Run,
  type StepChoice,
  type Workflow,
} from '../../core/contract';
import { ceilingLeft, type Ceiling } from '../../core/runs/new-run';
import { forgetPlan, recallPlan, rememberPlan } from './held-plan-memory';
import type { LiveRunView } from './live-run.svelte';
import { draftOf, draftProblem, workflowOf, type PlanDraft } from './plan-draft';

/** Debounce of edits, ms. */
const TYPING_PAUSE = 400;

export class HeldPlanDraft {
  readonly round: number;
  /** Workers that a step may use. With recursion, the Conductor is one of them, except in the last possible round. */
  readonly pool: readonly PoolWorker[];
  readonly maxSteps: number;
  readonly proposed: Workflow;
  /** The reasoning that the Conductor wrote. `''`: none. */
  readonly thought: string;
  /** For each step of `proposed`, why the worker was chosen. `null` if the Conductor gave no reasons. */
  readonly choices: readonly StepChoice[] | null;
  draft: PlanDraft = $state.raw([]);
  /** Whether the user has approved the plan. */
  isApproved = $state(false);

  readonly workflow: Workflow = $derived.by(() => workflowOf(this.draft, this.#run.pool));
  /** Number of steps in earlier rounds. */
  readonly stepsBefore: number = $derived.by(() => stepsBefore(this.#run, this.round));
  /** Why the plan cannot run, as a sentence. `null` if it can run. */
  readonly problem: string | null = $derived.by(() => {
    const { recursion, pool } = this.#run;
    const limits = { maxSteps: this.maxSteps, recursion, allowEmpty: this.round > 0, stepsBefore: this.stepsBefore };
    return draftProblem(this.draft, pool, limits)?.message ?? null;
  });
  /** Upper limits for the remaining calls, tokens and cost of the run. */
  readonly ceiling: Ceiling = $derived.by(() => ceilingLeft(this.#run, this.round, this.workflow));

  readonly #view: LiveRunView;
  readonly #run: Run;
  /** Sequence number of the newest stored edit that the draft includes. `null`: none. */
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
    this.maxSteps = held ? limitsOfPlan(view.run, this.round, held.plan).maxSteps : view.run.maxSteps;
    this.pool = planRequestOf(view.run, { round: this.round }).pool;
    this.#editSeq = held?.plan.editSeq ?? null;
    const left = recallPlan(view.id, { round: this.round, editSeq: this.#editSeq });
    this.draft = left ?? draftOf(held?.plan.workflow ?? this.proposed, pool);
    this.#isRemembered = left !== null;
    if (left) this.keep();
    // After a storage fault, the stored run may lack the edit, so the copy in `sessionStorage` is kept.
    void view.ended.then(() => {
      if (view.notice === null) forgetPlan(view.id);
    });
  }

  change(draft: PlanDraft): void {
    this.draft = draft;
    this.#isRemembered = true;
    this.#remember();
    this.#clearTimer();
    this.#timer = setTimeout(() => this.keep(), TYPING_PAUSE);
  }

  /** Restores the Conductor's own plan. */
  restore(): void {
    this.change(draftOf(this.proposed, this.#run.pool));
  }

  /**
   * Call this when the run has new events. While the run is live in this tab, no other tab can edit the plan.
   * So the draft already includes each new edit.
   */
  follow(run: Run): void {
    const held = heldPlan(run);
    if (held?.round !== this.round || held.plan.editSeq === this.#editSeq) return;
    this.#editSeq = held.plan.editSeq;
    if (this.#isRemembered) this.#remember();
  }

  /** Sends the edited plan to the run if the plan is valid. */
  keep(): void {
    this.#clearTimer();
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

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
