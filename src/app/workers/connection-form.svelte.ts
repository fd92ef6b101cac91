/**
 * @file The form for a connection: its provider, address and key. Connecting lists the server's models, which shows that the
 * address and the key are right.
 */
import {
  isAbort,
  originOf,
  toFault,
  type Connection,
  type Extras,
  type Fault,
  type FoundServer,
  type LocalServer,
  type RateLimits,
} from '../../core/contract';
import { keepExtras } from '../../core/contract/worker/connection-extras';
import type { AddressChecker, KeyServices, ProviderPresets, WorkerServices } from '../services';
import type { WorkersState } from '../state/workers.svelte';
import { ExtrasForm } from './extras-form.svelte';
import { ServerForm } from './server-form.svelte';

type Needed = ProviderPresets &
  Pick<WorkerServices, 'tester' | 'modelLists'> &
  AddressChecker &
  Pick<KeyServices, 'keys'>;

interface ReadFields {
  readonly baseUrl: string;
  readonly limits: RateLimits | null;
  readonly extras: Extras;
}

export type ConnectionField = 'address' | 'key' | 'limits';

export class ConnectionForm {
  name = $state('');
  concurrent = $state('');
  requestsPerMinute = $state('');
  tokensPerMinute = $state('');
  problems: Partial<Record<ConnectionField, string>> = $state.raw({});
  isBusy = $state(false);
  /** Why the server can't be used. `null`: it was not tried, or it can be used. */
  fault: Fault | null = $state.raw(null);
  /** Servers on this computer. `null`: not looked for. */
  local: readonly LocalServer[] | null = $state.raw(null);
  readonly server: ServerForm;
  readonly extras: ExtrasForm;
  /** The connection being edited. `null` for a new one. */
  readonly before: Connection | null;
  readonly #services: Needed;
  readonly #workers: WorkersState;
  #stop = new AbortController();

  constructor(services: Needed, workers: WorkersState, before: Connection | null = null) {
    this.#services = services;
    this.#workers = workers;
    this.before = before;
    this.server = new ServerForm(services, before);
    this.extras = new ExtrasForm(services.keys, before);
    if (!before) return;
    this.name = before.name ?? '';
    this.concurrent = String(before.limits?.concurrent ?? '');
    this.requestsPerMinute = String(before.limits?.requestsPerMinute ?? '');
    this.tokensPerMinute = String(before.limits?.tokensPerMinute ?? '');
  }

  get providers(): Needed['providers'] {
    return this.#services.providers;
  }

  chooseProvider(id: string): void {
    const preset = this.#services.providers.find((each) => each.id === id);
    if (!preset) return;
    this.stop();
    this.server.choose(preset);
    this.problems = {};
    this.fault = null;
  }

  chooseLocal({ provider, baseUrl }: LocalServer): void {
    this.chooseProvider(provider);
    this.server.address = baseUrl;
  }

  /** Looks for servers on this computer. Only the user starts this. */
  async findLocal(): Promise<void> {
    await this.#while(async (signal) => {
      this.local = null;
      this.local = await (await this.#services.tester()).findLocal(signal);
    });
  }

  /**
   * Stores the connection and its key.
   * @param checked whether the server must answer first
   * @returns the connection, or `null` if a field has a problem or the server can't be used
   */
  async connect(checked = true): Promise<Connection | null> {
    const fields = this.#read();
    if (!fields) return null;
    return this.#while(async (signal) => {
      const { baseUrl, preset, extras } = fields;
      const tester = await this.#services.tester();
      const found: FoundServer | null = checked
        ? await tester.connect(baseUrl, this.server.keyFor(baseUrl), signal, preset, extras)
        : null;
      const connection = await this.#store({ ...fields, baseUrl: found?.baseUrl ?? baseUrl });
      const lists = await this.#services.modelLists();
      if (found)
        await lists.put({ connection: connection.id, baseUrl: found.baseUrl, at: Date.now(), models: found.models });
      return connection;
    });
  }

  async #store({ baseUrl, limits, extras }: ReadFields): Promise<Connection> {
    const { preset, needsKey } = this.server;
    const names = Object.keys(extras);
    const isDetected = this.#services.providerOf({ baseUrl }).id === preset.id;
    const found = await this.server.connect(
      {
        baseUrl,
        needsKey,
        ...(isDetected ? {} : { provider: preset.id }),
        ...(limits ? { limits } : {}),
        ...(names.length === 0 ? {} : { extraNames: names }),
      },
      this.#workers.connections,
    );
    keepExtras(this.#services.keys, found.id, originOf(baseUrl), extras);
    await this.#services.keys.settled?.();
    const name = this.name.trim();
    const connection = { ...found, ...(name === '' ? {} : { name }) };
    await this.#workers.saveConnection(connection);
    return connection;
  }

  #read(): (ReadFields & { readonly preset: string }) | null {
    const { preset, isConfirmed, hasKey } = this.server;
    const address = this.#services.checkAddress(this.server.address);
    const limits = readLimits(this.concurrent, this.requestsPerMinute, this.tokensPerMinute);
    const problems: Partial<Record<ConnectionField, string>> = {};
    if (!address.ok) problems.address = address.fault.message;
    else if (!isConfirmed) problems.address = UNCONFIRMED;
    if (preset.key.needed === 'yes' && !hasKey && !this.before) problems.key = `Paste a key for ${preset.label}.`;
    if (limits === 'unreadable') problems.limits = 'Enter whole numbers of 1 or more. Leave unknown limits empty.';
    this.problems = problems;
    this.fault = null;
    const extras = address.ok ? this.extras.read(address.baseUrl, this.server.hasKey) : null;
    if (!address.ok || limits === 'unreadable' || !extras || Object.keys(problems).length > 0) return null;
    return { baseUrl: address.baseUrl, limits, extras, preset: preset.id };
  }

  async #while<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result | null> {
    this.stop();
    const { signal } = this.#stop;
    this.isBusy = true;
    this.fault = null;
    try {
      return await work(signal);
    } catch (thrown) {
      if (!isAbort(thrown) && !signal.aborted) this.fault = toFault(thrown);
      return null;
    } finally {
      if (!signal.aborted) this.isBusy = false;
    }
  }

  /** Aborts the request in progress. */
  stop(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.isBusy = false;
  }
}

const UNCONFIRMED = 'This address came from a file. Check it, then press “Use this address”.';

/** Parses rate limits. `null`: all fields are empty, so Podium learns the limits from replies. */
function readLimits(...typed: readonly [string, string, string]): RateLimits | null | 'unreadable' {
  const read = typed.map((text) => (text.trim() === '' ? null : Number(text.trim().replaceAll(',', ''))));
  if (read.some((value) => value !== null && !(Number.isSafeInteger(value) && value >= 1))) return 'unreadable';
  const [concurrent = null, requestsPerMinute = null, tokensPerMinute = null] = read;
  return read.every((value) => value === null) ? null : { concurrent, requestsPerMinute, tokensPerMinute };
}
