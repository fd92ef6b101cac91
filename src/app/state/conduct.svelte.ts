/**
 * @file Conduct: the question, the plan that stands there before Run, and the run. It outlives the page that shows it, so a
 * run goes on while another page is looked at.
 */
import {
  canSee,
  CONDUCTOR_MAX_STEPS,
  isAbort,
  TEMPLATE_MAX_STEPS,
  toFault,
  type Fault,
  type PoolWorker,
  type RunSummary,
  type StepChoice,
  type Workflow,
} from '../../core/contract';
import { BY_HAND_INFO, createByHandConductor } from '../../core/conductor/by-hand';
import { partOfPolicy } from '../../core/conductor/with-policy-info';
import { conductorEntry, type Ceiling, type LiveRun, type NewRun } from '../../core/runs';
import type { ConductorChoice, Services } from '../services';
import { Attachments } from './attachments.svelte';
import { forgetGonePlans } from './held-plan-memory';
import { LiveRunView } from './live-run.svelte';
import type { ModelsState } from './models.svelte';
import { draftOf, draftProblem, workflowOf, type PlanDraft } from './plan-draft';
import type { PreferencesState } from './preferences.svelte';
import { propose, type Proposal } from './proposal';
import { readQuestionDraft, writeQuestionDraft } from './question-draft';
import type { WorkersState } from './workers.svelte';

