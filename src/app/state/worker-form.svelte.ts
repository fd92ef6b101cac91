/** @file The form for one worker: its fields, the invalid fields, and the results of a worker test. */
import {
  dayOf,
  isAbort,
  originOf,
  providerKeyId,
  REASONING_LEVELS,
  toFault,
  type Fault,
  type ListedModel,
  type MatchedWorker,
  type Price,
  type PriceOrigin,
  type ProviderPreset,
  type ReasoningLevel,
  type WorkerCheck,
  type WorkerSetup,
} from '../../core/contract';
import type { KeyServices, WorkerServices } from '../services';
import { KnownForm } from './known-form.svelte';
import { SamplingForm } from './sampling-form.svelte';
import { readWorker, type FormField, type OtherWorkers } from './worker-reading';

/** Delay between the last typed character of a key and the request that lists the models, ms. */
const TYPING_PAUSE = 500;
/**
 * Delay between leaving a field and the request that lists the models, ms. The result of the request changes the notes of the
 * form, which moves the buttons below the notes. The user may leave the field by pressing one of these buttons. If the button
 * moved before the press ended, the browser would ignore the click.
 */
const CLICK_PAUSE = 200;

const UNCONFIRMED = 'This address came from a file. Check it, then press “Use this address”.';

type Needed = Pick<
  WorkerServices,
  'providers' | 'providerOf' | 'checkAddress' | 'tester' | 'knownPrice' | 'knownModels'
> &
  Pick<KeyServices, 'keys'>;

export class WorkerForm {
  /** Id of the provider’s preset. `''` until the user chooses a provider. */
  provider = $state('');
  address = $state('');
  key = $state('');
  model = $state('');
  name = $state('');
  description = $state('');
  inputPrice = $state('');
  outputPrice = $state('');
  cachedPrice = $state('');
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
  checks: readonly WorkerCheck[] = $state.raw([]);
  isTesting = $state(false);
  models: readonly ListedModel[] = $state.raw([]);
  /**
   * The source of the shown prices. `null`: there are no prices, their source is unknown, or the user has
   * changed them in this form.
   */
  priced: PriceOrigin | null = $state.raw(null);
  isListing = $state(false);
  fault: Fault | null = $state.raw(null);
  /** Why the models could not be listed in the background. */
  listNote = $state('');

  /** The worker being edited. `null` for a new worker. */
  readonly before: WorkerSetup | null;
  readonly known: KnownForm;
  readonly sampling: SamplingForm;
  #priceTyped = false;
  /** The origin of an address that came from a file, after the user has confirmed it in this form. `''`: none. */
  #confirmedOrigin = $state('');
  readonly #services: Needed;
  readonly #others: OtherWorkers;
  #stop = new AbortController();
  #listing: ReturnType<typeof setTimeout> | undefined;

  constructor(services: Needed, others: OtherWorkers, before: WorkerSetup | null = null) {
    this.#services = services;
    this.#others = others;
    this.before = before;
    this.known = new KnownForm(services.knownModels, before);
    this.sampling = new SamplingForm(before, () => this.known.family(this.model)?.context?.tokens ?? null);
    if (!before) return;
    this.provider = services.providerOf(before).id;
    this.reasoning = before.reasoning ?? '';
    this.#declaredVision = before.canSee ?? false;
    this.address = before.baseUrl;
    this.model = before.model;
    this.name = before.name;
    this.description = before.description;
    this.inputPrice = before.price ? String(before.price.input) : '';
    this.outputPrice = before.price ? String(before.price.output) : '';
    this.cachedPrice = String(before.price?.cachedInput ?? '');
    this.priced = before.priced ?? null;
    this.concurrent = String(before.limits?.concurrent ?? '');
    this.requestsPerMinute = String(before.limits?.requestsPerMinute ?? '');
    this.tokensPerMinute = String(before.limits?.tokensPerMinute ?? '');
  }

