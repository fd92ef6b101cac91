/**
 * @file The state of the Conduct page: the question, the plan that is shown before the user presses Run, and the run. It is kept
 * while the user visits other pages.
 */
import {
  heldPlan,
  isAbort,
  isOwnGrade,
  loadOnce,
  toFault,
  type Fault,
  type Run,
  type RunStatus,
} from '../../core/contract';
import type { Conversation } from '../../core/contract/run/conversation';
import type { Ceiling, NewRun } from '../../core/runs/new-run';
import type { ForkPoint } from '../../core/runs/fork';
import type { LiveRun } from '../../core/runs/live-run';
import type { ConductorServices, ImageServices, RunServices, StorageServices } from '../services';
import { Attachments } from './attachments.svelte';
import { FirstVisit } from './first-visit.svelte';
import { deleteOrphanedPlans } from './held-plan-memory';
import { InterruptedRun } from './interrupted-run.svelte';
import { LiveRunView } from './live-run.svelte';
import { newRunOf, newSeed } from './new-run';
import { isSameBasis, planBasis, type PlanBasis } from './plan-basis';
import { draftOf } from './plan-draft';
import {
  readContextDraft,
  readQuestionDraft,
  sentTurns,
  writeContextDraft,
  writeQuestionDraft,
} from './question-draft';
import { ShownPlan, type PlanParts } from './shown-plan.svelte';
import type { ResumeOptions } from './recovery-actions';

type Needed = Pick<RunServices, 'runs'> &
  ConductorServices &
  ImageServices &
  Pick<StorageServices, 'store' | 'notices' | 'storage'>;

/**
 * What Conduct shows. Before a run:
 * - `idle`: no plan is shown or pending. The question or the pool is empty, or the Conductor plans only after Run is pressed.
 * - `planning`: a plan is pending.
 * - `planned`: a plan is shown. *Run* runs this plan.
 * - `editing`: the user is editing a plan.
 *
 * With a run:
 * - `running`: the Conductor or steps are running.
 * - `held`: the run waits until the user approves or chooses a plan.
 * - `finished`, `failed`, `cancelled`, `interrupted`: how the run ended.
 */
export type ConductStatus = 'idle' | 'planning' | 'planned' | 'editing' | 'held' | RunStatus;

const loadConversation = loadOnce(() => import('../../core/contract/run/conversation'), 'follow-ups');

export class ConductState {
  readonly #services: Needed;
  readonly #parts: PlanParts;
  readonly plan: ShownPlan;
  readonly attachments: Attachments;
  readonly interrupted: InterruptedRun;
  readonly firstVisit = new FirstVisit();

  #question = $state('');
  #context: Conversation | null = $state.raw(readContextDraft());
  /** Whether the user started a follow-up and has not typed yet. If so, the question box gets the focus. */
  hasBegunFollowUp = $state(false);
  #seed = $state(newSeed());
  /** The newest run that was started, resumed or forked on this page. It may have ended. */
  #newest: LiveRunView | null = $state.raw(null);
  /** The basis (the inputs of the plan, see `PlanBasis`) when `#newest` started. */
  #begunUnder: PlanBasis | null = $state.raw(null);
  /**
   * The basis when `#newest` ended, or when the user returned to that run. With this basis, `#newest` stays shown, even
   * if the basis has changed since the run started.
   */
  #pinnedUnder: PlanBasis | null = $state.raw(null);
  /** Whether the user switched from `#newest` to the plan. */
  #isLeft = $state(false);
  #hasRequestedPersistence = false;
  /** Whether the first event of a new, resumed or forked run is pending. `status` does not change before that event. */
  isStarting = $state(false);
  /** Why starting, resuming, forking or grading a run failed. `null`: it did not fail, or the user cancelled it in a dialog. */
  refusal: Fault | null = $state.raw(null);

