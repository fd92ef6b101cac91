/** @file The policies (small models that write workflows): the shipped one, the user's own ones, and the one in use. */
import type { ChangeNotices, KeptPolicy, PolicyFile } from '../../core/contract';
import { mayReplace } from '../../core/training/evaluation/gate';
import type { PolicyTraining } from '../services';
import { importPolicy } from './policy-files';
import type { PreferencesState } from './preferences.svelte';

export class PoliciesState {
  /** The user's own policies, newest first. */
  kept: readonly KeptPolicy[] = $state.raw([]);
  shipped: PolicyFile | null = $state.raw(null);
  /** Ids of policies that this version of Podium cannot read. */
  foreign: readonly string[] = $state.raw([]);
  /** Ids of policies that were deleted in this or another tab. Training must not store these policies again. */
  #deleted: readonly string[] = [];
  readonly #services: Omit<PolicyTraining, 'desk'>;
  readonly #notices: ChangeNotices;
  readonly #preferences: PreferencesState;

  constructor(services: Omit<PolicyTraining, 'desk'>, notices: ChangeNotices, preferences: PreferencesState) {
    this.#services = services;
    this.#notices = notices;
    this.#preferences = preferences;
  }

  /** `null`: the shipped policy is in use. */
  get inUse(): KeptPolicy | null {
    const policy = this.find(this.#preferences.current.policy);
    return policy && !this.foreign.includes(policy.id) ? policy : null;
  }

  find(id: string | null): KeptPolicy | null {
    return this.kept.find((policy) => policy.id === id) ?? null;
  }

  isDeleted(id: string): boolean {
    return this.#deleted.includes(id);
  }

  /** Reads the stored policies. If a known policy is no longer stored, another tab has deleted it. */
  async load(): Promise<void> {
    const before = this.kept;
    const [kept, shipped] = await Promise.all([this.#services.kept.list(), this.#services.shipped()]);
    const isKept = ({ id }: KeptPolicy) => kept.some((policy) => policy.id === id);
    const deleted = before.filter((policy) => !isKept(policy)).map(({ id }) => id);
    this.#deleted = [...this.#deleted.filter((id) => !kept.some((policy) => policy.id === id)), ...deleted];
    const meanwhile = this.kept.filter((policy) => !isKept(policy) && !this.isDeleted(policy.id));
    this.kept = [...meanwhile, ...kept];
    this.foreign = kept.filter(({ checkpoint }) => !this.#services.read(checkpoint)).map(({ id }) => id);
    this.shipped = shipped;
  }

  /** The file of the policy in use. Rejects if the shipped policy can't be loaded. */
  async fileInUse(): Promise<PolicyFile> {
    return this.inUse?.checkpoint ?? (this.shipped ??= await this.#services.shipped());
  }

  /** Whether a policy may replace the policy in use. */
  mayUse(policy: KeptPolicy): boolean {
    const inUse = this.inUse?.checkpoint ?? this.shipped;
    return inUse !== null && !this.foreign.includes(policy.id) && mayReplace(policy, inUse.revision);
  }

  /** Stores a policy, or replaces its stored version. @returns `false`: not stored, because the user has deleted the policy */
  async keep(policy: KeptPolicy): Promise<boolean> {
    if (this.isDeleted(policy.id)) return false;
    await this.#services.kept.put(policy);
    if (this.isDeleted(policy.id)) return false;
    this.kept = [policy, ...this.kept.filter(({ id }) => id !== policy.id)].toSorted(
      (one, other) => other.madeAt - one.madeAt,
    );
    return true;
  }

  /**
   * Makes a policy the one in use, in every tab from the next plan on. Does nothing if `mayUse` is `false`.
   * @param id `null`: the shipped policy
   */
  async use(id: string | null): Promise<void> {
    const policy = this.find(id);
    if (id !== null && !(policy && this.mayUse(policy))) return;
    this.#preferences.change({ policy: id });
    if (policy && !policy.wasUsed) await this.keep({ ...policy, wasUsed: true });
    await this.#preferences.whenWritten();
    this.#notices.notifyPolicies();
  }

  /** Deletes a policy. If it is in use, the shipped policy replaces it. */
  async delete(id: string): Promise<void> {
    if (this.#preferences.current.policy === id) this.#preferences.change({ policy: null });
    this.#deleted = [...this.#deleted, id];
    try {
      await this.#services.kept.delete(id);
    } catch (thrown) {
      this.#deleted = this.#deleted.filter((other) => other !== id);
      throw thrown;
    }
    this.kept = this.kept.filter((policy) => policy.id !== id);
    await this.#preferences.whenWritten();
    this.#notices.notifyPolicies();
  }

  /** Stores a policy from a file. The policy can be used once it has passed a comparison with the policy in use. */
  async import(file: File, made: Pick<KeptPolicy, 'id' | 'madeAt'>): Promise<void> {
    await this.keep(await importPolicy(file, (content) => this.#services.read(content), made));
  }
}
