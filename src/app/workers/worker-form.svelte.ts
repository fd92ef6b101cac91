/** @file The form for one worker: combines its smaller forms, validates the fields, and decides when requests are sent. */
import {
  dayOf,
  REASONING_LEVELS,
  type Fault,
  type MatchedWorker,
  type ReasoningLevel,
  type WorkerSetup,
} from '../../core/contract';
import type { AddressChecker, KeyServices, WorkerServices } from '../services';
import { KnownForm } from './known-form.svelte';
import { PriceForm } from './price-form.svelte';
import { SamplingForm } from './sampling-form.svelte';
import { ServerForm } from './server-form.svelte';
import { readWorker, type FormField, type OtherWorkers } from './worker-reading';
import { WorkerRequests } from './worker-requests.svelte';

/** Delay between the last typed character of a key and the request that lists the models, ms. */
const TYPING_PAUSE = 500;
/**
 * Delay between leaving a field and the request that lists the models, ms. The result of the request changes the notes of the
 * form, which moves the buttons below the notes. The user may leave the field by pressing one of these buttons. If the button
 * moved before the press ended, the browser would ignore the click.
 */
const CLICK_PAUSE = 200;

const UNCONFIRMED = 'This address came from a file. Check it, then press “Use this address”.';

type Needed = Pick<WorkerServices, 'providers' | 'providerOf' | 'tester' | 'knownPrice' | 'knownModels'> &
  AddressChecker &
  Pick<KeyServices, 'keys'>;

export class WorkerForm {
  model = $state('');
  name = $state('');
  description = $state('');
  /** The provider's limits, if the user knows them. `''`: Podium learns the limit from replies. */
  concurrent = $state('');
  requestsPerMinute = $state('');
  tokensPerMinute = $state('');
  /** Reasoning effort. `''`: the model's default. */
  reasoning: ReasoningLevel | '' = $state('');
  /** The user's statement whether the model can see images. `null`: the user has made none. */
  #declaredVision: boolean | null = $state(null);

  /** Problems by field, from the last attempt to save, to test or to list the models. */
  problems: Partial<Record<FormField, string>> = $state.raw({});
  /** A hint about the typed address. `null`: none. */
  hint: string | null = $state(null);

  /** The worker being edited. `null` for a new worker. */
  readonly before: WorkerSetup | null;
  readonly server: ServerForm;
  readonly known: KnownForm;
  readonly sampling: SamplingForm;
  readonly price: PriceForm;
  readonly requests: WorkerRequests;
  readonly #services: Needed;
  readonly #others: OtherWorkers;
  #listing: ReturnType<typeof setTimeout> | undefined;

