/** @file The models of a connection, of which the user adds several at once, or which Podium suggests as a pool. */
import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { suggestPool, type SuggestedWorker } from '../../core/analysis/suggest-pool';
import {
  dayOf,
  DOMAINS,
  familyOf,
  isAbort,
  publishedRecord,
  toFault,
  type Connection,
  type Fault,
  type GradedRun,
  type KnownPrice,
  type ListedModel,
  type ModelList,
  type Price,
  type WorkerSetup,
} from '../../core/contract';
import { listedFacts } from '../../core/contract/worker/refresh-worker';
import type { KeyServices, ProviderPresets, RunServices, WorkerServices } from '../services';
import type { WorkersState } from '../state/workers.svelte';
import { refreshModels } from './refresh-models';
import { freeColour, freeMark, nameOf } from './worker-look';

type Needed = ProviderPresets &
  Pick<WorkerServices, 'tester' | 'modelLists' | 'setups' | 'knownPrice'> &
  Pick<KeyServices, 'keys'> &
  Pick<RunServices, 'runs'>;

/** A row of the list. */
export interface ModelRow extends ListedModel {
  /** Published strengths, such as `maths 61 %, code 46 %`. `''`: none are published. */
  readonly known: string;
  readonly isAdded: boolean;
}

export class ModelPicker {
  readonly connection: Connection;
  search = $state('');
  list: ModelList | null = $state.raw(null);
  isListing = $state(false);
  isAdding = $state(false);
  fault: Fault | null = $state.raw(null);
  /** Ids of the models that the user has checked. */
  readonly chosen = new SvelteSet<string>();
  /** The limit of a suggested pool, in US dollars for one question. */
  limit = $state('0.10');
  /** The suggestion. `null`: the user has not asked for one. */
  suggested: readonly SuggestedWorker[] | null = $state.raw(null);
  /** Prices from Podium's table, for models whose list states none. */
  readonly #table = new SvelteMap<string, KnownPrice>();
  readonly #services: Needed;
  readonly #workers: WorkersState;
  #stop = new AbortController();

