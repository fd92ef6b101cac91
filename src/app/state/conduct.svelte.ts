/**
 * @file Conduct: the question, the plan that stands there before Run, and the run. It outlives the page that shows it, so a
 * run goes on while another page is looked at.
 */
import {
  CONDUCTOR_MAX_STEPS,
  mayRecurse,
  TEMPLATE_MAX_STEPS,
  toFault,
  type Fault,
  type PoolWorker,
  type RunSummary,
  type StepChoice,
  type Workflow,
} from '../../core/contract';
import { BY_HAND_INFO } from '../../core/conductor/by-hand';
import { partsOf, withWorker } from '../../core/conductor/solo';
import { partOfPolicy } from '../../core/conductor/with-policy-info';
import { conductorEntry, type Ceiling, type NewRun } from '../../core/runs';
import type { ConductorChoice, Services } from '../services';
import { Attachments, imageNote } from './attachments.svelte';
import { recallDraft, rememberDraft } from './draft-memory';
import { forgetGonePlans } from './held-plan-memory';
import { InterruptedRun } from './interrupted-run.svelte';
import type { LiveRunView } from './live-run.svelte';
import type { ModelsState } from './models.svelte';
import { isDrawn, newRunOf, newSeed } from './new-run';
import { draftOf, draftProblem, workflowOf, type PlanDraft } from './plan-draft';
import type { PreferencesState } from './preferences.svelte';
import { ProposedPlan } from './proposed-plan.svelte';
import { readQuestionDraft, writeQuestionDraft } from './question-draft';
import { RunStart } from './run-start.svelte';
import type { WorkersState } from './workers.svelte';

/** The states that a question depends on. */
interface Parts {
  readonly preferences: PreferencesState;
  readonly workers: WorkersState;
  readonly models: ModelsState;
}

export class ConductState {
  readonly #services: Services;
  readonly #preferences: PreferencesState;
  readonly #workers: WorkersState;
  readonly #models: ModelsState;

  #question = $state('');
  readonly #start: RunStart;
  readonly #interrupted: InterruptedRun;
  readonly #ahead: ProposedPlan;
  #seed = $state(newSeed());

  #draft: PlanDraft | null = $state.raw(null);
  /** The images that go with the question. */
  readonly attachments: Attachments;