  constructor(services: Needed, others: OtherWorkers, before: WorkerSetup | null = null) {
    this.#services = services;
    this.#others = others;
    this.before = before;
    this.server = new ServerForm(services, others.ids ?? [], before);
    this.known = new KnownForm(services.knownModels, before);
    this.sampling = new SamplingForm(before, () => this.known.family(this.model)?.context?.tokens ?? null);
    this.price = new PriceForm(before);
    this.requests = new WorkerRequests(services.tester, () => this.#modelsListed());
    if (!before) return;
    this.reasoning = before.reasoning ?? '';
    this.#declaredVision = before.canSee ?? false;
    this.model = before.model;
    this.name = before.name;
    this.description = before.description;
    this.concurrent = String(before.limits?.concurrent ?? '');
    this.requestsPerMinute = String(before.limits?.requestsPerMinute ?? '');
    this.tokensPerMinute = String(before.limits?.tokensPerMinute ?? '');
  }

  /** Whether the model receives images: the user's choice, else the server's list, else the published fact. */
  get canSee(): boolean {
    return this.#declaredVision ?? this.#listedSight ?? this.known.family(this.model)?.vision?.reads ?? false;
  }

  /** The source of `canSee`. `null`: there is no source. */
  get sightFrom(): 'person' | 'list' | 'published' | null {
    if (this.#declaredVision !== null) return 'person';
    if (this.#listedSight !== null) return 'list';
    return this.known.family(this.model)?.vision ? 'published' : null;
  }

  get #listedSight(): boolean | null {
    return this.requests.models.find(({ id }) => id === this.model.trim())?.canSee ?? null;
  }

  set canSee(canSee: boolean) {
    this.#declaredVision = canSee;
  }

  /** Chooses the provider: fills in its address, and clears the fields that belonged to the previous provider. */
  chooseProvider(id: string): void {
    const chosen = this.#services.providers.find((preset) => preset.id === id);
    if (!chosen) return;
    clearTimeout(this.#listing);
    this.requests.clear();
    this.server.choose(chosen);
    this.model = '';
    if (this.price.isFilledIn) this.price.fill(null, null);
    this.problems = {};
    this.hint = null;
    if (chosen.reasoning.request === null) this.reasoning = '';
    if (this.reasoning === 'minimal' && !chosen.reasoning.minimal) this.reasoning = 'low';
    this.#listInBackground();
  }

  /** Call when the user confirms the address from a file. */
  confirmAddress(): void {
    this.server.confirm();
    this.problems = {};
    this.completed('address');
  }

  /** The fields that determine which published benchmark results apply to the worker. */
  get matched(): MatchedWorker {
    const { model, reasoning, sampling } = this;
    const budget = sampling.typed.reasoningTokens.trim();
    const acceptsBudget = this.server.preset.reasoning.budget !== null && /^\d+$/.test(budget);
    return { model, reasoning: reasoning || null, ...(acceptsBudget ? { reasoningTokens: Number(budget) } : {}) };
  }

  chooseReasoning(level: string): void {
    this.reasoning = REASONING_LEVELS.find((each) => each === level) ?? '';
  }

  /** Call when the user has chosen a model. Fills in its price if the price is known and the user has entered none. */
  async modelChosen(): Promise<void> {
    const { provider } = this.server;
    const model = this.model.trim();
    if (this.price.isOwn || model === '') return;
    const listed = this.requests.models.find(({ id }) => id === model)?.price;
    if (listed) {
      this.price.fill(listed, { by: 'provider', date: dayOf(Date.now()) });
      return;
    }
    const known = await this.#services.knownPrice(provider, model).catch(() => null);
    // Meanwhile, the user may have typed a price or chosen another model.
    if (this.price.isOwn || this.server.provider !== provider || this.model.trim() !== model) return;
    this.price.fill(known?.price ?? null, known && { by: 'table', date: known.date, source: known.source });
  }

  /** Call when the key or the address has changed, to list the models. @param typing whether the user is still typing */
  completed(field: 'address' | 'key', typing = false): void {
    clearTimeout(this.#listing);
    // A half-typed address may name another host. This host must not receive a key.
    if (typing && !(field === 'key' && this.server.isService)) return;
    this.#listing = setTimeout(() => this.#listInBackground(), typing ? TYPING_PAUSE : CLICK_PAUSE);
  }

  /** Validates the fields. Returns `null` if a field is invalid or the address is not confirmed. */
  read(): WorkerSetup | null {
    const { setup, problems, hint } = readWorker(this, this.#others, this.#services);
    this.problems = problems;
    this.hint = hint;
    if (!this.server.isConfirmed) {
      this.problems = { address: UNCONFIRMED, ...problems };
      return null;
    }
    const known = this.known.read();
    const own = this.sampling.read(this.server.preset);
    return (
      setup &&
      known &&
      own && { ...setup, ...known, ...own, ...this.price.savedOrigin(setup.price), needsKey: this.server.needsKey }
    );
  }

  /** Tests the worker if the fields are valid. */
  async test(): Promise<void> {
    const setup = this.read();
    if (!setup) return;
    clearTimeout(this.#listing);
    await this.requests.test(setup, this.server.keyFor(setup.baseUrl));
  }

  /** Call when the user accepts the corrected address that a worker test found. Tests the worker again at this address. */
  async correctAddress(address: string): Promise<void> {
    this.server.address = address;
    await this.#list(address);
    await this.test();
  }

  async listModels(): Promise<void> {
    const address = this.#services.checkAddress(this.server.address);
    this.problems = address.ok ? {} : { address: address.fault.message };
    if (!address.ok) return;
    if (!this.server.isConfirmed) {
      this.problems = { address: UNCONFIRMED };
      return;
    }
    this.requests.fault = await this.#list(address.baseUrl);
  }

  /** Lists models in the background. The user did not request this, so a failure is only shown as a note. */
  #listInBackground(): void {
    const address = this.#services.checkAddress(this.server.address);
    if (!address.ok && this.server.address.trim() !== '') this.problems = { address: address.fault.message };
    if (!address.ok || !this.server.isConfirmed || this.requests.isTesting) return;
    this.problems = {};
    this.hint = address.hint;
    if (!this.server.preset.models.open && !this.server.hasKey) return;
    void this.#list(address.baseUrl).then((fault) => (this.requests.listNote = fault?.message ?? ''));
  }

  #list(baseUrl: string): Promise<Fault | null> {
    clearTimeout(this.#listing);
    return this.requests.list(baseUrl, this.server.keyFor(baseUrl), this.server.preset.id);
  }

  async #modelsListed(): Promise<void> {
    const { models } = this.requests;
    const [only] = models;
    if (models.length === 1 && only !== undefined && this.model === '') this.model = only.id;
    // A saved model keeps its price, or its lack of a price, because that is the user's choice.
    if (this.model !== (this.before?.model ?? '')) await this.modelChosen();
  }

  /** Aborts a test or a listing in progress. */
  stop(): void {
    clearTimeout(this.#listing);
    this.requests.stop();
  }
}
