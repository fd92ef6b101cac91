/**
 * @file Lets one worker alone answer the question of a finished run, if the question was drawn. Each record of the call is an event
 * of the run. If the call may cost money, its maximum cost is recorded before it is sent. So the cost counts even if the page closes
 * before the worker answers, and no call is repeated without the user.
 */
import {
  aloneWorker,
  fault,
  FaultError,
  isAbort,
  isFree,
  isLocal,
  mixSeed,
  priceUnknown,
  samplingOf,
  seededRandom,
  sha256Hex,
  sourcesOf,
  spentOnAnswer,
  type Account,
  type AloneAnswer,
  type CallDay,
  type Clock,
  type Fault,
  type Message,
  type PairBody,
  type PoolWorker,
  type Run,
  type Usage,
  type WorkerDirectory,
  type Workflow,
} from '../../contract';
import { askWorker, type AskRoom } from '../../contract/money/ask-worker';
import { worstInput } from '../../contract/money/estimate';
import { finalFault } from '../../contract/worker/retry';
import { drawnSteps } from '../../conductor/equal-calls';
import { oneStep } from '../../conductor/templates/template';
import { voteSteps } from '../../conductor/templates/vote';
import { countVotes } from '../../graders/count-votes';
import { emptyReply } from '../../executor/empty-reply';
import { prepareCall } from '../../executor/prepare-call';

export interface AskAloneOptions {
  readonly workers: WorkerDirectory;
  readonly clock: Pick<Clock, 'sleep'>;
  /** The ledger of the daily budget. `null`: no daily budget applies. */
  readonly day: CallDay | null;
  /** Whether no server may be called. */
  readonly isPrivate: boolean;
  readonly write: (body: PairBody) => Promise<Run>;
}

/**
 * The worker gets the prompt of a plan with a single step. At equal cost, it then gets the steps of a vote. A call that fails is
 * recorded, too.
 * @returns the run with the record. Rejects with an `AbortError` on abort, or with a `FaultError` if the record can't be stored
 */
export async function askAlone(run: Run, options: AskAloneOptions, signal: AbortSignal): Promise<Run> {
  const worker = aloneWorker(run);
  if (!worker || run.answer === null || (run.aloneAnswer && !run.aloneAnswer.pending)) return run;
  const asking = new Asking(run, worker, options);
  try {
    if (options.isPrivate && !isLocal(worker)) throw new FaultError(PRIVATE);
    const place = run.pool.indexOf(worker);
    const first = await asking.answer({ steps: [oneStep(place)] }, 0, [], signal);
    const output = run.alone?.equalCost ? await voteFrom(first, asking, place, signal) : first;
    return await asking.record({ output });
  } catch (thrown) {
    if (thrown instanceof FaultError) return asking.record({ output: null, fault: thrown.fault });
    if (asking.isSent) await asking.record({ output: null, fault: STOPPED });
    throw thrown;
  }
}

/**
 * The most frequent answer of as many as the cost of the run buys, judged by the cost of the first one. Answers that can't be
 * compared use one more call to choose. If the limits or a fault prevent a call, the answers so far count.
 */
async function voteFrom(first: string, asking: Asking, place: number, signal: AbortSignal): Promise<string> {
  const { run } = asking;
  const random = seededRandom(mixSeed(run.seed, 'equal cost', run.question.text));
  const steps = voteSteps(place, drawnSteps(asking.affordable, random) ?? 1);
  const outputs = [first];
  const isVote = steps.at(-1)?.agreement !== undefined;
  while (outputs.length < steps.length) {
    const most = steps[outputs.length]?.agreement ? countVotes(outputs) : null;
    if (most) return outputs[most.from] ?? first;
    try {
      outputs.push(await asking.answer({ steps }, outputs.length, outputs, signal));
    } catch (thrown) {
      if (isAbort(thrown) || !(thrown instanceof FaultError)) throw thrown;
      return outputs[isVote ? (countVotes(outputs)?.from ?? 0) : 0] ?? first;
    }
  }
  return outputs.at(-1) ?? first;
}

/** The calls to the worker, and what they have cost. */
class Asking {
  readonly run: Run;
  /** Whether a call was sent. */
  isSent = false;
  readonly #worker: PoolWorker;
  readonly #options: AskAloneOptions;
  #calls = 0;
  /** If an earlier call was cut off with its page, its maximum still counts. */
  #spent: Account;
  /** Cost of the last call in US dollars. `null`: unknown. */
  #last: number | null = null;

  constructor(run: Run, worker: PoolWorker, options: AskAloneOptions) {
    this.run = run;
    this.#worker = worker;
    this.#options = options;
    this.#spent = run.aloneAnswer ?? { usage: null, cost: 0 };
  }

