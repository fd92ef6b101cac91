/**
 * @file Sets up the pool of arXiv 2512.04388 in one step: seven workers with one OpenRouter key. Two workers use the same
 * model, with and without reasoning. `paper-presets.ts` has the settings.
 */
import {
  dayOf,
  isAbort,
  matchModel,
  originOf,
  toFault,
  type Fault,
  type ListedModel,
  type KnownModel,
  type ProviderPreset,
  type PublishedSetting,
  type WorkerSetup,
} from '../../core/contract';
import type { KeyServices, ProviderPresets, WorkerServices } from '../services';
import type { KeysState } from '../state/keys.svelte';
import { isMember, PAPER_POOL, RUN_SETTINGS, withPreset, type PoolMember } from './paper-presets';
import type { PreferencesState } from '../state/preferences.svelte';
import { replacePool } from '../state/replace-pool';
import { freeColour, freeMark } from './worker-look';
import type { WorkersState } from '../state/workers.svelte';

/** The result of setting up the pool. */
export interface PoolOutcome {
  readonly added: readonly PoolMember[];
  /** Workers that already existed. Their settings have been changed to the preset. */
  readonly present: readonly PoolMember[];
  /** Workers that were not set up, because OpenRouter's list does not have their models. */
  readonly missing: readonly PoolMember[];
  /**
   * Why OpenRouter's list could not be read. If so, all seven workers were set up without checking that
   * OpenRouter offers them. `null`: the list was read.
   */
  readonly unchecked: Fault | null;
}

type Needed = ProviderPresets & Pick<WorkerServices, 'tester' | 'knownModels'> & Pick<KeyServices, 'keys'>;

export class PaperPool {
  /** Which of the paper's two settings to apply to the workers and to new runs. */
  setting: PublishedSetting = $state('constrained');
  key = $state('');
  isBusy = $state(false);
  fault: Fault | null = $state.raw(null);
  outcome: PoolOutcome | null = $state.raw(null);
  readonly #services: Needed;
  readonly #workers: WorkersState;
  readonly #keys: KeysState;
  readonly #preferences: PreferencesState;
  readonly #provider: ProviderPreset;
  #stop = new AbortController();

  constructor(services: Needed, workers: WorkersState, keys: KeysState, preferences: PreferencesState) {
    this.#services = services;
    this.#workers = workers;
    this.#keys = keys;
    this.#preferences = preferences;
    const provider = services.providers.find(({ id }) => id === 'openrouter');
    if (!provider) throw new RangeError('There is no preset for OpenRouter.');
    this.#provider = provider;
  }

  /** An existing OpenRouter key: from the sign-in, or from another connection. `null`: none. */
  get keptKey(): string | null {
    const origin = originOf(this.#provider.baseUrl);
    for (const { id } of this.#workers.connections) {
      const key = this.#services.keys.get(id, origin);
      if (key !== null) return key;
    }
    return null;
  }

  /**
   * Sets up the paper's workers, and makes them the pool. Leaves out workers that OpenRouter does not offer.
   * Applies `setting` to these workers and to new runs.
   */
  async setUp(): Promise<void> {
    const key = this.key.trim() || this.keptKey;
    if (key === null) {
      this.fault = {
        code: 'unauthorized',
        message: 'Enter an OpenRouter key, or sign in to OpenRouter.',
        retryable: false,
      };
      return;
    }
    this.isBusy = true;
    this.fault = null;
    const { signal } = this.#stop;
    try {
      const listed = await this.#list(key, signal);
      const known = await this.#services.knownModels().catch(() => []);
      const isOffered = ({ model }: PoolMember) =>
        !('models' in listed) || listed.models.some(({ id }) => id === model);
      const offered = PAPER_POOL.filter(isOffered);
      const present = offered.filter((member) => this.#find(member) !== undefined);
      const added = offered.filter((member) => !present.includes(member));
      const connection = await this.#connect(key);
      for (const member of offered) {
        const model = 'models' in listed ? listed.models.find(({ id }) => id === member.model) : undefined;
        await this.#addOrUpdate(member, connection, { id: member.model, ...factsOf(known, member), ...model });
      }
      const ids = offered.flatMap((member) => this.#find(member)?.id ?? []);
      replacePool(this.#workers, this.#preferences, ids);
      this.#preferences.change(RUN_SETTINGS[this.setting]);
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

  #find(member: PoolMember): WorkerSetup | undefined {
    return this.#workers.setups.find((setup) => setup.baseUrl === this.#provider.baseUrl && isMember(member, setup));
  }

  /** The connection to OpenRouter, with this key from now on. */
  async #connect(key: string): Promise<string> {
    const { baseUrl } = this.#provider;
    const found = this.#workers.connections.find((connection) => connection.baseUrl === baseUrl);
    const connection = found ?? { id: `connection:${crypto.randomUUID()}`, baseUrl, needsKey: true };
    await this.#workers.saveConnection({ ...connection, needsKey: true });
    this.#services.keys.set(connection.id, originOf(baseUrl), key);
    await this.#services.keys.settled?.();
    return connection.id;
  }

  /**
   * @param facts facts about the model. For an existing worker, only `canSee` and an unknown price are
   * updated
   */
  async #addOrUpdate(member: PoolMember, connection: string, facts: ListedModel): Promise<void> {
    const { all } = this.#workers;
    const present = this.#find(member);
    // Setting up the pool confirms a worker from a file, because the worker has OpenRouter's own address. But
    // the price from the file is not kept.
    const known = present?.unconfirmed ? { ...present, price: null, priced: undefined } : present;
    const { price, canSee, contextWindow } = facts;
    const { unconfirmed: _, ...setup }: WorkerSetup = known ?? {
      id: `worker:${crypto.randomUUID()}`,
      name: member.name,
      model: member.model,
      mark: freeMark(
        member.name,
        all.map(({ mark }) => mark),
      ),
      colour: freeColour(all.map(({ colour }) => colour)),
      baseUrl: this.#provider.baseUrl,
      price: null,
      description: '',
      needsKey: true,
      ...(contextWindow === undefined ? {} : { contextWindow }),
    };
    const priced = { by: 'provider', date: dayOf(Date.now()) } as const;
    const bought = setup.price === null && price ? { ...setup, price, priced } : setup;
    const sight = canSee === undefined ? {} : { canSee };
    await this.#workers.save(withPreset({ ...bought, ...sight, connection }, member.settings[this.setting]));
  }
}

/** The published facts about a model. The caller prefers facts from OpenRouter's list. */
function factsOf(known: readonly KnownModel[], { model }: PoolMember): Omit<ListedModel, 'id'> {
  const family = matchModel(known, model);
  return {
    ...(family?.vision ? { canSee: family.vision.reads } : {}),
    ...(family?.context ? { contextWindow: family.context.tokens } : {}),
  };
}