  /** Whether the basis has changed since the newest run started. */
  readonly #isOutdated: boolean = $derived.by(() => this.#newest !== null && !this.#isMadeFrom(this.#begunUnder));
  /** The run that is shown. `null`: the plan is shown. */
  readonly live: LiveRunView | null = $derived.by(() => {
    if (this.#newest?.isRunning) return this.#newest;
    const stays = !this.#isOutdated || this.#isMadeFrom(this.#pinnedUnder);
    return stays && !this.#isLeft ? this.#newest : null;
  });
  /** Whether the newest run has ended, and the plan is shown instead of it. */
  readonly hasRunBehind: boolean = $derived.by(() => this.#newest !== null && this.live === null);
  /** Whether the shown run has ended, and the basis has changed since it started. */
  readonly hasPlanBehind: boolean = $derived.by(() => this.live?.isRunning === false && this.#isOutdated);
  readonly run: Run | null = $derived.by(() => this.live?.run ?? null);
  readonly status: ConductStatus = $derived.by(() => {
    const { run, plan } = this;
    if (run) return heldPlan(run) ? 'held' : run.status;
    if (plan.draft) return 'editing';
    if (plan.isPending) return 'planning';
    return plan.workflow ? 'planned' : 'idle';
  });
  /** Whether a run is in progress, so that Stop replaces Run. */
  readonly isRunning: boolean = $derived.by(() => this.status === 'running' || this.status === 'held');
  /** The run that the button *Run* would start. `null` if there is no Conductor. */
  readonly request: NewRun | null = $derived.by(() => {
    const { question, context, plan, attachments } = this;
    const { draft, pool: planPool, maxSteps, choice } = plan;
    if (!choice) return null;
    const { pool } = this.#parts.workers;
    const { references: images, files } = attachments;
    const input = {
      question,
      context: context && sentTurns(context),
      images,
      files,
      pool,
      choice,
      draft,
      planPool,
      maxSteps,
      seed: this.#seed,
    };
    return newRunOf(input, this.#parts.preferences.current, this.#services);
  });
  /** The basis for the current inputs. */
  readonly #basis: PlanBasis = $derived.by(() =>
    planBasis(this.request, {
      // An automatically chosen Conductor is not part of the basis, because it can change without the user, for
      // example after a grade.
      conductor: this.plan.isAutomatic ? null : (this.request?.conductor.info.id ?? null),
      draft: this.plan.draft,
      seed: this.#parts.preferences.current.seed,
    }),
  );
  readonly ceiling: Ceiling | null = $derived.by(
    () => this.request && this.#services.runs.ceiling(this.request, this.plan.workflow ?? undefined),
  );

  /** The ceiling (maximum calls, tokens and cost) of the newest run when it started. `null`: the run was resumed or forked. */
  runCeiling: Ceiling | null = $state.raw(null);

  /** @param firstQuestion shown if no question was typed in this tab */
  constructor(services: Needed, parts: PlanParts, firstQuestion: string) {
    this.#services = services;
    this.#parts = parts;
    this.attachments = new Attachments(services);
    const hasImages = () => this.attachments.references.length > 0;
    this.plan = new ShownPlan(services, parts, () => this.#question, hasImages);
    this.interrupted = new InterruptedRun(services);
    this.#question = readQuestionDraft() ?? firstQuestion;
  }

  get question(): string {
    return this.#question;
  }
  set question(question: string) {
    this.#question = question;
    this.hasBegunFollowUp = false;
    writeQuestionDraft(question);
    if (this.refusal?.code === 'empty-question') this.refusal = null;
  }

  /** The earlier run that the question follows up on. `null`: the question is no follow-up. */
  get context(): Conversation | null {
    return this.#context;
  }
  set context(context: Conversation | null) {
    this.#context = context;
    if (!context) this.hasBegunFollowUp = false;
    writeContextDraft(context);
  }

  /** Starts a follow-up to a run, and hides the shown run if it has ended. A question that was typed but not run is kept. */
  async followUp(run: Run): Promise<void> {
    const context = await this.#conversationAfter(run).catch((thrown: unknown) => {
      this.refusal = toFault(thrown);
      return null;
    });
    if (!context) return;
    this.context = context;
    if (this.question === run.question.text || this.question === this.#newest?.run.question.text) this.question = '';
    this.hasBegunFollowUp = true;
    if (run.question.files) void this.attachments.adopt(run.question.files);
    if (this.isRunning) return;
    this.#newest?.close();
    this.#newest = null;
  }

  async #conversationAfter(run: Run): Promise<Conversation | null> {
    const { conversationAfter, roomOf } = await loadConversation();
    const read = async (runId: string) => (await this.#services.runs.open(runId))?.run ?? null;
    return conversationAfter(run, read, roomOf(this.#parts.workers.pool, this.#parts.preferences.current));
  }

  /** Restores the state from before a reload, and looks for a run to resume. Call it when the workers are known. */
  async load(): Promise<void> {
    this.plan.edited.restore();
    void this.attachments.load();
    void deleteOrphanedPlans(this.#services.store);
    await this.interrupted.load();
    await this.firstVisit.load(this.#services.store);
  }

  /** Starts a run, or sets `refusal`. */
  readonly start = async (): Promise<void> => {
    await this.attachments.settled;
    const { request } = this;
    if (!request || this.isRunning || this.isStarting) return;
    this.refusal = this.#services.runs.check(request) ?? this.plan.runBlocker;
    if (this.refusal) return;
    // If the page shows a plan, the new run uses that plan. Otherwise, a new plan is made with the newest grades.
    const shown = this.live ? request : this.plan.proposed.asShown(request);
    const hasBegun = await this.#begin(async () => {
      await this.attachments.keep();
      return this.#services.runs.start(shown);
    }, this.ceiling);
    if (hasBegun) this.#seed = newSeed();
  };

  /**
   * Resumes a run that ended without an answer. Its finished steps are kept.
   * @param before a function that is called first. If it fails, the run is not resumed
   * @param raised caps to raise for this run
   */
  async resume(runId: string, { before, raised }: ResumeOptions = {}): Promise<void> {
    const hasBegun = await this.#begin(async () => {
      await before?.();
      return this.#services.runs.resume(runId, raised);
    });
    if (hasBegun) this.interrupted.resumed(runId);
  }

  /** Starts a new run from a step of the shown run, and reuses the steps that the fork does not affect. */
  async fork(point: ForkPoint): Promise<void> {
    const { live } = this;
    if (live) await this.#begin(() => this.#services.runs.fork(live.id, point));
  }

  stop(): void {
    this.live?.stop();
  }

  /** Grades the shown run, or removes the grade if the user already gave the same one. */
  async grade(correct: boolean): Promise<void> {
    const grade = this.run?.grade;
    const next = isOwnGrade(grade) && grade?.correct === correct ? null : correct;
    await this.#change((live) => this.#services.runs.grade(live.id, next));
  }

  /** Grades the shown run: right if its answer solves the puzzle. Sets `refusal` if the question is no puzzle. */
  async check(): Promise<void> {
    await this.#change(async (live) => {
      const { createPuzzleGrader } = await import('../../core/graders/puzzle');
      return this.#services.runs.gradeBy(live.id, createPuzzleGrader(), new AbortController().signal);
    });
  }

  /** Opens a plan for editing: the plan of the shown run, or the shown plan if there is no run. The run must have ended. */
  edit(): void {
    const { run, plan } = this;
    const ran = run?.rounds[0]?.plan?.workflow;
    const draft = run && ran ? draftOf(ran, run.pool) : draftOf(plan.workflow ?? { steps: [] }, plan.workflowPool);
    plan.edit(draft);
    this.#isLeft = true;
  }

  /** Shows the newest run again, in place of the plan. */
  backToRun(): void {
    this.#isLeft = false;
    this.#pinnedUnder = this.#basis;
  }

  /** Shows the plan in place of the newest run. */
  showPlan(): void {
    this.#isLeft = true;
  }

  /** Whether `basis` and the current basis are the same, see `isSameBasis`. */
  #isMadeFrom(basis: PlanBasis | null): boolean {
    const isFinished = this.#newest?.run.status === 'finished';
    return basis !== null && isSameBasis(basis, this.#basis, isFinished);
  }

  /**
   * Starts a run, and shows it from its first event. Does nothing while another run is starting.
   * @returns whether the run has begun. If it failed to begin, `refusal` has the reason
   */
  async #begin(start: () => Promise<LiveRun>, ceiling: Ceiling | null = null): Promise<boolean> {
    if (this.isStarting) return false;
    this.isStarting = true;
    this.refusal = null;
    try {
      const view = new LiveRunView(await start());
      this.#newest?.close();
      this.#newest = view;
      this.runCeiling = ceiling;
      this.firstVisit.end();
      this.#begunUnder = this.#basis;
      this.#pinnedUnder = null;
      this.#isLeft = false;
      void view.ended.then(({ status }) => {
        if (status === 'finished') void this.#requestPersistence();
        if (this.#newest === view) this.#pinnedUnder = this.#basis;
      });
      return true;
    } catch (thrown) {
      if (!isAbort(thrown)) this.refusal = toFault(thrown);
      return false;
    } finally {
      this.isStarting = false;
    }
  }

  /** Changes the grade of the shown run, and shows the result. */
  async #change(change: (live: LiveRunView) => Promise<Run>): Promise<void> {
    const { live } = this;
    if (!live) return;
    try {
      live.show(await change(live));
      void this.plan.automatic.refresh();
    } catch (thrown) {
      this.refusal = toFault(thrown);
    }
  }

  /** Asks the browser to keep stored data. Asks at most once, and only if the user would see no prompt. */
  async #requestPersistence(): Promise<void> {
    const { persistsSilently, estimate, persist } = this.#services.storage;
    if (this.#hasRequestedPersistence || !persistsSilently()) return;
    this.#hasRequestedPersistence = true;
    if (!(await estimate())?.persisted) await persist();
  }
}
