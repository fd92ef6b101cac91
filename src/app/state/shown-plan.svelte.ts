/** @file The plan that the page *Conduct* shows before a run: the Conductor's proposal, or the plan that the user edits. */
import {
  fault,
  isLocal,
  mayRecurse,
  type ConductorInfo,
  type Fault,
  type PoolWorker,
  type StepChoice,
  type Workflow,
  localConductorInfo,
  type GradedRun,
} from '../../core/contract';
import { BY_HAND_INFO } from '../../core/conductor/by-hand';
import { followsEffort, maxStepsFor, recursionFor } from '../../core/conductor/effort';
import { partsOf, withWorker } from '../../core/conductor/solo';
import { partOfPolicy } from '../../core/conductor/with-policy-info';
import { conductorEntry, type NewRun } from '../../core/runs/new-run';
import type { ConductorChoice, ConductorServices, RunServices, StorageServices } from '../services';
import { EditedPlans } from './edited-plans.svelte';
import type { ModelsState } from './models.svelte';
import { isDrawn } from '../../core/runs/preferred-run';
import { CONDUCTOR, draftProblem, workflowOf, type PlanDraft } from './plan-draft';
import type { PreferencesState } from './preferences.svelte';
import { ProposedPlan } from './proposed-plan.svelte';
import type { WorkersState } from './workers.svelte';
import { defaultConductor, type DefaultConductor } from '../../core/conductor/default-conductor';

type Needed = Pick<ConductorServices, 'conductors'> & Pick<RunServices, 'runs'> & Pick<StorageServices, 'notices'>;

/** The states that a plan depends on. */
export interface PlanParts {
  readonly preferences: PreferencesState;
  readonly workers: WorkersState;
  readonly models: ModelsState;
}

export class ShownPlan {
  readonly #services: Needed;
  readonly #preferences: PreferencesState;
  readonly #workers: WorkersState;
  readonly #models: ModelsState;
  readonly #question: () => string;
  readonly proposed: ProposedPlan;
  /** The Conductor that plans if the user has chosen none, or if the chosen Conductor is no longer offered. */
  readonly automatic: AutomaticConductor;
  readonly edited: EditedPlans;
  /** How often other tabs have reported changed runs. Each report leads to a new proposal, because plans depend on grades. */
  #runChanges = $state(0);