  /** With *Private* on only those that ask nobody beyond this machine. */
  readonly choices: readonly ConductorChoice[] = $derived.by(() => {
    const choices = this.#services.conductors(this.#workers.all, this.#models.offered);
    const { isPrivate } = this.#preferences.current;
    return isPrivate ? choices.filter(({ info }) => (info.origin ?? null) === null) : choices;
  });
  readonly choice: ConductorChoice | null = $derived.by(() => {
    const { conductor } = this.#preferences.current;
    // Where the model is not loaded that works with the policy, the list only has the model's own.
    const model = partOfPolicy(conductor)?.model;
    const find = (id: string) => this.choices.find(({ info }) => info.id === id);
    return find(conductor) ?? this.#soloChoice(conductor) ?? find(model ?? '') ?? this.choices[0] ?? null;
  });
  /** Whether the plan that Run would run can be shown before. Several plans are drawn with Run. */
  readonly plansAtOnce: boolean = $derived.by(() => {
    const { choice } = this;
    return choice?.instant === true && !(isDrawn(choice) && this.#preferences.current.candidates > 1);
  });
  /** Whether a plan may name the Conductor, and so ask for another round. */
  readonly #mayRecurse: boolean = $derived.by(() => mayRecurse(this.#preferences.current, 0));
  /** Workers that a plan may name; the Conductor itself is the last entry if it may be named. */
  readonly planPool: readonly PoolWorker[] = $derived.by(() => {
    const { pool } = this.#workers;
    const info = this.draft ? BY_HAND_INFO : this.choice?.info;
    return this.#mayRecurse && info ? [...pool, conductorEntry(info)] : pool;
  });
  readonly maxSteps: number = $derived.by(() =>
    this.draft || this.choice?.info.kind === 'template' ? TEMPLATE_MAX_STEPS : CONDUCTOR_MAX_STEPS,
  );
  /** The workflow that Run will run, where it is known. */
  readonly planned: Workflow | null = $derived.by(() => {
    if (this.draft) return workflowOf(this.draft, this.planPool);
    return this.plansAtOnce ? (this.#ahead.proposal?.workflow ?? null) : null;
  });
  /** Why the planned steps went to their workers; `null` where nobody can say. */
  readonly reasons: readonly StepChoice[] | null = $derived.by(() =>
    !this.draft && this.plansAtOnce ? (this.#ahead.proposal?.reasons ?? null) : null,
  );
  /** Why the plan that stands there is by another Conductor than the chosen one; `null` where it is not. */
  readonly stoodInFor: Fault | null = $derived.by(() =>
    this.planned ? (this.#ahead.proposal?.stoodInFor ?? null) : null,
  );
  /** How often other tabs said that runs have changed. */
  #heard = $state(0);
  readonly #canPropose: boolean = $derived.by(() => {
    const isReady = this.plansAtOnce && this.draft === null;
    return isReady && this.#workers.pool.length > 0 && this.#question.trim() !== '';
  });
  /** Whether the plan is on its way and comes by itself. */
  readonly isPlanning: boolean = $derived.by(() => this.#canPropose && this.#ahead.proposal === null);
  /** Whether the room of the plan that was awaited is kept, so that nothing moves when the first one comes. */
  readonly keepsRoom: boolean = $derived.by(
    () => this.isPlanning || (this.#ahead.isFirst && this.#ahead.proposal !== null),
  );
  readonly request: NewRun | null = $derived.by(() => this.#requestNow());
  readonly ceiling: Ceiling | null = $derived.by(() => {
    return this.request && this.#services.runs.ceiling(this.request, this.planned ?? undefined);
  });

  /** @param firstQuestion stands there when nothing was ever typed */
  constructor(services: Services, { preferences, workers, models }: Parts, firstQuestion: string) {
    this.#services = services;
    // Another tab graded or deleted runs: the plan that stands here goes by them.
    services.notices.listen(() => this.#heard++);
    services.notices.listenAll(() => this.#heard++);
    this.#start = new RunStart(services, () => this.#question);
    this.#interrupted = new InterruptedRun(services);
    this.#ahead = new ProposedPlan(services);
    this.attachments = new Attachments(services);
    this.#preferences = preferences;
    this.#workers = workers;
    this.#models = models;
    this.#question = readQuestionDraft() ?? firstQuestion;
  }

  get question(): string {
    return this.#question;
  }
  set question(question: string) {
    this.#question = question;
    writeQuestionDraft(question);
    if (this.#draft) rememberDraft(this.#draft, question);
    if (this.#start.refusal?.code === 'empty-question') this.#start.refusal = null;
  }

  /** The plan as a person edits it; `null`: the Conductor's own. */
  get draft(): PlanDraft | null {
    return this.#draft;
  }
  set draft(draft: PlanDraft | null) {
    this.#draft = draft;
    rememberDraft(draft, this.#question);
  }

  /** The run on the page: at work, or ended. */
  get live(): LiveRunView | null {
    return this.#start.live;
  }
  get isRunning(): boolean {
    return this.#start.isRunning;
  }
  /** Whether the page shows the run; else it shows the plan. */
  get showsRun(): boolean {
    return this.#start.isShown;
  }
  /** Between Run and the first event. */
  get isStarting(): boolean {
    return this.#start.isStarting;
  }
  /** Why Run, Resume or a grade was refused. */
  get refusal(): Fault | null {
    return this.#start.refusal;
  }

  /** A recent run whose page went away in the middle of it; `null`: none, or put off. */
  get interrupted(): RunSummary | null {
    return this.#interrupted.summary;
  }
  set interrupted(interrupted: RunSummary | null) {
    this.#interrupted.summary = interrupted;
  }

  /** The pool that the plan on the page was made for. */
  get proposedPool(): readonly PoolWorker[] {
    return this.draft ? this.planPool : (this.#ahead.proposal?.pool ?? this.planPool);
  }

  /** What is to be said of the attached images: why one was not taken, or that nobody in the pool sees them. */
  get imageNote(): string {
    return imageNote(this.attachments, this.#workers.pool);
  }

  /** Why there is no plan to show: the Conductor's own words, or what is wrong with the edited plan. */
  get planFault(): Pick<Fault, 'message'> | null {
    if (!this.draft) return this.plansAtOnce ? (this.#ahead.proposal?.fault ?? null) : null;
    return draftProblem(this.draft, this.planPool, { maxSteps: this.maxSteps, recursion: this.#mayRecurse });
  }

  /**
   * Takes up what was left before a reload, finds a run to go on with, and hears of those that are interrupted from then on.
   * Call once, when the workers are known.
   */
  async load(): Promise<void> {
    this.#draft ??= recallDraft(this.#question);
    void this.attachments.load();
    void forgetGonePlans(this.#services.store);
    await this.#interrupted.load();
  }

  /** Looks for runs whose page has died while nobody told: call when the page is looked at again. */
  look(): Promise<void> {
    return this.#interrupted.look();
  }

  /** Writes the plan anew whenever what it depends on has rested. Call in an effect. @returns how to stop */
  followRequest(): () => void {
    const { request } = this;
    void this.#heard;
    if (request && this.#canPropose) return this.#ahead.follow(request);
    this.#ahead.forget();
    return () => undefined;
  }

  /** Starts a run, or says in `refusal` why not. */
  async run(): Promise<void> {
    await this.attachments.settled;
    const { request } = this;
    if (!request || this.isRunning || this.isStarting) return;
    this.#start.refusal = this.#services.runs.check(request) ?? this.#draftRefusal() ?? this.#missingConductor();
    if (this.#start.refusal) return;
    // Where a run stands on the page no plan does, and the new run goes by the grades as they are now.
    const asked = this.showsRun ? request : this.#ahead.asShown(request);
    const start = async () => {
      await this.attachments.keep();
      return this.#services.runs.start(asked);
    };
    if (await this.#start.begin(start)) this.#seed = newSeed();
  }

  stop(): void {
    this.live?.stop();
  }

  /**
   * Goes on with a run that ended without an answer; what has finished is kept.
   * @param before what is to be done first; where it fails the run does not go on
   */
  async resume(runId: string, before: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const start = async () => {
      await before();
      return this.#services.runs.resume(runId);
    };
    if (await this.#start.begin(start)) this.#interrupted.taken(runId);
  }

  /** A new run in which another worker plays one step; what came before it is taken over. */
  giveStepTo(place: { round: number; step: number }, worker: number): Promise<void> {
    return this.#start.giveStepTo(place, worker);
  }

  /** Grades the run on the page; the same grade again takes it back. */
  async grade(correct: boolean): Promise<void> {
    const { live } = this;
    if (!live) return;
    const { grade } = live.run;
    const next = grade?.correct === correct && !grade.imported ? null : correct;
    try {
      live.take(await this.#services.runs.grade(live.id, next));
    } catch (thrown) {
      this.#start.refusal = toFault(thrown);
    }
  }

  /** Has the answer on the page checked, exactly, from the question's own text. */
  async check(): Promise<void> {
    const { live } = this;
    if (!live) return;
    try {
      const { createPuzzleGrader } = await import('../../core/graders');
      live.take(await this.#services.runs.gradeBy(live.id, createPuzzleGrader(), new AbortController().signal));
    } catch (thrown) {
      this.#start.refusal = toFault(thrown);
    }
  }

  /** Opens the plan for editing, the one that ran, else the one that stands there. The ended run leaves the page. */
  edit(): void {
    const ran = this.showsRun ? this.live?.run : undefined;
    const workflow = ran?.rounds[0]?.plan?.workflow ?? this.planned ?? { steps: [] };
    this.draft = draftOf(workflow, ran?.pool ?? this.proposedPool);
    this.#start.putAside();
  }

  #requestNow(): NewRun | null {
    const { question, choice, draft, planPool, maxSteps } = this;
    if (!choice) return null;
    const { pool } = this.#workers;
    const asked = { question, pool, choice, draft, planPool, maxSteps, seed: this.#seed };
    const { current } = this.#preferences;
    return newRunOf({ ...asked, images: this.attachments.references }, current, this.#services);
  }

  /** A template of one worker that the user chose. If that worker has left the pool, the template takes the best one. */
  #soloChoice(id: string): ConductorChoice | null {
    const { template, worker } = partsOf(id);
    const choice = this.choices.find(({ info, takesWorker }) => takesWorker && info.id === template);
    const chosen = this.#workers.pool.find((each) => each.id === worker);
    return choice && chosen ? { ...choice, info: withWorker(choice.info, chosen) } : (choice ?? null);
  }

  #draftRefusal(): Fault | null {
    const problem = this.draft && this.planFault;
    return problem ? { code: 'plan-invalid', message: problem.message, retryable: false } : null;
  }

  #missingConductor(): Fault | null {
    const missing = this.draft ? undefined : this.choice?.missing;
    return missing === undefined ? null : { code: 'worker-missing', message: missing, retryable: false };
  }
}