  readonly #rows: readonly ModelRow[] = $derived.by(() => {
    const added = this.#workers.setups
      .filter((setup) => setup.connection === this.connection.id)
      .map(({ model }) => model);
    const models = (this.list?.models ?? []).filter(({ isSilent }) => !isSilent);
    return models.map((model) => {
      const price = this.#priceOf(model);
      const known = this.#knownWords(model.id);
      return { ...model, ...(price ? { price } : {}), known, isAdded: added.includes(model.id) };
    });
  });
  /** Number of models that can be added. */
  readonly total: number = $derived.by(() => this.#rows.length);
  /** The rows that match the search. A name that the list lacks is the first row, so that it can be added, too. */
  readonly rows: readonly ModelRow[] = $derived.by(() => {
    const typed = this.search.trim();
    const words = typed.toLowerCase().split(/\s+/);
    const found = this.#rows.filter(({ id }) => words.every((word) => id.toLowerCase().includes(word)));
    const exact = found.filter(({ id }) => id === typed);
    if (exact.length > 0) return [...exact, ...found.filter(({ id }) => id !== typed)];
    const own = typed === '' ? [] : [{ id: typed, known: this.#knownWords(typed), isAdded: false }];
    return found.length > 0 ? [...found, ...own] : own;
  });

  constructor(services: Needed, workers: WorkersState, connection: Connection) {
    this.#services = services;
    this.#workers = workers;
    this.connection = connection;
  }

  /** Shows the stored list, and requests a new one if there is none. */
  async open(): Promise<void> {
    void this.#workers.loadKnown();
    try {
      this.list = await (await this.#services.modelLists()).read(this.connection.id);
    } catch (thrown) {
      this.fault = toFault(thrown);
    }
    if (this.list === null) await this.refresh();
    else await this.#readTable();
  }

  /** Requests the list of models. */
  async refresh(): Promise<void> {
    this.stop();
    const { signal } = this.#stop;
    this.isListing = true;
    this.fault = null;
    try {
      const { list, unlisted } = await refreshModels(this.#services, this.#workers, this.connection, signal);
      this.fault = unlisted;
      this.list = list;
      await this.#readTable();
    } catch (thrown) {
      if (!isAbort(thrown) && !signal.aborted) this.fault = toFault(thrown);
    } finally {
      if (!signal.aborted) this.isListing = false;
    }
  }

  toggle(id: string): void {
    if (!this.chosen.delete(id)) this.chosen.add(id);
  }

  /** Checks the models of a pool under the limit. */
  async suggest(): Promise<void> {
    const usd = Number(this.limit);
    if (!(usd >= 0) || this.limit.trim() === '') {
      this.suggested = [];
      return;
    }
    await this.#workers.loadKnown();
    const history = await this.#services.runs.history().catch(() => []);
    const candidates = this.#rows.map(({ id, price }) => ({
      model: id,
      price: price ?? null,
      published: publishedRecord(this.#workers.known, { model: id }),
      graded: gradedOf(id, this.#workers.setups, history),
    }));
    this.suggested = suggestPool(candidates, usd);
    this.chosen.clear();
    const added = this.#rows.filter(({ isAdded }) => isAdded).map(({ id }) => id);
    for (const { model } of this.suggested) if (!added.includes(model)) this.chosen.add(model);
  }

  /** Adds the checked models as workers. @returns whether they were stored */
  async add(): Promise<boolean> {
    this.isAdding = true;
    this.fault = null;
    try {
      const others = [...this.#workers.all, ...this.#workers.unconfirmed];
      const used = { colours: others.map(({ colour }) => colour), marks: others.map(({ mark }) => mark) };
      const setups: WorkerSetup[] = [];
      for (const id of this.chosen) {
        const setup = this.#setupOf(id, used);
        used.colours.push(setup.colour);
        used.marks.push(setup.mark);
        setups.push(setup);
      }
      for (const setup of setups) await this.#workers.save(setup);
      this.chosen.clear();
      return true;
    } catch (thrown) {
      this.fault = toFault(thrown);
      return false;
    } finally {
      this.isAdding = false;
    }
  }

  #setupOf(
    model: string,
    used: { readonly colours: readonly number[]; readonly marks: readonly string[] },
  ): WorkerSetup {
    const { id: connection, baseUrl, needsKey, provider, limits } = this.connection;
    const listed = this.list?.models.find(({ id }) => id === model);
    const family = familyOf(this.#workers.known, { model });
    const table = listed?.price ? undefined : this.#table.get(model);
    const today = dayOf(Date.now());
    const contextWindow = listed?.contextWindow ?? family?.context?.tokens;
    const name = nameOf(model);
    return {
      id: `worker:${crypto.randomUUID()}`,
      connection,
      name,
      mark: freeMark(name, used.marks),
      colour: freeColour(used.colours),
      baseUrl,
      model,
      price: this.#priceOf({ id: model, ...listed }),
      ...(listed?.price ? { priced: { by: 'provider', date: today } } : {}),
      ...(table ? { priced: { by: 'table', date: table.date, source: table.source } } : {}),
      description: '',
      needsKey,
      ...(provider === undefined ? {} : { provider }),
      ...(limits ? { limits } : {}),
      ...((listed?.canSee ?? family?.vision?.reads) ? { canSee: true } : {}),
      ...(contextWindow === undefined ? {} : { contextWindow }),
      ...(listed ? { listed: listedFacts(listed) } : {}),
    };
  }

  #knownWords(model: string): string {
    const record = publishedRecord(this.#workers.known, { model });
    return DOMAINS.flatMap((domain) => {
      const score = record?.domains[domain]?.score;
      return score === undefined ? [] : [`${domain} ${Math.round(score)} %`];
    }).join(', ');
  }

  /** A model on a server of the user's own that runs models itself costs nothing a call. A proxy such as LiteLLM may cost. */
  #priceOf({ id, price }: Pick<ListedModel, 'id' | 'price'>): Price | null {
    const { place, key } = this.#services.providerOf(this.connection);
    const isFree = place === 'own' && key.needed === 'no' && !this.connection.needsKey;
    const free = isFree ? { input: 0, output: 0 } : null;
    return price ?? this.#table.get(id)?.price ?? free;
  }

  async #readTable(): Promise<void> {
    const provider = this.#services.providerOf(this.connection).id;
    for (const { id, price } of this.list?.models ?? []) {
      if (price) continue;
      const known = await this.#services.knownPrice(provider, id).catch(() => null);
      if (known) this.#table.set(id, known);
    }
  }

  /** Aborts the request in progress. */
  stop(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.isListing = false;
  }
}

/** The user's graded runs with workers of this model. */
function gradedOf(model: string, setups: readonly WorkerSetup[], history: readonly GradedRun[]) {
  const ids = setups.filter((setup) => setup.model === model).map(({ id }) => id);
  const played = history.filter((run) => run.played.some(({ workerId }) => ids.includes(workerId)));
  return played.length === 0 ? null : { right: played.filter(({ right }) => right).length, runs: played.length };
}
