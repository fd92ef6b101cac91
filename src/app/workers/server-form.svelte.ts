/** @file Holds the provider, address and key in the worker form, and decides whether the key may be sent to that address. */
import {
  isSameServer,
  keyIdOf,
  originOf,
  type Connection,
  type ProviderPreset,
  type WorkerSetup,
} from '../../core/contract';
import type { AddressChecker, KeyServices, WorkerServices } from '../services';

type Needed = Pick<WorkerServices, 'providers' | 'providerOf'> & AddressChecker & Pick<KeyServices, 'keys'>;
/** The fields of the edited worker that this form needs. */
type ServerSetup = Pick<WorkerSetup, 'id' | 'connection' | 'provider' | 'baseUrl' | 'needsKey' | 'unconfirmed'>;

type ConnectedServer = Pick<WorkerSetup, 'baseUrl' | 'needsKey' | 'provider' | 'limits'>;

export class ServerForm {
  /** Id of the provider’s preset. `''` until the user chooses a provider. */
  provider = $state('');
  address = $state('');
  key = $state('');
  /** The origin of an address that came from a file, after the user has confirmed it in this form. `''`: none. */
  #confirmedOrigin = $state('');
  readonly #services: Needed;
  readonly #others: readonly string[];
  readonly #before: ServerSetup | null;

  /** @param others ids of connections. At a service, their keys for the same origin may be reused */
  constructor(services: Needed, others: readonly string[], before: ServerSetup | null) {
    this.#services = services;
    this.#others = others;
    this.#before = before;
    if (!before) return;
    this.provider = services.providerOf(before).id;
    this.address = before.baseUrl;
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
  readonly acceptsKey: boolean = $derived.by(
    () => this.preset.key.needed !== 'no' || (this.#before?.needsKey ?? false),
  );
  /** Whether the provider has a fixed address, which need not be shown. */
  readonly isService: boolean = $derived.by(() => this.provider !== '' && this.preset.place === 'service');
  /**
   * Whether anything may be sent to the address. `false` for an address that came from a file, until the user confirms it or
   * types another. This prevents a crafted file from obtaining a key that the user types.
   */
  readonly isConfirmed: boolean = $derived.by(() => {
    const before = this.#before;
    if (before === null || this.isService || !this.#isFromFile(before)) return true;
    // Compares hosts, because an address with another scheme at the same host still counts as the address from the file.
    const read = this.#services.checkAddress(before.baseUrl);
    const isTyped = read.ok && hostOf(this.#origin) !== hostOf(originOf(read.baseUrl));
    return isTyped || this.#origin === this.#confirmedOrigin;
  });

  /** The value of `needsKey` for the saved worker. */
  get needsKey(): boolean {
    if (this.isService) return this.preset.key.needed === 'yes';
    return this.hasKey || (this.#before?.needsKey ?? false);
  }

  choose({ id, baseUrl }: ProviderPreset): void {
    this.provider = id;
    this.address = baseUrl;
    this.key = '';
  }

  /** Call when the user confirms the address from a file. */
  confirm(): void {
    this.#confirmedOrigin = this.#origin;
  }

  /** The typed key, or a known key for the same origin. */
  keyFor(baseUrl: string): string | null {
    const typed = this.key.trim();
    if (typed !== '') return typed;
    const origin = originOf(baseUrl);
    // At a service, one key is valid for all models. The user's own server may need no key, so keys of other connections are
    // not sent to this server.
    const shared = this.isService ? this.#others : [];
    const ids = [this.#before ? keyIdOf(this.#before) : undefined, ...shared];
    for (const id of ids) {
      const key = id === undefined ? null : this.#services.keys.get(id, origin);
      if (key !== null) return key;
    }
    return null;
  }

  /**
   * Stores the key for the worker's connection: the connection to the same server with the same key, or a new one.
   * Rejects with a `FaultError` if that fails. @returns the connection
   */
  async connect(setup: ConnectedServer, connections: readonly Connection[]): Promise<Connection> {
    const { baseUrl, needsKey, provider, limits } = setup;
    const { keys } = this.#services;
    const origin = originOf(baseUrl);
    const key = needsKey ? this.keyFor(baseUrl) : null;
    const before = this.#before?.connection;
    const found = connections.find(
      (each) => isSameServer(each, setup) && (each.id === before || [null, key].includes(keys.get(each.id, origin))),
    );
    const isEdited = before !== undefined && before === this.#before?.id;
    const id = isEdited ? before : (found?.id ?? `connection:${crypto.randomUUID()}`);
    if (key !== null) keys.set(id, origin, key);
    // The key was for another origin, or the server needs none any more.
    else if (isEdited && keys.get(id, origin) === null) keys.forget(id);
    await keys.settled?.();
    return { id, baseUrl, needsKey, ...(provider === undefined ? {} : { provider }), ...(limits ? { limits } : {}) };
  }

  #keptKey(): string | null {
    const address = this.#services.checkAddress(this.address);
    return address.ok ? this.keyFor(address.baseUrl) : null;
  }

  /**
   * Whether the stored address came from a file and is not confirmed. Older versions did not mark such
   * addresses. But the form of these versions saved every worker of a known service with the service's own
   * address. So if a worker of a known service has a different address, this address came from a file.
   */
  #isFromFile(setup: ServerSetup): boolean {
    if (setup.unconfirmed === true) return true;
    const named = this.#services.providers.find(({ id }) => id === setup.provider);
    return named?.place === 'service' && this.#services.providerOf(setup).id !== named.id;
  }
}

function hostOf(origin: string): string {
  return origin.replace(/^https?:\/\//, '');
}
