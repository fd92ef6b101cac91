/** @file The form for one worker: combines its smaller forms, validates the fields, and decides when requests are sent. */
import {
  dayOf,
  originOf,
  picked,
  REASONING_LEVELS,
  withConnection,
  type Connection,
  type MatchedWorker,
  type ProviderPreset,
  type ReasoningLevel,
  type WorkerSetup,
} from '../../core/contract';
import { readExtras } from '../../core/contract/worker/connection-extras';
import type { KeyServices, ProviderPresets, WorkerServices } from '../services';
import { KnownForm } from './known-form.svelte';
import { PriceForm } from './price-form.svelte';
import { RequestForm } from './request-form.svelte';
import { SamplingForm } from './sampling-form.svelte';
import { isImitation } from './server-form.svelte';
import { nameOf } from './worker-look';
import { WorkerRequests } from './worker-requests.svelte';

const UNCONFIRMED = 'The address of this connection came from a file. Edit the connection and confirm it first.';

type Needed = ProviderPresets &
  Pick<WorkerServices, 'tester' | 'knownPrice' | 'knownModels' | 'modelLists'> &
  Pick<KeyServices, 'keys'>;

type FormField = 'model' | 'price';

export class WorkerForm {
  model = $state('');
  name = $state('');
  description = $state('');
  /** Reasoning effort. `''`: the model's default. */
  reasoning: ReasoningLevel | '' = $state('');
  /** Whether the model receives the images of a question. */
  canSee = $state(false);

  /** Problems by field, from the last attempt to save, to test or to list the models. */
  problems: Partial<Record<FormField, string>> = $state.raw({});

  /** The worker being edited. */
  readonly before: WorkerSetup;
  readonly preset: ProviderPreset;
  readonly known: KnownForm;
  readonly sampling: SamplingForm;
  readonly request: RequestForm;
  readonly price: PriceForm;
  readonly requests: WorkerRequests;
  readonly #services: Needed;
  readonly #connection: Connection;

  constructor(services: Needed, connection: Connection, before: WorkerSetup) {
    this.#services = services;
    this.#connection = connection;
    this.before = before;
    this.preset = services.providerOf(connection);
    this.known = new KnownForm(services.knownModels, before);
    this.sampling = new SamplingForm(before, () => this.known.family(this.model)?.context?.tokens ?? null);
    this.request = new RequestForm(before);
    this.price = new PriceForm(before);
    this.requests = new WorkerRequests(services.tester, () => this.#modelsListed());
    this.reasoning = this.preset.reasoning.request === null ? '' : (before.reasoning ?? '');
    this.canSee = before.canSee ?? false;
    this.model = before.model;
    this.name = before.name;
    this.description = before.description;
  }

  /** Shows the stored list of models. Sends nothing. */
  async open(): Promise<void> {
    const list = await (await this.#services.modelLists()).read(this.#connection.id).catch(() => null);
    if (list && this.requests.models.length === 0) this.requests.models = list.models;
  }

  /** The fields that determine which published benchmark results apply to the worker. */
  get matched(): MatchedWorker {
    const { model, reasoning, sampling } = this;
    const budget = sampling.typed.reasoningTokens.trim();
    const acceptsBudget = this.preset.reasoning.budget !== null && /^\d+$/.test(budget);
    return { model, reasoning: reasoning || null, ...(acceptsBudget ? { reasoningTokens: Number(budget) } : {}) };
  }

  chooseReasoning(level: string): void {
    this.reasoning = REASONING_LEVELS.find((each) => each === level) ?? '';
  }

  /** Call when the user has chosen a model. Fills in its price if the price is known and the user has entered none. */
  async modelChosen(): Promise<void> {
    const model = this.model.trim();
    if (this.price.isOwn || model === '') return;
    const listed = this.requests.models.find(({ id }) => id === model)?.price;
    if (listed) {
      this.price.fill(listed, { by: 'provider', date: dayOf(Date.now()) });
      return;
    }
    const known = await this.#services.knownPrice(this.preset.id, model).catch(() => null);
    // Meanwhile, the user may have typed a price or chosen another model.
    if (this.price.isOwn || this.model.trim() !== model) return;
    this.price.fill(known?.price ?? null, known && { by: 'table', date: known.date, source: known.source });
  }

  /** Validates the fields. Returns `null` if a field is invalid or the connection's address is not confirmed. */
  read(): WorkerSetup | null {
    const setup = this.#readFields();
    if (!this.#isConfirmed()) return null;
    const known = this.known.read();
    const own = this.sampling.read(this.preset);
    const request = this.request.read(this.preset);
    const read = setup &&
      known &&
      own &&
      request && { ...setup, ...known, ...own, ...request, ...this.price.savedOrigin(setup.price) };
    if (!read) return null;
    const { listed, model } = this.before;
    // The user has seen a changed price in this form.
    const facts =
      listed && model === read.model ? { listed: picked(listed, ['maxOutput', 'parameters', 'isGone']) } : {};
    return withConnection({ ...read, ...facts }, this.#connection);
  }

  /** The fields outside the smaller forms, and the price. `null`: a field is invalid, and `problems` has the reason. */
  #readFields(): Omit<WorkerSetup, 'priced'> | null {
    const { id, mark, colour, baseUrl, needsKey } = this.before;
    const price = this.price.read();
    const model = this.model.trim();
    const name = this.name.trim();
    const problems: Partial<Record<FormField, string>> = {};
    if (model === '') problems.model = 'Enter the model’s name as the server knows it.';
    if (price === 'unreadable')
      problems.price = 'Enter both prices as numbers of 0 or more, or leave both empty if unknown.';
    this.problems = problems;
    if (price === 'unreadable' || problems.model) return null;
    return {
      id,
      name: name === '' ? nameOf(model) : name,
      mark,
      colour,
      baseUrl,
      needsKey,
      model,
      price,
      description: this.description.trim(),
      ...(this.reasoning === '' ? {} : { reasoning: this.reasoning }),
      ...(this.canSee ? { canSee: true } : {}),
    };
  }

  /** Tests the worker if the fields are valid. */
  async test(): Promise<void> {
    const setup = this.read();
    if (setup) await this.requests.test(setup, this.#access);
  }

  async listModels(): Promise<void> {
    this.problems = {};
    if (!this.#isConfirmed()) return;
    const { baseUrl } = this.#connection;
    this.requests.fault = await this.requests.list(baseUrl, this.#access, this.preset.id);
  }

  get #access() {
    const { id, baseUrl } = this.#connection;
    const { keys } = this.#services;
    const origin = originOf(baseUrl);
    return { key: keys.get(id, origin), extras: readExtras(keys, { id, connection: id }, origin) };
  }

  /** Nothing is sent to an address from a file before the user has confirmed it. */
  #isConfirmed(): boolean {
    const isConfirmed = !this.#connection.unconfirmed && !isImitation(this.#services, this.#connection);
    if (!isConfirmed) this.problems = { ...this.problems, model: UNCONFIRMED };
    return isConfirmed;
  }

  async #modelsListed(): Promise<void> {
    // A saved model keeps its price, or its lack of a price, because that is the user's choice.
    if (this.model !== this.before.model) await this.modelChosen();
  }

  /** Aborts a test or a listing in progress. */
  stop(): void {
    this.requests.stop();
  }
}