/** ms that typing must rest before the plan is written anew. */
const TYPING_PAUSE = 120;
/** How many of the newest runs are looked through for one that was interrupted. */
const RECENT = 10;

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
  #seed = $state(newSeed());
  #proposal: Proposal | null = $state.raw(null);
  /** The question that the run on the page stands under; another one puts it aside. */
  #shownFor = $state('');
  #hasPlanned = false;
  #isFirstProposal = $state(false);
  #hasAskedToKeep = false;

  /** The plan as a person edits it; `null`: the Conductor's own. */
  draft: PlanDraft | null = $state.raw(null);
  /** The run on the page: at work, or ended. */
  live: LiveRunView | null = $state.raw(null);
  /** The images that go with the question. */
  readonly attachments: Attachments;
  /** Why Run, Resume or a grade was refused. */
  refusal: Fault | null = $state.raw(null);
  /** Between Run and the first event. */
  isStarting = $state(false);
  /** A recent run whose page went away in the middle of it. */
  interrupted: RunSummary | null = $state.raw(null);

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
    return find(conductor) ?? find(model ?? '') ?? this.choices[0] ?? null;
  });
  /** Whether the plan that Run would run can be shown before. Several plans are drawn with Run. */
  readonly plansAtOnce: boolean = $derived.by(() => {
    const { choice } = this;
    return choice?.instant === true && !(isDrawn(choice) && this.#preferences.current.candidates > 1);
  });
  /** What a plan may name: the pool, and with recursion the Conductor itself as its last entry. */
  readonly planPool: readonly PoolWorker[] = $derived.by(() => {
    const { pool } = this.#workers;
    const info = this.draft ? BY_HAND_INFO : this.choice?.info;
    return this.#preferences.current.recursion && info ? [...pool, conductorEntry(info)] : pool;
  });
  readonly maxSteps: number = $derived.by(() =>
    this.draft || this.choice?.info.kind === 'template' ? TEMPLATE_MAX_STEPS : CONDUCTOR_MAX_STEPS,
  );
  /** The workflow that Run will run, where it is known. */
  readonly planned: Workflow | null = $derived.by(() => {
    if (this.draft) return workflowOf(this.draft, this.planPool);
    return this.plansAtOnce ? (this.#proposal?.workflow ?? null) : null;
  });
  /** Why the planned steps went to their workers; `null` where nobody can say. */
  readonly reasons: readonly StepChoice[] | null = $derived.by(() =>
    !this.draft && this.plansAtOnce ? (this.#proposal?.reasons ?? null) : null,
  );
  /** Why the plan that stands there is by another Conductor than the chosen one; `null` where it is not. */
  readonly stoodInFor: Fault | null = $derived.by(() => (this.planned ? (this.#proposal?.stoodInFor ?? null) : null));
  readonly #canPropose: boolean = $derived.by(() => {
    const isReady = this.plansAtOnce && this.draft === null;
    return isReady && this.#workers.pool.length > 0 && this.#question.trim() !== '';
  });
  /** Whether the plan is on its way and comes by itself. */
  readonly isPlanning: boolean = $derived.by(() => this.#canPropose && this.#proposal === null);
  /** Whether the room of the plan that was awaited is kept, so that nothing moves when the first one comes. */
  readonly keepsRoom: boolean = $derived.by(
    () => this.isPlanning || (this.#isFirstProposal && this.#proposal !== null),
  );
  readonly request: NewRun | null = $derived.by(() => this.#requestNow());
  readonly ceiling: Ceiling | null = $derived.by(() => {
    return this.request && this.#services.runs.ceiling(this.request, this.planned ?? undefined);
  });
  readonly isRunning: boolean = $derived.by(() => this.live?.isRunning ?? false);
  /** Whether the page shows the run; else it shows the plan. */
  readonly showsRun: boolean = $derived.by(() => {
    return this.live !== null && (this.isRunning || this.question === this.#shownFor);
  });

  /** @param firstQuestion stands there when nothing was ever typed */
  constructor(services: Services, { preferences, workers, models }: Parts, firstQuestion: string) {
    this.#services = services;
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
    if (this.refusal?.code === 'empty-question') this.refusal = null;
  }

  /** The pool that the plan on the page was made for. */
  get proposedPool(): readonly PoolWorker[] {
    return this.draft ? this.planPool : (this.#proposal?.pool ?? this.planPool);
  }

  /** What is to be said of the attached images: why one was not taken, or that nobody in the pool sees them. */
  get imageNote(): string {
    const { fault, all } = this.attachments;
    if (fault) return fault.message;
    const { pool } = this.#workers;
    if (all.length === 0 || pool.some(canSee)) return '';
    const candidate = pool.find(({ kind }) => kind === 'endpoint');
    return candidate
      ? `None of the chosen workers can see images. If ${candidate.name} can, edit it under Workers and tick “Can see images”.`
      : 'None of the chosen workers can see images. Add a model that can under Workers, and tick “Can see images”.';
  }

  /** Why there is no plan to show: the Conductor's own words, or what is wrong with the edited plan. */
  get planFault(): Pick<Fault, 'message'> | null {
    if (!this.draft) return this.plansAtOnce ? (this.#proposal?.fault ?? null) : null;
    const { recursion } = this.#preferences.current;
    return draftProblem(this.draft, this.planPool, { maxSteps: this.maxSteps, recursion });
  }

  /** Finds a run to go on with, and hears of those that are interrupted from then on. Call once. */
  async load(): Promise<void> {
    const { runs, store, notices } = this.#services;
    void this.attachments.load();
    void forgetGonePlans(store);
    await runs.recover();
    const { summaries } = await store.summaries({ limit: RECENT });
    this.interrupted = summaries.find((summary) => summary.status === 'interrupted') ?? null;
    runs.listen((runId) => void this.#offer(runId));
    notices.listen((runId) => {
      if (runId === this.interrupted?.id) void this.#offer(runId);
    });
    notices.listenAll(() => this.interrupted && void this.#offer(this.interrupted.id));
  }

  /** Looks for runs whose page has died while nobody told: call when the page is looked at again. */
  async look(): Promise<void> {
    try {
      await this.#services.runs.recover();
    } catch {
      // What storage has to say is said where it is needed.
    }
  }

  /** Writes the plan anew whenever what it depends on has rested. Call in an effect. @returns how to stop */
  followRequest(): () => void {
    const { request } = this;
    const stop = new AbortController();
    if (!request || !this.#canPropose) {
      this.#proposal = null;
      return () => undefined;
    }
    const timer = setTimeout(
      () => void this.#propose(request, this.planPool, stop.signal),
      this.#hasPlanned ? TYPING_PAUSE : 0,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }

  /** Starts a run, or says in `refusal` why not. */
  async run(): Promise<void> {
    await this.attachments.settled;
    const { request } = this;
    if (!request || this.isRunning || this.isStarting) return;
    this.refusal = this.#services.runs.check(request) ?? this.#draftRefusal() ?? this.#missingConductor();
    if (this.refusal) return;
    const start = async () => {
      await this.attachments.keep();
      return this.#services.runs.start(request);
    };
    if (await this.#begin(start)) this.#seed = newSeed();
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
    if (await this.#begin(start)) {
      if (this.interrupted?.id === runId) this.interrupted = null;
    }
  }

  /** A new run in which another worker plays one step; what came before it is taken over. */
  async giveStepTo(place: { round: number; step: number }, worker: number): Promise<void> {
    const { live } = this;
    const workflow = live?.run.rounds[place.round]?.plan?.workflow;
    if (!live || !workflow) return;
    const steps = workflow.steps.map((step, index) => (index === place.step ? { ...step, worker } : step));
    await this.#begin(() => this.#services.runs.fork(live.id, { ...place, workflow: { steps } }));
  }

  /** Grades the run on the page; the same grade again takes it back. */
  async grade(correct: boolean): Promise<void> {
    const { live } = this;
    if (!live) return;
    const next = live.run.grade?.correct === correct ? null : correct;
    try {
      live.take(await this.#services.runs.grade(live.id, next));
    } catch (thrown) {
      this.refusal = toFault(thrown);
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
      this.refusal = toFault(thrown);
    }
  }

  /** Opens the plan for editing: the one that ran, else the one that stands there. */
  edit(): void {
    const ran = this.showsRun ? this.live?.run : undefined;
    const workflow = ran?.rounds[0]?.plan?.workflow ?? this.planned ?? { steps: [] };
    this.draft = draftOf(workflow, ran?.pool ?? this.proposedPool);
    this.putRunAside();
  }

  /** Shows the plan again instead of the ended run, which stays among the runs. */
  putRunAside(): void {
    if (this.isRunning) return;
    this.live?.close();
    this.live = null;
  }

  /** Once there is something to lose the browser is asked to keep it, where it asks nobody in turn. */
  async #keepSafe(): Promise<void> {
    const { decidesAlone, estimate, persist } = this.#services.storage;
    if (this.#hasAskedToKeep || !decidesAlone()) return;
    this.#hasAskedToKeep = true;
    if (!(await estimate())?.persisted) await persist();
  }

  /** Offers a run to go on with, if that is how it stands. */
  async #offer(runId: string): Promise<void> {
    const summary = await this.#services.store.summary(runId).catch(() => null);
    if (summary?.status === 'interrupted') this.interrupted = summary;
    else if (this.interrupted?.id === runId) this.interrupted = null;
  }

  async #propose(request: NewRun, pool: readonly PoolWorker[], signal: AbortSignal): Promise<void> {
    const { question, images = [], maxSteps, access, recursion, seed = 0, conductor } = request;
    try {
      const told = await this.#services.runs.told(question, signal);
      const asked = { question, images, pool, maxSteps, access, recursion, round: 0, earlier: [], seed, ...told };
      const proposal = await propose(conductor, asked, signal);
      if (signal.aborted) return;
      this.#isFirstProposal = !this.#hasPlanned;
      this.#hasPlanned = true;
      this.#proposal = proposal;
    } catch (thrown) {
      if (!signal.aborted && !isAbort(thrown))
        this.#proposal = { workflow: null, fault: toFault(thrown), pool, reasons: null, stoodInFor: null };
    }
  }

  #requestNow(): NewRun | null {
    const { choice, draft, planPool, maxSteps } = this;
    if (!choice) return null;
    const { caps, dayUsd, access, recursion, temperature, maxTokens, candidates, approval } = this.#preferences.current;
    const { choice: chosenBy, planTemperature, seed } = this.#preferences.current;
    return {
      question: this.#question,
      images: this.attachments.references,
      pool: this.#workers.pool,
      conductor: draft ? createByHandConductor(workflowOf(draft, planPool)) : this.#services.conductor(choice.info),
      recursion,
      maxSteps,
      caps,
      dayUsd,
      sampling: { temperature, maxTokens },
      access,
      approval,
      candidates: draft ? 1 : candidatesFor(choice, candidates),
      choice: chosenBy,
      planTemperature: !draft && isWritten(choice) ? planTemperature : null,
      seed: seed ?? this.#seed,
    };
  }

  #draftRefusal(): Fault | null {
    const problem = this.draft && this.planFault;
    return problem ? { code: 'plan-invalid', message: problem.message, retryable: false } : null;
  }

  #missingConductor(): Fault | null {
    const missing = this.draft ? undefined : this.choice?.missing;
    return missing === undefined ? null : { code: 'worker-missing', message: missing, retryable: false };
  }

  async #begin(start: () => Promise<LiveRun>): Promise<boolean> {
    if (this.isStarting) return false;
    this.isStarting = true;
    this.refusal = null;
    try {
      const view = new LiveRunView(await start());
      this.live?.close();
      this.live = view;
      this.#shownFor = this.#question;
      void view.ended.then(({ status }) => {
        if (status === 'finished') void this.#keepSafe();
        if (this.live === view) this.#shownFor = this.#question;
      });
      return true;
    } catch (thrown) {
      this.refusal = toFault(thrown);
      return false;
    } finally {
      this.isStarting = false;
    }
  }
}

/** How many workflows a Conductor is asked for. */
function candidatesFor(choice: ConductorChoice, wanted: number): number {
  if (isDrawn(choice)) return wanted;
  return isWritten(choice) ? Math.max(wanted, choice.fewestCandidates ?? 1) : 1;
}

/** Whether a model writes the plan, so that another try may come out differently. */
function isWritten({ info }: ConductorChoice): boolean {
  return info.kind === 'endpoint' || info.kind === 'webllm' || info.kind === 'transformers';
}

/** Whether a policy draws the plan, so that another draw may come out differently. */
function isDrawn({ info }: ConductorChoice): boolean {
  return info.kind === 'policy';
}

/** Fixed before Run, so that the plan on the page is the plan that runs. */
function newSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