  /** How many calls like the last one the cost of the run buys, at least 1. Without known prices: the number of its calls. */
  get affordable(): number {
    const { usd, unpriced, calls } = spentOnAnswer(this.run);
    const isPriced = unpriced === 0 && this.#last !== null && this.#last > 0;
    return Math.max(1, isPriced && this.#last ? usd / this.#last : calls);
  }

  async record(call: Pick<AloneAnswer, 'output' | 'fault' | 'pending'>, spent: Account = this.#spent): Promise<Run> {
    const { usage, cost, billed } = spent;
    const calls = this.#calls > 1 ? { calls: this.#calls } : {};
    return this.#options.write({
      type: 'alone-answered',
      usage,
      cost,
      ...(billed ? { billed } : {}),
      ...calls,
      ...call,
    });
  }

  /** Rejects with a `FaultError` if the call fails, or is not allowed. @param outputs the outputs of the earlier steps */
  async answer(planned: Workflow, index: number, outputs: readonly string[], signal: AbortSignal): Promise<string> {
    const worker = this.#worker;
    const { workers, day, clock } = this.#options;
    const { client, messages } = prepared(this.run, planned, index, outputs, workers);
    const asked = { worker, client, day, clock, noRoom: NO_ROOM, cutOff: CUT_OFF };
    const sampling = samplingOf(worker, this.run.sampling);
    const seed = index === 0 ? this.run.seed : mixSeed(this.run.seed, 'answer alone', index);
    const question = { messages, sampling, seed, room: this.#roomFor(messages) };
    const { output, finishReason, fault: found } = await askWorker(asked, question, signal);
    const failed = found ? finalFault(found) : emptyReply(output, finishReason, worker, null);
    if (failed) throw new FaultError(failed);
    return output;
  }

  #roomFor(messages: readonly Message[]): AskRoom {
    return async (usd) => {
      const refused = refusalOf(this.run, this.#worker, messages, { spent: this.#spent, calls: this.#calls, usd });
      if (refused) throw new FaultError(refused);
      return {
        reserve: () => ({ type: 'reserved', reservation: null }),
        announce: async () => {
          this.isSent = true;
          this.#calls += 1;
          if (!isFree(this.#worker)) {
            await this.record({ output: null, pending: true }, sumOf(this.#spent, { usage: null, cost: usd }));
          }
        },
        // If the reply was cut off, the cost of the call is unknown. Then its maximum counts.
        settle: (_reservation, account) => {
          this.#last = account.cost ?? usd;
          this.#spent = sumOf(this.#spent, { ...account, cost: this.#last });
        },
      };
    };
  }
}

/** The prompt of a step of a run. */
function prepared(
  run: Run,
  planned: Workflow,
  index: number,
  outputs: readonly string[],
  workers: AskAloneOptions['workers'],
) {
  const { question } = sourcesOf(run);
  const context = {
    snapshot: run,
    workers,
    digest: sha256Hex,
    sources: {
      question,
      subtask: (_round: number, step: number) => planned.steps[step]?.subtask,
      output: (_round: number, step: number) => outputs[step],
    },
    played: () => [],
    settling: () => null,
  };
  return prepareCall(context, planned, 0, index, []);
}

interface NextCall {
  /** What the earlier calls have cost. */
  readonly spent: Account;
  readonly calls: number;
  /** Maximum cost of the call. `null`: unknown. */
  readonly usd: number | null;
}

/** Why the caps of the run forbid the call. `null`: they allow it. */
function refusalOf(run: Run, worker: PoolWorker, messages: readonly Message[], next: NextCall): Fault | null {
  const { caps, sampling } = run;
  // Without earlier records of the second answer, which are in `next`.
  const { calls, input, output, usd } = spentOnAnswer({ ...run, compared: [] });
  if (calls + next.calls >= caps.calls) return OVER_CAP;
  const { input: asked = 0, output: told = 0 } = next.spent.usage ?? {};
  const tokens = asked + told + worstInput(messages) + samplingOf(worker, sampling).maxTokens;
  if (caps.tokens !== null && input + output + tokens > caps.tokens) return OVER_CAP;
  if (caps.usd === null) return null;
  if (next.usd === null || next.spent.cost === null) return priceUnknown(worker.name);
  return usd + next.spent.cost + next.usd > caps.usd ? OVER_CAP : null;
}

function sumOf(one: Account, other: Account): Account {
  const billed = (one.billed ?? one.cost === 0) && other.billed === true;
  return {
    usage: one.usage && other.usage ? sumOfUsage(one.usage, other.usage) : (other.usage ?? one.usage),
    cost: one.cost === null || other.cost === null ? null : one.cost + other.cost,
    ...(billed ? { billed } : {}),
  };
}

function sumOfUsage(one: Usage, other: Usage): Usage {
  return {
    ...other,
    input: one.input + other.input,
    output: one.output + other.output,
    ...(one.estimated || other.estimated ? { estimated: true } : {}),
  };
}

const OVER_CAP = fault('cap-reached', 'The limits of the run leave no room for the second answer.');
const PRIVATE = fault('cap-reached', 'Private is on, so that no server may be called.');
const STOPPED = fault('interrupted', 'The second answer was stopped.');
const NO_ROOM = fault('cap-reached', 'Calls in progress have reserved too much of the daily budget.');
const CUT_OFF = fault('cut-off', 'The connection closed before the second answer was complete.');
