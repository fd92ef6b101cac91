/**
 * @file The ledger that keeps a run under its caps: the worst case of a call is reserved before it leaves and settled when
 * it has ended, so calls side by side cannot overshoot together.
 */
import {
  fault,
  money,
  priceUnknown,
  worstCost,
  worstInput,
  type Account,
  type CapName,
  type Caps,
  type Charged,
  type EventBody,
  type Fault,
  type Message,
  type Sampling,
} from '../contract';

type CapReached = Extract<EventBody, { type: 'cap-reached' }>;

/** What is set aside for a call that is under way. */
export interface Reservation {
  readonly tokens: number;
  readonly usd: number;
}

/**
 * - `reserved`: the call may leave
 * - `wait`: it fits only if calls under way turn out cheaper than reserved; ask again when one has settled
 * - `refused`: it can never fit
 */
export type ReserveResult =
  | { readonly type: 'reserved'; readonly reservation: Reservation }
  | { readonly type: 'wait' }
  | { readonly type: 'refused'; readonly fault: Fault };

export type PlanReserveResult = Exclude<ReserveResult, { readonly type: 'wait' }>;

/** Sums of prices are compared with this much leniency, relative to the cap: they are floating-point numbers. */
const ROUNDING = 1e-9;

export class CapsLedger {
  readonly #caps: Caps;
  readonly #reached: (event: CapReached) => void;
  readonly #told = new Set<CapName>();
  readonly #spent: { calls: number; tokens: number; usd: number };
  readonly #underWay = new Set<Reservation>();

  /** @param reached told once for each cap that refused a call */
  constructor(
    caps: Caps,
    spent: { readonly calls: number; readonly tokens: number; readonly usd: number },
    reached: (event: CapReached) => void,
  ) {
    this.#caps = caps;
    this.#reached = reached;
    this.#spent = { ...spent };
  }

  /** Whether any cap on calls, tokens or money has refused a call. */
  get exhausted(): boolean {
    return this.#told.size > 0;
  }

  /** Sets the worst case of a call aside: its prompt, guessed high, and all the tokens it may answer with. */
  reserve(worker: Charged, messages: readonly Message[], sampling: Sampling): ReserveResult {
    const { calls } = this.#caps;
    const wantedCalls = this.#spent.calls + 1;
    if (wantedCalls > calls) return this.#refuse('calls', calls, wantedCalls);
    const result = this.#setAside(worker, messages, sampling);
    if (result.type === 'reserved') this.#spent.calls = wantedCalls;
    return result;
  }

  /** As `reserve`, for what the Conductor asks its model: it waits for no other call, and does not count as one. */
  reservePlan(conductor: Charged, messages: readonly Message[], sampling: Sampling): PlanReserveResult {
    const result = this.#setAside(conductor, messages, sampling);
    return result.type === 'wait' ? { type: 'refused', fault: NO_ROOM_NOW } : result;
  }

  #setAside(who: Charged, messages: readonly Message[], { maxTokens }: Sampling): ReserveResult {
    const { tokens: tokenCap, usd: usdCap } = this.#caps;
    const input = tokenCap === null && usdCap === null ? 0 : worstInput(messages);
    const usd = worstCost(who, input, maxTokens);
    if (usdCap !== null && usd === null) return { type: 'refused', fault: priceUnknown(who.name) };
    const reservation = { tokens: input + maxTokens, usd: usd ?? 0 };
    let wait = false;
    for (const cap of RESERVED) {
      const limit = this.#caps[cap];
      if (limit === null || reservation[cap] === 0) continue;
      const most = limit * (1 + ROUNDING);
      const wanted = this.#spent[cap] + reservation[cap];
      if (wanted > most) return this.#refuse(cap, limit, wanted);
      wait ||= wanted + this.#held(cap) > most;
    }
    if (wait) return { type: 'wait' };
    this.#underWay.add(reservation);
    return { type: 'reserved', reservation };
  }

  /**
   * Books what a reserved call turned out to cost.
   * @param counted `false`: it never left, or was turned away for coming too soon, so it was no call
   */
  settle(reservation: Reservation, account: Account, counted = true): void {
    this.#underWay.delete(reservation);
    if (!counted) this.#spent.calls = Math.max(0, this.#spent.calls - 1);
    this.book(account);
  }

  /** Books what was spent without a reservation. */
  book({ usage, cost }: Account): void {
    this.#spent.tokens += usage ? usage.input + usage.output : 0;
    this.#spent.usd += cost ?? 0;
  }

  #held(cap: keyof Reservation): number {
    let held = 0;
    for (const reservation of this.#underWay) held += reservation[cap];
    return held;
  }

  #refuse(cap: 'calls' | 'tokens' | 'usd', limit: number, wanted: number): ReserveResult {
    if (!this.#told.has(cap)) {
      this.#told.add(cap);
      this.#reached({ type: 'cap-reached', cap, limit, wanted });
    }
    return { type: 'refused', fault: fault('cap-reached', capSentence(cap, limit, wanted)) };
  }
}

const NO_ROOM_NOW = fault(
  'cap-reached',
  'Calls under way may use up what the run may spend, so no plan can be asked for. Allow more and run again.',
);
/** The caps under which room is set aside. */
const RESERVED = ['tokens', 'usd'] as const;

function capSentence(cap: 'calls' | 'tokens' | 'usd', limit: number, wanted: number): string {
  switch (cap) {
    case 'calls':
      return `The run may make at most ${limit} calls. Allow more calls and run again.`;
    case 'tokens':
      return `The run may use at most ${limit} tokens, and the next call could bring it to ${wanted}. Allow more tokens, or shorter answers, and run again.`;
    case 'usd':
      return `The run may cost at most ${money(limit)}, and the next call could bring it to ${money(wanted)}. Allow more money, or shorter answers, and run again.`;
    default:
      return cap satisfies never;
  }
}