  /** The Conductors to choose from. With *Private* on, only Conductors that send nothing to a server. */
  readonly choices: readonly ConductorChoice[] = $derived.by(() => {
    const choices = this.#services.conductors(this.#workers.all, this.#models.offered);
    const { isPrivate } = this.#preferences.current;
    return isPrivate ? choices.filter(({ info }) => isLocal(info)) : choices;
  });
  /** The Conductor that the user chose. `null`: automatic. */
  readonly #explicit: ConductorChoice | null = $derived.by(() => {
    const { conductor } = this.#preferences.current;
    if (conductor === null) return null;
    // The user may have chosen a Conductor that combines a model with the policy. `choices` lists this Conductor
    // only while the model is loaded. Otherwise, the Conductor that uses the model alone replaces it.
    const model = partOfPolicy(conductor)?.model;
    return this.#find(conductor) ?? this.#soloChoice(conductor) ?? this.#find(model ?? '') ?? null;
  });
  /** The Conductor that is used if the user chose *Automatic*. */
  readonly automaticChoice: ConductorChoice | null = $derived.by(
    () => this.#find(this.automatic.current.id) ?? this.choices[0] ?? null,
  );
  readonly isAutomatic: boolean = $derived.by(() => this.#explicit === null);
  readonly choice: ConductorChoice | null = $derived.by(() => this.#explicit ?? this.automaticChoice);
  /** The Conductor of the next run. While the user edits the plan, the user is the Conductor. */
  readonly info: ConductorInfo | null = $derived.by(() => (this.draft ? BY_HAND_INFO : (this.choice?.info ?? null)));
  /** Whether the plan can be shown before the user presses Run. `false` if the policy samples several candidate plans. */
  readonly isInstant: boolean = $derived.by(() => {
    const { choice } = this;
    return choice?.instant === true && !(isDrawn(choice.info) && this.#preferences.current.candidates > 1);
  });
  /** Whether a step may name the Conductor, which then plans another round. */
  readonly #mayRecurse: boolean = $derived.by(() => {
    const { caps, effort, recursion, recursionMode } = this.#preferences.current;
    const { info } = this;
    const isOn = info ? recursionFor(info, effort, recursion) : recursion;
    return mayRecurse({ caps, recursion: isOn, recursionMode }, 0);
  });
  /** Workers that a step may name. If the Conductor may be named, it is the last entry. */
  readonly pool: readonly PoolWorker[] = $derived.by(() => {
    const { pool } = this.#workers;
    const { info } = this;
    return this.#mayRecurse && info ? [...pool, conductorEntry(info)] : pool;
  });
  readonly maxSteps: number = $derived.by(() =>
    maxStepsFor(this.info ?? BY_HAND_INFO, this.#preferences.current.effort, this.#workers.pool),
  );
  /** Whether the effort changes the plan. A template's plan or an edited plan has the same steps at every effort. */
  readonly followsEffort: boolean = $derived.by(() => this.info !== null && followsEffort(this.info));
  /** The workflow that the button *Run* will start. `null` while it is not known. */
  readonly workflow: Workflow | null = $derived.by(() => {
    if (this.draft) return workflowOf(this.draft, this.pool);
    return this.isInstant ? (this.proposed.proposal?.workflow ?? null) : null;
  });
  /** Why each step has its worker. `null` if the Conductor gives no reasons. */
  readonly reasons: readonly StepChoice[] | null = $derived.by(() =>
    !this.draft && this.isInstant ? (this.proposed.proposal?.reasons ?? null) : null,
  );
  /** Why a fallback Conductor wrote the plan. `null` if the chosen Conductor wrote it. */
  readonly replacedFault: Fault | null = $derived.by(() =>
    this.workflow ? (this.proposed.proposal?.replacedFault ?? null) : null,
  );
  readonly #canPropose: boolean = $derived.by(() => {
    const isReady = this.isInstant && this.draft === null;
    return isReady && this.#workers.pool.length > 0 && this.#question().trim() !== '';
  });
  /** Whether a proposal will arrive without further input. */
  readonly isPending: boolean = $derived.by(() => this.#canPropose && this.proposed.proposal === null);
  /** Whether to reserve the height of a whole plan, so that nothing moves when the first proposal arrives. */
  readonly reservesRoom: boolean = $derived.by(
    () => this.isPending || (this.proposed.isFirst && this.proposed.proposal !== null),
  );

  constructor(services: Needed, parts: PlanParts, question: () => string, hasImages: () => boolean) {
    const { preferences, workers, models } = parts;
    this.#services = services;
    this.#preferences = preferences;
    this.#workers = workers;
    this.#models = models;
    this.#question = question;
    this.edited = new EditedPlans(question);
    this.proposed = new ProposedPlan(services);
    this.automatic = new AutomaticConductor(services, parts, hasImages);
    services.notices.listen(() => this.#runsChanged());
    services.notices.listenAll(() => this.#runsChanged());
  }

  /** The plan that the user edits. `null`: the Conductor's own plan is shown. */
  get draft(): PlanDraft | null {
    return this.edited.draft;
  }
  set draft(draft: PlanDraft | null) {
    if (draft) this.edited.change(draft);
    else this.edited.discard();
  }

  /** Opens a plan for editing. If recursion is off in the settings, steps that name the Conductor are removed. */
  edit(draft: PlanDraft): void {
    const { recursion } = this.#preferences.current;
    this.edited.begin(recursion ? draft : draft.filter(({ workerId }) => workerId !== CONDUCTOR));
  }

  /** The pool that `workflow` was made for. */
  get workflowPool(): readonly PoolWorker[] {
    return this.draft ? this.pool : (this.proposed.proposal?.pool ?? this.pool);
  }

  /** Why there is no valid plan: the Conductor failed, or the edited plan has a problem. */
  get fault(): Pick<Fault, 'message'> | null {
    if (!this.draft) return this.isInstant ? (this.proposed.proposal?.fault ?? null) : null;
    return draftProblem(this.draft, this.pool, { maxSteps: this.maxSteps, recursion: this.#mayRecurse });
  }

  /** Why a run can't start: the Conductor can't plan now, or the edited plan is invalid. `null`: a run can start. */
  get runBlocker(): Fault | null {
    if (!this.draft) return this.choice?.missing === undefined ? null : fault('worker-missing', this.choice.missing);
    return this.fault && fault('plan-invalid', this.fault.message);
  }

  /** Proposes a plan for a request, debounced. Call in an effect. @returns a function that cancels the proposal */
  follow(request: NewRun | null): () => void {
    void this.#runChanges;
    if (request && this.#canPropose) return this.proposed.follow(request);
    this.proposed.forget();
    return () => undefined;
  }

  #runsChanged(): void {
    this.#runChanges++;
    void this.automatic.refresh();
  }

  #find(id: string): ConductorChoice | undefined {
    return this.choices.find(({ info }) => info.id === id);
  }

  /**
   * The chosen template, with the chosen worker for all steps. If this worker has left the pool, the best worker is used
   * instead. `null`: the id does not belong to such a template.
   */
  #soloChoice(id: string): ConductorChoice | null {
    const { template, worker } = partsOf(id);
    const choice = this.choices.find(({ info, acceptsWorker }) => acceptsWorker && info.id === template);
    const chosen = this.#workers.pool.find((each) => each.id === worker);
    return choice && chosen ? { ...choice, info: withWorker(choice.info, chosen) } : (choice ?? null);
  }
}

/**
 * Chooses a Conductor automatically while the user has not chosen one. The choice depends on the pool, the loaded model,
 * the internet connection, the Private setting, the attached images and the grades of saved runs.
 */
interface Parts {
  readonly preferences: PreferencesState;
  readonly workers: WorkersState;
  readonly models: ModelsState;
}

class AutomaticConductor {
  readonly #runs: RunServices['runs'];
  readonly #parts: Parts;
  readonly #hasImages: () => boolean;
  #isOnline = $state(navigator.onLine);
  #history: readonly GradedRun[] = $state.raw([]);

  readonly current: DefaultConductor = $derived.by(() => {
    const { preferences, workers, models } = this.#parts;
    return defaultConductor({
      pool: workers.pool,
      local: models.loaded && localConductorInfo(models.loaded),
      isOnline: this.#isOnline,
      isPrivate: preferences.current.isPrivate,
      hasImages: this.#hasImages(),
      effort: preferences.current.effort,
      scouts: preferences.current.scouts,
      history: this.#history,
    });
  });

  /** @param hasImages whether images are attached to the question */
  constructor({ runs }: Pick<RunServices, 'runs'>, parts: Parts, hasImages: () => boolean) {
    this.#runs = runs;
    this.#parts = parts;
    this.#hasImages = hasImages;
    addEventListener('online', () => (this.#isOnline = true));
    addEventListener('offline', () => (this.#isOnline = false));
  }

  /** Reloads the grades of saved runs. If that fails, Podium chooses without grades. */
  async refresh(): Promise<void> {
    this.#history = await this.#runs.history().catch(() => []);
  }
}
