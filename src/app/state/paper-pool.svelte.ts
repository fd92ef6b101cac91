/**
 * @file Sets up the pool of arXiv 2512.04388 in one step: seven workers behind one OpenRouter key. Two of them are the same model,
 * with and without reasoning.
 */
import {
  dayOf,
  isAbort,
  originOf,
  providerKeyId,
  toFault,
  type Fault,
  type ListedModel,
  type Price,
  type ProviderPreset,
  type ReasoningLevel,
  type WorkerSetup,
} from '../../core/contract';
import type { KeyServices, WorkerServices } from '../services';
import type { KeysState } from './keys.svelte';
import { freeColour, freeMark } from './worker-look';
import type { WorkersState } from './workers.svelte';

export interface PoolMember {
  readonly name: string;
  /** OpenRouter's id. */
  readonly model: string;
  /** `null`: the model's default. */
  readonly reasoning: ReasoningLevel | null;
}

/** The paper's constrained runs reduce reasoning where a model allows it: GPT-5 `minimal`, Gemini 2.5 Pro 128 tokens. */
export const PAPER_POOL: readonly PoolMember[] = [
  { name: 'Gemini 2.5 Pro', model: 'google/gemini-2.5-pro', reasoning: 'low' },
  { name: 'Claude Sonnet 4', model: 'anthropic/claude-sonnet-4', reasoning: 'off' },
  { name: 'GPT-5', model: 'openai/gpt-5', reasoning: 'low' },
  { name: 'Qwen3 32B direct', model: 'qwen/qwen3-32b', reasoning: 'off' },
  { name: 'Qwen3 32B reasoning', model: 'qwen/qwen3-32b', reasoning: 'medium' },
  { name: 'Gemma 3 27B', model: 'google/gemma-3-27b-it', reasoning: null },
  { name: 'DeepSeek R1 Distill 32B', model: 'deepseek/deepseek-r1-distill-qwen-32b', reasoning: null },
];

/** The result of setting it up. */
export interface PoolOutcome {
  readonly added: readonly PoolMember[];
  /** Existed already. */
  readonly present: readonly PoolMember[];
  /** Not in OpenRouter's list, so not added. */
  readonly missing: readonly PoolMember[];
  /** Why the list could not be read, so that all seven were added unchecked. */
  readonly unchecked: Fault | null;
}

type Needed = Pick<WorkerServices, 'providers' | 'tester'> & Pick<KeyServices, 'keys'>;

export class PaperPool {
  key = $state('');
  isBusy = $state(false);
  fault: Fault | null = $state.raw(null);
  outcome: PoolOutcome | null = $state.raw(null);
  readonly #services: Needed;
  readonly #workers: WorkersState;
  readonly #keys: KeysState;
  readonly #provider: ProviderPreset;
  #stop = new AbortController();

  constructor(services: Needed, workers: WorkersState, keys: KeysState) {
    this.#services = services;
    this.#workers = workers;
    this.#keys = keys;
    const provider = services.providers.find(({ id }) => id === 'openrouter');
    if (!provider) throw new RangeError('There is no preset for OpenRouter.');
    this.#provider = provider;
  }

  /** A key that exists already: from the sign-in, or of another worker at OpenRouter. */
  get keptKey(): string | null {
    const origin = originOf(this.#provider.baseUrl);
    const ids = [providerKeyId(this.#provider.id), ...this.#workers.setups.map(({ id }) => id)];
    for (const id of ids) {
      const key = this.#services.keys.get(id, origin);
      if (key !== null) return key;
    }
    return null;
  }

  /** Adds the missing ones of the seven that OpenRouter offers, and makes them the pool. */
  async setUp(): Promise<void> {
    const key = this.key.trim() || this.keptKey;
    if (key === null) {
      this.fault = { code: 'unauthorized', message: 'Enter an OpenRouter key, or sign in there.', retryable: false };
      return;
    }
    this.isBusy = true;
    this.fault = null;
    const { signal } = this.#stop;
    try {
      const listed = await this.#list(key, signal);
      const isOffered = ({ model }: PoolMember) =>
        !('models' in listed) || listed.models.some(({ id }) => id === model);
      const offered = PAPER_POOL.filter(isOffered);
      const present = offered.filter((member) => this.#find(member) !== undefined);
      const added = offered.filter((member) => !present.includes(member));
      for (const member of offered) {
        const price = 'models' in listed ? listed.models.find(({ id }) => id === member.model)?.price : undefined;
        await this.#addOrKeep(member, key, price);
      }
      await this.#services.keys.settled?.();
      this.#workers.choosePool(offered.flatMap((member) => this.#find(member)?.id ?? []));
      this.#keys.changed();
      this.key = '';
      const missing = PAPER_POOL.filter((member) => !offered.includes(member));
      this.outcome = { added, present, missing, unchecked: 'fault' in listed ? listed.fault : null };
    } catch (thrown) {
      if (!isAbort(thrown)) this.fault = toFault(thrown);
    } finally {
      this.isBusy = false;
    }
  }

  stop(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  async #list(key: string, signal: AbortSignal): Promise<{ models: readonly ListedModel[] } | { fault: Fault }> {
    try {
      const tester = await this.#services.tester();
      return { models: await tester.models(this.#provider.baseUrl, key, signal, this.#provider.id) };
    } catch (thrown) {
      if (isAbort(thrown)) throw thrown;
      return { fault: toFault(thrown) };
    }
  }

  #find({ model, reasoning }: PoolMember): WorkerSetup | undefined {
    return this.#workers.setups.find(
      (setup) =>
        setup.baseUrl === this.#provider.baseUrl && setup.model === model && (setup.reasoning ?? null) === reasoning,
    );
  }

  /** @param price OpenRouter's price. Used for a new worker, and for one without a price */
  async #addOrKeep(member: PoolMember, key: string, price: Price | undefined): Promise<void> {
    const { all } = this.#workers;
    const present = this.#find(member);
    // Setting up the pool confirms a restored worker, because it is at OpenRouter's own address. A price from a file is not kept.
    const known = present?.unconfirmed ? { ...present, price: null, priced: undefined } : present;
    const { unconfirmed: _, ...setup }: WorkerSetup = known ?? {
      id: `worker:${crypto.randomUUID()}`,
      ...member,
      mark: freeMark(
        member.name,
        all.map(({ mark }) => mark),
      ),
      colour: freeColour(all.map(({ colour }) => colour)),
      baseUrl: this.#provider.baseUrl,
      price: null,
      description: '',
      needsKey: true,
    };
    this.#services.keys.set(setup.id, originOf(setup.baseUrl), key);
    const priced = { by: 'provider', date: dayOf(Date.now()) } as const;
    await this.#workers.save(setup.price === null && price ? { ...setup, price, priced } : setup);
  }
}
