/** @file The form of one worker: what was typed, what is wrong with it, and what a test of it found. */
import {
  dayOf,
  isAbort,
  originOf,
  providerKeyId,
  REASONING_LEVELS,
  toFault,
  type Fault,
  type ListedModel,
  type Price,
  type PriceOrigin,
  type ProviderPreset,
  type ReasoningLevel,
  type WorkerCheck,
  type WorkerSetup,
} from '../../core/contract';
import type { Services } from '../services';
import { KnownForm } from './known-form.svelte';
import { readWorker, type FormField, type OtherWorkers } from './worker-reading';

/** ms that typing a key must rest before it is tried on the list of models. */
const TYPING_PAUSE = 500;

const UNCONFIRMED = 'This address came from a file. Check it, then press “Use this address”.';

export class WorkerForm {
  /** Id of the preset; `''` until one is chosen. */
  provider = $state('');
  address = $state('');
  key = $state('');
  model = $state('');
  name = $state('');
  description = $state('');
  inputPrice = $state('');
  outputPrice = $state('');
  cachedPrice = $state('');
  /** Limits of the provider as the user knows them; `''`: learnt. */
  concurrent = $state('');
  requestsPerMinute = $state('');
  tokensPerMinute = $state('');
  /** How much the model is asked to think; `''`: as it does by itself. */
  reasoning: ReasoningLevel | '' = $state('');
  /** Whether the person says that the model can see; `null` where they have not said. */
  #saysItSees: boolean | null = $state(null);

  /** Shown once the person has tried to save or test. */
  problems: Partial<Record<FormField, string>> = $state.raw({});
  /** What stands out about the address though it can be used. */
  hint: string | null = $state(null);
  checks: readonly WorkerCheck[] = $state.raw([]);
  isTesting = $state(false);
  models: readonly ListedModel[] = $state.raw([]);
  /** Where the prices that stand there come from; `null`: from nowhere, or the person has typed since. */
  priced: PriceOrigin | null = $state.raw(null);
  isListing = $state(false);
  fault: Fault | null = $state.raw(null);
  /** Why the models could not be listed though nobody asked for it yet. */
  listNote = $state('');

