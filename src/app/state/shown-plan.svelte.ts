/** @file The plan that Conduct shows before a run: the chosen Conductor's proposal, or the plan that the user edits. */
import {
  CONDUCTOR_MAX_STEPS,
  fault,
  mayRecurse,
  TEMPLATE_MAX_STEPS,
  type Fault,
  type PoolWorker,
  type StepChoice,
  type Workflow,
} from '../../core/contract';
import { BY_HAND_INFO } from '../../core/conductor/by-hand';
import { partsOf, withWorker } from '../../core/conductor/solo';
import { partOfPolicy } from '../../core/conductor/with-policy-info';
import { conductorEntry, type NewRun } from '../../core/runs';
import type { ConductorChoice, ConductorServices, RunServices, StorageServices } from '../services';
import { EditedPlans } from './edited-plans.svelte';
import type { ModelsState } from './models.svelte';
import { isDrawn } from './new-run';
import { draftProblem, workflowOf, type PlanDraft } from './plan-draft';
import type { PreferencesState } from './preferences.svelte';
import { ProposedPlan } from './proposed-plan.svelte';
import type { WorkersState } from './workers.svelte';

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
  readonly edited: EditedPlans;
  /** How often other tabs have reported changed runs. Conductors plan by the grades of earlier runs. */
  #runChanges = $state(0);

  /** With *Private* on, only Conductors that send nothing beyond this machine. */
  readonly choices: readonly ConductorChoice[] = $derived.by(() => {
    const choices = this.#services.conductors(this.#workers.all, this.#models.offered);
    const { isPrivate } = this.#preferences.current;
    return isPrivate ? choices.filter(({ info }) => (info.origin ?? null) === null) : choices;
  });
  readonly choice: ConductorChoice | null = $derived.by(() => {
    const { conductor } = this.#preferences.current;
    // While a model is not loaded, the list contains it alone, without its combinations with the policy.
    const model = partOfPolicy(conductor)?.model;
    const find = (id: string) => this.choices.find(({ info }) => info.id === id);
    return find(conductor) ?? this.#soloChoice(conductor) ?? find(model ?? '') ?? this.choices[0] ?? null;
  });
  /** Whether the plan that Run will run can be shown before Run. If a policy draws several plans, they are drawn on Run. */
  readonly isInstant: boolean = $derived.by(() => {
    const { choice } = this;
    return choice?.instant === true && !(isDrawn(choice) && this.#preferences.current.candidates > 1);
  });
  /** Whether a plan may name the Conductor, and so ask for another round. */
  readonly #mayRecurse: boolean = $derived.by(() => mayRecurse(this.#preferences.current, 0));
  /** Workers that a step may name. If the Conductor may be named, it is the last entry. */
  readonly pool: readonly PoolWorker[] = $derived.by(() => {
    const { pool } = this.#workers;
    const info = this.draft ? BY_HAND_INFO : this.choice?.info;
    return this.#mayRecurse && info ? [...pool, conductorEntry(info)] : pool;
  });
  readonly maxSteps: number = $derived.by(() =>
    this.draft || this.choice?.info.kind === 'template' ? TEMPLATE_MAX_STEPS : CONDUCTOR_MAX_STEPS,
  );
  /** The workflow that Run will run. `null` if it is not known. */
  readonly workflow: Workflow | null = $derived.by(() => {
    if (this.draft) return workflowOf(this.draft, this.pool);
    return this.isInstant ? (this.proposed.proposal?.workflow ?? null) : null;
  });
  /** Why the steps went to their workers. `null` if the Conductor gives no reasons. */
  readonly reasons: readonly StepChoice[] | null = $derived.by(() =>
    !this.draft && this.isInstant ? (this.proposed.proposal?.reasons ?? null) : null,
  );
  /** Why another Conductor than the chosen one wrote the plan. `null` if the chosen one did. */
  readonly stoodInFor: Fault | null = $derived.by(() =>
    this.workflow ? (this.proposed.proposal?.stoodInFor ?? null) : null,
  );
  readonly #canPropose: boolean = $derived.by(() => {
    const isReady = this.isInstant && this.draft === null;
    return isReady && this.#workers.pool.length > 0 && this.#question().trim() !== '';
  });
  /** Whether a proposal is pending. It will be shown without further input. */
  readonly isPending: boolean = $derived.by(() => this.#canPropose && this.proposed.proposal === null);
  /** Whether to reserve the height of a whole plan, so that nothing moves when the first proposal arrives. */
  readonly reservesRoom: boolean = $derived.by(
    () => this.isPending || (this.proposed.isFirst && this.proposed.proposal !== null),
  );

  /** @param question the question on the page */
  constructor(services: Needed, { preferences, workers, models }: PlanParts, question: () => string) {
    this.#services = services;
    this.#preferences = preferences;
    this.#workers = workers;
    this.#models = models;
    this.#question = question;
    this.edited = new EditedPlans(question);
    this.proposed = new ProposedPlan(services);
    services.notices.listen(() => this.#runChanges++);
    services.notices.listenAll(() => this.#runChanges++);
  }

  /** The plan as the user edits it. `null`: the Conductor's own. */
  get draft(): PlanDraft | null {
    return this.edited.draft;
  }
  set draft(draft: PlanDraft | null) {
    if (draft) this.edited.change(draft);
    else this.edited.discard();
  }

  /** The pool that `workflow` was made for. */
  get workflowPool(): readonly PoolWorker[] {
    return this.draft ? this.pool : (this.proposed.proposal?.pool ?? this.pool);
  }

  /** Why there is no plan: the Conductor's fault, or what is wrong with the edited plan. */
  get fault(): Pick<Fault, 'message'> | null {
    if (!this.draft) return this.isInstant ? (this.proposed.proposal?.fault ?? null) : null;
    return draftProblem(this.draft, this.pool, { maxSteps: this.maxSteps, recursion: this.#mayRecurse });
  }

  /** Why Run cannot run this plan. `null` if it can. */
  get refusal(): Fault | null {
    if (!this.draft) return this.choice?.missing === undefined ? null : fault('worker-missing', this.choice.missing);
    return this.fault && fault('plan-invalid', this.fault.message);
  }

  /** Proposes a plan for a request, debounced. Call in an effect. @returns a function that stops it */
  follow(request: NewRun | null): () => void {
    void this.#runChanges;
    if (request && this.#canPropose) return this.proposed.follow(request);
    this.proposed.forget();
    return () => undefined;
  }

  /** A template of one worker that the user chose. If that worker has left the pool, the template takes the best one. */
  #soloChoice(id: string): ConductorChoice | null {
    const { template, worker } = partsOf(id);
    const choice = this.choices.find(({ info, takesWorker }) => takesWorker && info.id === template);
    const chosen = this.#workers.pool.find((each) => each.id === worker);
    return choice && chosen ? { ...choice, info: withWorker(choice.info, chosen) } : (choice ?? null);
  }
}
