/**
 * @file Keeps a run under its caps. The worst case of each call is reserved before the call is sent and settled after it
 * has ended, so that parallel calls cannot exceed a cap together.
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
  type Message,
  type Reservation,
  type ReserveResult,
  type Sampling,
} from '../contract';

type CapReached = Extract<EventBody, { type: 'cap-reached' }>;

/** Tolerance when sums of prices are compared with a cap, relative to the cap, because they are floating-point numbers. */
const ROUNDING = 1e-9;

export class CapsLedger {
  readonly #caps: Caps;
  readonly #reached: (event: CapReached) => void;
  readonly #reported = new Set<CapName>();
  readonly #spent: { calls: number; tokens: number; usd: number };
  readonly #underWay = new Set<Reservation>();

  /** @param reached called once for each cap that refuses a call */
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
    return this.#reported.size > 0;
  }

  /** Reserves the worst case of a call: a high estimate of its prompt, and all the tokens of its longest answer. */
  reserve(worker: Charged, messages: readonly Message[], sampling: Sampling): ReserveResult {
    const { calls } = this.#caps;
    const wantedCalls = this.#spent.calls + 1;
    if (wantedCalls > calls) return this.#refuse('calls', calls, wantedCalls);
    const result = this.#setAside(worker, messages, sampling);
    if (result.type === 'reserved') this.#spent.calls = wantedCalls;
    return result;
  }

  /** Like `reserve`, for a call to the Conductor's model. It doesn't count towards the cap on calls. */
  reservePlan(conductor: Charged, messages: readonly Message[], sampling: Sampling): ReserveResult {
    return this.#setAside(conductor, messages, sampling);
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
   * Books the actual cost of a call and releases its reservation.
   * @param reservation `null`: nothing was reserved for it
   * @param counted `false`: the call was never sent or hit a rate limit, so it doesn't count towards the cap on calls
   */
  settle(reservation: Reservation | null, account: Account, counted = true): void {
    if (reservation) this.#underWay.delete(reservation);
    if (!counted) this.#spent.calls = Math.max(0, this.#spent.calls - 1);
    this.book(account);
  }

  /** Books a cost that had no reservation. */
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
    if (!this.#reported.has(cap)) {
      this.#reported.add(cap);
      this.#reached({ type: 'cap-reached', cap, limit, wanted });
    }
    return { type: 'refused', fault: fault('cap-reached', capSentence(cap, limit, wanted)) };
  }
}

/** The caps that calls reserve a share of. */
const RESERVED = ['tokens', 'usd'] as const;

function capSentence(cap: 'calls' | 'tokens' | 'usd', limit: number, wanted: number): string {
  switch (cap) {
    case 'calls':
      return `This run is limited to ${limit} calls. Raise the limit and run again.`;
    case 'tokens':
      return `This run is limited to ${limit} tokens, and the next call could bring it to ${wanted}. Raise the limit or allow shorter answers, and run again.`;
    case 'usd':
      return `This run may cost at most ${money(limit)}, and the next call could bring it to ${money(wanted)}. Raise the limit or allow shorter answers, and run again.`;
    default:
      return cap satisfies never;
  }
}
