/**
 * @file Simulates an evaluation of 100,000 tasks against a provider with limits per minute. Prints how long the evaluation takes,
 * how many calls the provider rejects, and how much processor time the simulation uses. Time is virtual. No server is called, and
 * nothing is asserted. Run with `npm run bench -- limits`, or with `npm run bench -- limits 1000` for fewer tasks.
 */
import { setMaxListeners } from 'node:events';
import { fault, LEARNED_LIMITS, mixSeed, seededRandom, type Clock, type RateLimits } from '../../src/core/contract';
import { retryDelay } from '../../src/core/contract/worker/retry';
import { VirtualClock } from '../../src/core/runs/virtual-clock';
import { createGate, type GateCall } from '../../src/platform/workers/limits/gate';
import type { Budgets } from '../../src/platform/workers/limits/read-limits';
import { table } from './report';

const TASKS = Number(process.argv[2] ?? 100_000);
/** Number of steps in a run. They run one after another. */
const STEPS = 3;
const INPUT = 1500;
/** Output tokens that each call reserves. */
const RESERVED = 2048;
/** Mean number of output tokens that a call writes. */
const WRITTEN = 600;
/** Mean time of an answer, ms. */
const ANSWER = 8000;
/** The provider's limits. */
const TOKENS_A_MINUTE = 2_000_000;
const REQUESTS_A_MINUTE = 5000;
/** Concurrent runs, summed over all processes. */
const JOBS = 256;
const MINUTE = 60_000;

/**
 * Simulates a provider whose budgets of tokens and requests refill continuously. A call takes the tokens that it reserves, and
 * returns those that its answer did not use.
 */
