/**
 * @file Lets one worker alone answer the question of a finished run, if the question was drawn. Each record of the call is an event
 * of the run. If the call may cost money, its maximum cost is recorded before it is sent. So the cost counts even if the page closes
 * before the worker answers, and no call is repeated without the user.
 */
import {
  aloneWorker,
  fault,
  FaultError,
  isFree,
  isLocal,
  priceUnknown,
  samplingOf,
  sha256Hex,
  sourcesOf,
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
} from '../../contract';
import { askWorker, type AskRoom } from '../../contract/money/ask-worker';
import { worstInput } from '../../contract/money/estimate';
import { finalFault } from '../../contract/worker/retry';
import { oneStep } from '../../conductor/templates/template';
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
 * The worker gets the prompt of a plan with a single step. A call that fails is recorded, too.
 * @returns the run with the record. Rejects with an `AbortError` on abort, or with a `FaultError` if the record can't be stored
 */
export async function askAlone(run: Run, options: AskAloneOptions, signal: AbortSignal): Promise<Run> {
  const worker = aloneWorker(run);
  if (!worker || run.answer === null || (run.aloneAnswer && !run.aloneAnswer.pending)) return run;
  // If an earlier call was cut off with its page, its maximum still counts.
  let spent: Account = run.aloneAnswer ?? { usage: null, cost: 0 };
  let isSent = false;
  const record = (call: Pick<AloneAnswer, 'output' | 'fault' | 'pending'>, { usage, cost, billed }: Account = spent) =>
    options.write({ type: 'alone-answered', usage, cost, ...(billed ? { billed } : {}), ...call });
  const close = (found: Fault) => record({ output: null, fault: found });
  const roomFor =
    (messages: readonly Message[]): AskRoom =>
    async (usd) => {
      const refused = refusalOf(run, worker, messages, usd === null ? null : usd + (spent.cost ?? 0));
      if (refused) throw new FaultError(refused);
      return {
        reserve: () => ({ type: 'reserved', reservation: null }),
        async announce() {
          isSent = true;
          if (!isFree(worker)) {
            await record({ output: null, pending: true }, sumOf(spent, { usage: null, cost: usd }));
          }
        },
        // If the reply was cut off, the cost of the call is unknown. Then its maximum counts.
        settle: (_reservation, account) =>
          (spent = sumOf(spent, account.cost === null ? { ...account, cost: usd } : account)),
      };
    };
  try {
    if (options.isPrivate && !isLocal(worker)) throw new FaultError(PRIVATE);
    const { client, messages } = prepared(run, worker, options);
    const asked = { worker, client, day: options.day, clock: options.clock, noRoom: NO_ROOM, cutOff: CUT_OFF };
    const sampling = samplingOf(worker, run.sampling);
    const question = { messages, sampling, seed: run.seed, room: roomFor(messages) };
    const { output, finishReason, fault: found } = await askWorker(asked, question, signal);
    const failed = found ? finalFault(found) : emptyReply(output, finishReason, worker, null);
    return await (failed ? close(failed) : record({ output }));
  } catch (thrown) {
    if (thrown instanceof FaultError) return close(thrown.fault);
    if (isSent) await close(STOPPED);
    throw thrown;
  }
}

/** The prompt of a step that sees nothing but the question, as in a run with a single step. */
function prepared(run: Run, worker: PoolWorker, { workers }: AskAloneOptions) {
  const { question } = sourcesOf(run);
  const step = oneStep(run.pool.indexOf(worker));
  const context = {
    snapshot: run,
    workers,
    digest: sha256Hex,
    sources: { question, subtask: () => step.subtask, output: () => undefined },
    played: () => [],
    settling: () => null,
  };
  return prepareCall(context, { steps: [step] }, 0, 0, []);
}

/** Why the caps of the run forbid the call. `null`: they allow it. @param usd maximum cost of the second answer. `null`: unknown */
function refusalOf(
  { caps, spent, aloneAnswer, sampling }: Run,
  worker: PoolWorker,
  messages: readonly Message[],
  usd: number | null,
): Fault | null {
  if (spent.calls >= caps.calls) return OVER_CAP;
  const tokens = worstInput(messages) + samplingOf(worker, sampling).maxTokens;
  if (caps.tokens !== null && spent.input + spent.output + tokens > caps.tokens) return OVER_CAP;
  if (caps.usd === null) return null;
  if (usd === null) return priceUnknown(worker.name);
  return spent.usd - (aloneAnswer?.cost ?? 0) + usd > caps.usd ? OVER_CAP : null;
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