  /** The worker that is edited; `null` for a new one. */
  readonly before: WorkerSetup | null;
  /** What is known of the model. */
  readonly known: KnownForm;
  #priceTyped = false;
  /** The origin that a file brought and the user has confirmed here; `''`: none. */
  #confirmedOrigin = $state('');
  readonly #services: Services;
  readonly #others: OtherWorkers;
  #stop = new AbortController();
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(services: Services, others: OtherWorkers, before: WorkerSetup | null = null) {
    this.#services = services;
    this.#others = others;
    this.before = before;
    this.known = new KnownForm(services.knownModels, before);
    if (!before) return;
    this.provider = services.providerOf(before).id;
    this.reasoning = before.reasoning ?? '';
    this.#saysItSees = before.canSee ?? false;
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
  /** Where the address as it stands leads; `''` while it cannot be read. */
  readonly #origin: string = $derived.by(() => {
    const address = this.#services.checkAddress(this.address);
    return address.ok ? originOf(address.baseUrl) : '';
  });
  /** The host that a key is sent to, e.g. `api.example.com`; `''` while the address cannot be read. */
  readonly host: string = $derived.by(() => hostOf(this.#origin));
  /** Whether a key is at hand for the address as it stands: typed now, or given before and still in memory. */
  readonly hasKey: boolean = $derived.by(() => this.key.trim() !== '' || this.#keptKey() !== null);
  /** Whether a key has a place here at all. */
  readonly takesKey: boolean = $derived.by(() => this.preset.key.needed !== 'no' || (this.before?.needsKey ?? false));
  /** Whether the provider is always at one address, which then need not be shown. */
  readonly isService: boolean = $derived.by(() => this.provider !== '' && this.preset.place === 'service');
  /**
   * Whether anything may be sent to the address: it is a service's own, the user typed it, or it was confirmed. An address
   * that came from a file is none of these, and no key may go there just because the user types one.
   */
  readonly isConfirmed: boolean = $derived.by(() => {
    const { before } = this;
    if (before === null || this.isService || !this.#isFromFile(before)) return true;
    // A file's address may lack its scheme. Another scheme at the same host is still the file's choice.
    const read = this.#services.checkAddress(before.baseUrl);
    const isTyped = read.ok && hostOf(this.#origin) !== hostOf(originOf(read.baseUrl));
    return isTyped || this.#origin === this.#confirmedOrigin;
  });

  /** Whether the model is sent the images of a question: as the person says, else as the server's list does. */
  get canSee(): boolean {
    return this.#saysItSees ?? this.models.some(({ id, canSee }) => canSee === true && id === this.model.trim());
  }
  set canSee(canSee: boolean) {
    this.#saysItSees = canSee;
  }

  /** Chooses who runs the model: its address is filled in, and what belonged to another one goes. */
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
    if (chosen.reasoning.ask === null) this.reasoning = '';
    this.#listUnasked();
  }

  /** The user agrees to the address that a file brought. */
  confirmAddress(): void {
    this.#confirmedOrigin = this.#origin;
    this.problems = {};
    this.completed('address');
  }

  chooseReasoning(level: string): void {
    this.reasoning = REASONING_LEVELS.find((each) => each === level) ?? '';
  }

  /** The person has changed a price: from now on it is theirs. */
  priceTyped(): void {
    this.priced = null;
    this.#priceTyped = true;
  }

  /** A price that stood there before anybody kept where it came from goes on without. */
  #pricedNow(price: Price | null): { priced?: PriceOrigin } {
    if (!price) return {};
    if (this.priced) return { priced: this.priced };
    return this.#priceTyped || !this.before ? { priced: { by: 'person', date: dayOf(Date.now()) } } : {};
  }

  /** The model is chosen: its price is filled in, where it is known and the person has entered none. */
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
    // A price that was typed meanwhile stays.
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

  /** The key or the address is as it is to be; for a service this may be said while the key is still typed. */
  completed(field: 'address' | 'key', typing = false): void {
    clearTimeout(this.#typing);
    // An address that is half typed is somebody else's: no key may go there.
    if (typing && !(field === 'key' && this.isService)) return;
    if (typing) this.#typing = setTimeout(() => this.#listUnasked(), TYPING_PAUSE);
    else this.#listUnasked();
  }

  /** Reads the fields. `null` where something is wrong; `problems` then says what. */
  read(): WorkerSetup | null {
    const { setup, problems, hint } = readWorker(this, this.#others, this.#services);
    this.problems = problems;
    this.hint = hint;
    if (!this.isConfirmed) {
      this.problems = { address: UNCONFIRMED, ...problems };
      return null;
    }
    const known = this.known.read();
    return setup && known && { ...setup, ...known, ...this.#pricedNow(setup.price), needsKey: this.#needsKey() };
  }

  /** Hands the key over, bound to the worker and the address's origin. Rejects with a `FaultError` if it could not be kept. */
  async keepKey(setup: WorkerSetup): Promise<void> {
    const key = setup.needsKey ? this.#keyFor(setup.baseUrl) : null;
    if (key !== null) this.#services.keys.set(setup.id, originOf(setup.baseUrl), key);
    await this.#services.keys.settled?.();
  }

  /** Makes one small real call and shows what was found on the way. */
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

  /** Asks the server which models it has. */
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

  /** Looks for models as soon as there may be some. Nobody asked, so a failure is no more than a note. */
  #listUnasked(): void {
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
      // Not for a model that was saved with a price, or without one, before.
      if (this.model !== (this.before?.model ?? '')) await this.modelChosen();
      return null;
    } catch (thrown) {
      return isAbort(thrown) || signal.aborted ? null : toFault(thrown);
    } finally {
      if (!signal.aborted) this.isListing = false;
    }
  }

  /** Ends a test or a listing that is under way. */
  stop(): void {
    clearTimeout(this.#typing);
    this.#stop.abort();
    this.#stop = new AbortController();
    this.isTesting = false;
    this.isListing = false;
  }

  /** Older versions kept restored workers without a mark, but no form of theirs puts a service's name on another address. */
  #isFromFile(setup: WorkerSetup): boolean {
    if (setup.unconfirmed === true) return true;
    const named = this.#services.providers.find(({ id }) => id === setup.provider);
    return named?.place === 'service' && this.#services.providerOf(setup).id !== named.id;
  }

  #needsKey(): boolean {
    if (this.isService) return this.preset.key.needed === 'yes';
    return this.hasKey || (this.before?.needsKey ?? false);
  }

  /** The key that was typed, else one that was given before for the same origin. */
  #keyFor(baseUrl: string): string | null {
    const typed = this.key.trim();
    if (typed !== '') return typed;
    const origin = originOf(baseUrl);
    // A server of one's own may want none; a service wants the same one for each of its models.
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