  readonly preset: ProviderPreset = $derived.by(() =>
    this.#services.providerOf({ provider: this.provider, baseUrl: this.address }),
  );
  /** The origin of the typed address. `''` while it is invalid. */
  readonly #origin: string = $derived.by(() => {
    const address = this.#services.checkAddress(this.address);
    return address.ok ? originOf(address.baseUrl) : '';
  });
  /** The host that a key is sent to, e.g. `api.example.com`. `''` while the address is invalid. */
  readonly host: string = $derived.by(() => hostOf(this.#origin));
  /** Whether there is a key for the typed address: in the field, or already in memory. */
  readonly hasKey: boolean = $derived.by(() => this.key.trim() !== '' || this.#keptKey() !== null);
  readonly acceptsKey: boolean = $derived.by(() => this.preset.key.needed !== 'no' || (this.before?.needsKey ?? false));
  /** Whether the provider has a fixed address, which need not be shown. */
  readonly isService: boolean = $derived.by(() => this.provider !== '' && this.preset.place === 'service');
  /**
   * Whether anything may be sent to the address. `false` for an address that came from a file, until the user confirms it or
   * types another. This prevents a crafted file from obtaining a key that the user types.
   */
  readonly isConfirmed: boolean = $derived.by(() => {
    const { before } = this;
    if (before === null || this.isService || !this.#isFromFile(before)) return true;
    // Compares hosts, because an address with another scheme at the same host still counts as the address from the file.
    const read = this.#services.checkAddress(before.baseUrl);
    const isTyped = read.ok && hostOf(this.#origin) !== hostOf(originOf(read.baseUrl));
    return isTyped || this.#origin === this.#confirmedOrigin;
  });

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
    return this.models.find(({ id }) => id === this.model.trim())?.canSee ?? null;
  }

  set canSee(canSee: boolean) {
    this.#declaredVision = canSee;
  }

  /** Chooses the provider: fills in its address, and clears the fields that belonged to the previous provider. */
  chooseProvider(id: string): void {
    const chosen = this.#services.providers.find((preset) => preset.id === id);
    if (!chosen) return;
    this.stop();
    this.provider = id;
    this.address = chosen.baseUrl;
    this.key = '';
    this.model = '';
    if (this.priced && this.priced.by !== 'person') this.#putPrice(null, null);
    this.models = [];
    this.checks = [];
    this.problems = {};
    this.fault = null;
    this.hint = null;
    this.listNote = '';
    if (chosen.reasoning.request === null) this.reasoning = '';
    if (this.reasoning === 'minimal' && !chosen.reasoning.minimal) this.reasoning = 'low';
    this.#listInBackground();
  }

  /** Call when the user confirms the address from a file. */
  confirmAddress(): void {
    this.#confirmedOrigin = this.#origin;
    this.problems = {};
    this.completed('address');
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

  /** Call when the user has changed a price. */
  priceTyped(): void {
    this.priced = null;
    this.#priceTyped = true;
  }

  /** The source of the price to save. Empty if there is no price, or if an older version stored the price without its source. */
  #pricedNow(price: Price | null): { priced?: PriceOrigin } {
    if (!price) return {};
    if (this.priced) return { priced: this.priced };
    return this.#priceTyped || !this.before ? { priced: { by: 'person', date: dayOf(Date.now()) } } : {};
  }

  /** Call when the user has chosen a model. Fills in its price if the price is known and the user has entered none. */
  async modelChosen(): Promise<void> {
    const { provider } = this;
    const model = this.model.trim();
    if (this.#hasOwnPrice || model === '') return;
    const listed = this.models.find(({ id }) => id === model)?.price;
    if (listed) {
      this.#putPrice(listed, { by: 'provider', date: dayOf(Date.now()) });
      return;
    }
    const known = await this.#services.knownPrice(provider, model).catch(() => null);
    // Meanwhile, the user may have typed a price or chosen another model.
    if (this.#hasOwnPrice || this.provider !== provider || this.model.trim() !== model) return;
    this.#putPrice(known?.price ?? null, known && { by: 'table', date: known.date, source: known.source });
  }

  get #hasOwnPrice(): boolean {
    const isFilledIn = this.priced?.by === 'provider' || this.priced?.by === 'table';
    return this.inputPrice + this.outputPrice !== '' && !isFilledIn;
  }

  #putPrice(price: Price | null, priced: PriceOrigin | null): void {
    this.inputPrice = String(price?.input ?? '');
    this.outputPrice = String(price?.output ?? '');
    this.cachedPrice = String(price?.cachedInput ?? '');
    this.priced = priced;
  }

  /** Call when the key or the address has changed, to list the models. @param typing whether the user is still typing */
  completed(field: 'address' | 'key', typing = false): void {
    clearTimeout(this.#listing);
    // A half-typed address may name another host. This host must not receive a key.
    if (typing && !(field === 'key' && this.isService)) return;
    this.#listing = setTimeout(() => this.#listInBackground(), typing ? TYPING_PAUSE : CLICK_PAUSE);
  }

  /** Validates the fields. Returns `null` if a field is invalid or the address is not confirmed. */
  read(): WorkerSetup | null {
    const { setup, problems, hint } = readWorker(this, this.#others, this.#services);
    this.problems = problems;
    this.hint = hint;
    if (!this.isConfirmed) {
      this.problems = { address: UNCONFIRMED, ...problems };
      return null;
    }
    const known = this.known.read();
    const own = this.sampling.read(this.preset);
    return (
      setup &&
      known &&
      own && { ...setup, ...known, ...own, ...this.#pricedNow(setup.price), needsKey: this.#needsKey() }
    );
  }

  /** Stores the key for the worker and the address's origin. Rejects with a `FaultError` if that fails. */
  async keepKey(setup: WorkerSetup): Promise<void> {
    const key = setup.needsKey ? this.#keyFor(setup.baseUrl) : null;
    if (key !== null) this.#services.keys.set(setup.id, originOf(setup.baseUrl), key);
    await this.#services.keys.settled?.();
  }

  /** Tests the worker with one small real call. Updates `checks` while the test runs. */
  async test(): Promise<void> {
    const setup = this.read();
    if (!setup) return;
    this.stop();
    const { signal } = this.#stop;
    this.isTesting = true;
    this.checks = [];
    this.fault = null;
    try {
      const tester = await this.#services.tester();
      for await (const check of tester.test(setup, this.#keyFor(setup.baseUrl), signal)) {
        this.checks = [...this.checks.filter(({ name }) => name !== check.name), check];
      }
    } catch (thrown) {
      if (!isAbort(thrown)) this.fault = toFault(thrown);
    } finally {
      if (!signal.aborted) this.isTesting = false;
    }
  }

  /** Call when the user accepts the corrected address that a worker test found. Tests the worker again at this address. */
  async correctAddress(address: string): Promise<void> {
    this.address = address;
    await this.#list(address);
    await this.test();
  }

  async listModels(): Promise<void> {
    const address = this.#services.checkAddress(this.address);
    this.problems = address.ok ? {} : { address: address.fault.message };
    if (!address.ok) return;
    if (!this.isConfirmed) {
      this.problems = { address: UNCONFIRMED };
      return;
    }
    this.fault = await this.#list(address.baseUrl);
  }

  /** Lists models in the background. The user did not request this, so a failure is only shown as a note. */
  #listInBackground(): void {
    const address = this.#services.checkAddress(this.address);
    if (!address.ok || !this.isConfirmed || this.isTesting) return;
    this.problems = {};
    if (!this.preset.models.open && !this.hasKey) return;
    void this.#list(address.baseUrl).then((fault) => (this.listNote = fault?.message ?? ''));
  }

  async #list(baseUrl: string): Promise<Fault | null> {
    this.stop();
    const { signal } = this.#stop;
    this.isListing = true;
    this.fault = null;
    this.listNote = '';
    try {
      const tester = await this.#services.tester();
      const models = await tester.models(baseUrl, this.#keyFor(baseUrl), signal, this.preset.id);
      if (signal.aborted) return null;
      this.models = models;
      const [only] = models;
      if (models.length === 1 && only !== undefined && this.model === '') this.model = only.id;
      // A saved model keeps its price, or its lack of a price, because that is the user's choice.
      if (this.model !== (this.before?.model ?? '')) await this.modelChosen();
      return null;
    } catch (thrown) {
      return isAbort(thrown) || signal.aborted ? null : toFault(thrown);
    } finally {
      if (!signal.aborted) this.isListing = false;
    }
  }

  /** Aborts a test or a listing in progress. */
  stop(): void {
    clearTimeout(this.#listing);
    this.#stop.abort();
    this.#stop = new AbortController();
    this.isTesting = false;
    this.isListing = false;
  }

  /**
   * Whether the stored address came from a file and is not confirmed. Older versions did not mark such
   * addresses. But the form of these versions saved every worker of a known service with the service's own
   * address. So if a worker of a known service has a different address, this address came from a file.
   */
  #isFromFile(setup: WorkerSetup): boolean {
    if (setup.unconfirmed === true) return true;
    const named = this.#services.providers.find(({ id }) => id === setup.provider);
    return named?.place === 'service' && this.#services.providerOf(setup).id !== named.id;
  }

  #needsKey(): boolean {
    if (this.isService) return this.preset.key.needed === 'yes';
    return this.hasKey || (this.before?.needsKey ?? false);
  }

  /** The typed key, or a known key for the same origin. */
  #keyFor(baseUrl: string): string | null {
    const typed = this.key.trim();
    if (typed !== '') return typed;
    const origin = originOf(baseUrl);
    // At a service, one key is valid for all models. The user's own server may need no key, so keys of other workers are
    // not sent to this server.
    const shared = this.isService ? (this.#others.ids ?? []) : [];
    const ids = [this.before?.id, providerKeyId(this.preset.id), ...shared];
    for (const id of ids) {
      const key = id === undefined ? null : this.#services.keys.get(id, origin);
      if (key !== null) return key;
    }
    return null;
  }

  #keptKey(): string | null {
    const address = this.#services.checkAddress(this.address);
    return address.ok ? this.#keyFor(address.baseUrl) : null;
  }
}

function hostOf(origin: string): string {
  return origin.replace(/^https?:\/\//, '');
}