class Provider {
  readonly #clock: Clock;
  #tokens = TOKENS_A_MINUTE;
  #requests = REQUESTS_A_MINUTE;
  #filledAt: number;
  accepted = 0;
  refused = 0;
  used = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#filledAt = clock.now();
  }

  /** @returns after how many ms a rejected call may be retried, or `null` if the call is accepted */
  receive(tokens: number): number | null {
    this.#fill();
    const missing = Math.max((tokens - this.#tokens) / TOKENS_A_MINUTE, (1 - this.#requests) / REQUESTS_A_MINUTE);
    if (missing > 0) {
      this.refused += 1;
      return Math.ceil(missing * MINUTE);
    }
    this.accepted += 1;
    this.#tokens -= tokens;
    this.#requests -= 1;
    return null;
  }

  giveBack(tokens: number, used: number): void {
    this.#fill();
    this.used += used;
    this.#tokens = Math.min(TOKENS_A_MINUTE, this.#tokens + tokens - used);
  }

  budgets(): Budgets {
    const now = this.#clock.now();
    const missing = (TOKENS_A_MINUTE - this.#tokens) / TOKENS_A_MINUTE;
    return {
      tokens: { left: Math.floor(this.#tokens), resetAt: now + missing * MINUTE },
      requests: {
        left: Math.floor(this.#requests),
        resetAt: now + ((REQUESTS_A_MINUTE - this.#requests) / REQUESTS_A_MINUTE) * MINUTE,
      },
    };
  }

  #fill(): void {
    const now = this.#clock.now();
    const share = (now - this.#filledAt) / MINUTE;
    this.#filledAt = now;
    this.#tokens = Math.min(TOKENS_A_MINUTE, this.#tokens + share * TOKENS_A_MINUTE);
    this.#requests = Math.min(REQUESTS_A_MINUTE, this.#requests + share * REQUESTS_A_MINUTE);
  }
}

interface Scenario {
  readonly name: string;
  /** Number of processes that share the tasks. */
  readonly shards: number;
  /** The limits that the user entered, as a share of the provider's limits. `null`: none. */
  readonly entered: number | null;
  /** Whether the client can read the headers of replies. */
  readonly hasHeaders: boolean;
  /** Maximum number of parallel calls. Absent: no maximum. */
  readonly places?: number;
}

const SCENARIOS: readonly Scenario[] = [
  { name: 'limits entered', shards: 1, entered: 1, hasHeaders: false },
  { name: 'limits entered, 16 parallel calls as in a page', shards: 1, entered: 1, hasHeaders: false, places: 16 },
  { name: 'limits read from headers', shards: 1, entered: null, hasHeaders: true },
  { name: 'limits learned from rate-limit errors', shards: 1, entered: null, hasHeaders: false },
  { name: '8 shards, an eighth of the limits entered in each', shards: 8, entered: 1 / 8, hasHeaders: false },
  { name: '8 shards, limits read from headers', shards: 8, entered: null, hasHeaders: true },
  { name: '8 shards, limits learned from rate-limit errors', shards: 8, entered: null, hasHeaders: false },
];

interface Played {
  readonly provider: Provider;
  /** Virtual time, ms. */
  readonly time: number;
  readonly failed: number;
  /** Processor time of the whole simulation, s. */
  readonly cpu: number;
}

async function play({ shards, entered, hasHeaders, places = Number.POSITIVE_INFINITY }: Scenario): Promise<Played> {
  const clock = new VirtualClock(0, () => new Promise((resolve) => setImmediate(resolve)));
  const provider = new Provider(clock);
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const random = seededRandom(1);
  const limits: RateLimits =
    entered === null
      ? LEARNED_LIMITS
      : {
          ...LEARNED_LIMITS,
          requestsPerMinute: Math.floor(REQUESTS_A_MINUTE * entered),
          tokensPerMinute: Math.floor(TOKENS_A_MINUTE * entered),
          concurrent: Math.ceil(JOBS / shards),
        };
  const tokens = INPUT + RESERVED;
  const call: GateCall = {
    origin: 'https://provider.example',
    lane: 'key',
    limits,
    tokens,
    places,
  };
  let failed = 0;
  let left = TASKS;
  const before = process.cpuUsage();

  async function callOnce(gate: ReturnType<typeof createGate>): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      const pass = gate.enter(call);
      await pass.entered;
      const retryAfter = provider.receive(tokens);
      if (hasHeaders) pass.reportBudgets(provider.budgets());
      if (retryAfter === null) {
        pass.accept();
        const written = WRITTEN * (0.5 + random());
        await clock.sleep(ANSWER * (0.5 + random()), signal);
        provider.giveBack(tokens, INPUT + written);
        pass.leave(INPUT + written);
        return true;
      }
      pass.refuse({ retryAfter, learned: {} });
      pass.leave(0);
      const refused = fault('rate-limited', 'Too many requests.', { retryable: true, retryAfter });
      const delay = retryDelay(refused, attempt, mixSeed(1, provider.refused));
      if (delay === null) return false;
      await clock.sleep(delay, signal);
    }
  }

  async function work(gate: ReturnType<typeof createGate>): Promise<void> {
    while (left > 0) {
      left -= 1;
      for (let step = 0; step < STEPS; step += 1) {
        if (await callOnce(gate)) continue;
        failed += 1;
        break;
      }
    }
  }

  const gates = Array.from({ length: shards }, () => createGate(clock));
  await Promise.all(gates.flatMap((gate) => Array.from({ length: JOBS / shards }, () => work(gate))));
  const { user, system } = process.cpuUsage(before);
  return { provider, time: clock.now(), failed, cpu: (user + system) / 1e6 };
}

const rows: string[][] = [];
for (const scenario of SCENARIOS) {
  const { provider, time, failed, cpu } = await play(scenario);
  const minutes = time / MINUTE;
  const share = provider.used / minutes / TOKENS_A_MINUTE;
  rows.push([
    scenario.name,
    `${(minutes / 60).toFixed(1)} h`,
    `${(share * 100).toFixed(0)} %`,
    `${((100 * provider.refused) / (provider.accepted + provider.refused)).toFixed(2)} %`,
    `${failed}`,
    `${((1000 * cpu) / provider.accepted).toFixed(2)} ms`,
  ]);
}
table(
  (line) => console.log(line),
  `${TASKS.toLocaleString('en')} tasks of ${STEPS} calls, ${JOBS} runs at a time, at most ${TOKENS_A_MINUTE.toLocaleString('en')} tokens and ${REQUESTS_A_MINUTE.toLocaleString('en')} requests a minute`,
  ['', 'time', 'of the token limit used', 'rejected calls', 'failed tasks', 'processor time a call'],
  rows,
);
