/** @file Holds the provider, address and key in the form for a connection, and decides whether the key may be sent to that address. */
import { isSameServer, originOf, type Connection, type ProviderPreset } from '../../core/contract';
import type { AddressChecker, KeyServices, ProviderPresets } from '../services';

type Needed = ProviderPresets & AddressChecker & Pick<KeyServices, 'keys'>;
type ConnectedServer = Omit<Connection, 'id' | 'name' | 'unconfirmed'>;

export class ServerForm {
  /** Id of the provider’s preset. `''` until the user chooses a provider. */
  provider = $state('');
  address = $state('');
  key = $state('');
  /** The origin of an address that came from a file, after the user has confirmed it in this form. `''`: none. */
  #confirmedOrigin = $state('');
  readonly #services: Needed;
  readonly #before: Connection | null;

  /** @param before the connection being edited. `null` for a new one */
  constructor(services: Needed, before: Connection | null) {
    this.#services = services;
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
    if (before === null || this.isService || !(before.unconfirmed || isImitation(this.#services, before))) return true;
    // Compares hosts, because an address with another scheme at the same host still counts as the address from the file.
    const read = this.#services.checkAddress(before.baseUrl);
    const isTyped = read.ok && hostOf(this.#origin) !== hostOf(originOf(read.baseUrl));
    return isTyped || this.#origin === this.#confirmedOrigin;
  });

  /** The value of `needsKey` for the saved connection. */
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

  /** The typed key, or the connection's key for the same origin. */
  keyFor(baseUrl: string): string | null {
    const typed = this.key.trim();
    if (typed !== '') return typed;
    return this.#before ? this.#services.keys.get(this.#before.id, originOf(baseUrl)) : null;
  }

  /**
   * Stores the key for the edited connection, for the connection to the same server with the same key, or for a new one.
   * Rejects with a `FaultError` if that fails. @returns the connection
   */
  async connect(server: ConnectedServer, connections: readonly Connection[]): Promise<Connection> {
    const { keys } = this.#services;
    const origin = originOf(server.baseUrl);
    const key = server.needsKey ? this.keyFor(server.baseUrl) : null;
    const isShared = (each: Connection) =>
      isSameServer(each, server) &&
      !each.extraNames &&
      !server.extraNames &&
      [null, key].includes(keys.get(each.id, origin));
    const found = this.#before ?? connections.find(isShared);
    const id = found?.id ?? `connection:${crypto.randomUUID()}`;
    if (key !== null) keys.set(id, origin, key);
    // A key is forgotten with its origin.
    else if (this.#before && originOf(this.#before.baseUrl) !== origin) keys.forget(id);
    await keys.settled?.();
    return { id, ...server };
  }

  #keptKey(): string | null {
    const address = this.#services.checkAddress(this.address);
    return address.ok ? this.keyFor(address.baseUrl) : null;
  }
}

/**
 * Whether a connection names a known service, but has a different address. Older versions did not mark addresses from files, but
 * their form saved every worker of a known service with the service's own address. So such an address came from a file.
 */
export function isImitation(
  { providers, providerOf }: ProviderPresets,
  connection: Pick<Connection, 'provider' | 'baseUrl'>,
): boolean {
  const named = providers.find(({ id }) => id === connection.provider);
  return named?.place === 'service' && providerOf(connection).id !== named.id;
}

function hostOf(origin: string): string {
  return origin.replace(/^https?:\/\//, '');
}
