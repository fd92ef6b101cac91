/** @file Asks a worker one item, and reads the answer. Planted answers are checked with the prompt that a check gets in a workflow. */
import {
  fault,
  FaultError,
  isAbort,
  mixSeed,
  renderPrompt,
  samplingOf,
  seededRandom,
  workerPrompt,
  type CallDay,
  type Clock,
  type Fault,
  type Message,
  type PaidReply,
  type WorkerClient,
  type Workflow,
} from '../../contract';
import {
  MEASURED_TOKENS,
  type MeasuredAnswer,
  type MeasuredItem,
  type MeasuredWorker,
} from '../../contract/measurement/measurement';
import { askWorker, type AskRoom } from '../../contract/money/ask-worker';
import { readVerdicts, verdictRequest } from '../../contract/workflow/read-verdicts';
import type { GradedTask, MadeTask } from './tasks';

const SOLVE = 'Solve the user question.';
const CHECK =
  'Check whether the response to the earlier subtask answers the user question. Work it out yourself first.';

const CHECKING: Workflow = {
  steps: [
    { subtask: SOLVE, worker: 0, access: [], role: 'solve' },
    { subtask: CHECK, worker: 0, access: [0], role: 'verify' },
  ],
};

/** The messages of an item with a generated task. */
export function itemMessages({ planted, seed }: MeasuredItem, task: MadeTask): readonly Message[] {
  if (planted === undefined) return solveMessages(task);
  return checkMessages(task, planted ? task.right : task.wrong(seededRandom(mixSeed(seed, 'planted'))));
}

/** Asks for the solution of a task. */
export function solveMessages({ question }: Pick<MadeTask, 'question'>): readonly Message[] {
  return [{ role: 'user', content: question }];
}

/** Asks for a verdict on a planted answer. */
function checkMessages({ question }: Pick<MadeTask, 'question'>, planted: string): readonly Message[] {
  const subtasks = CHECKING.steps.map(({ subtask }) => subtask);
  return renderPrompt(workerPrompt(CHECKING, 0, 1, undefined, [], verdictRequest([0])), {
    question,
    subtask: (_round, step) => subtasks[step],
    output: () => planted,
  });
}

export interface ItemParts {
  readonly client: WorkerClient;
  readonly day: CallDay;
  readonly clock: Clock;
  readonly room: AskRoom;
}

/** Maximum characters of an answer that are stored, from its end. */
const LONGEST_KEPT = 2_000;

const NO_ROOM = fault('cap-reached', 'Calls in progress have reserved the rest of the budget.', { retryable: true });
const CUT_OFF = fault('cut-off', 'The connection closed before the answer was complete.', { retryable: true });

/** Faults of a worker that can't be called at all, so that its next call would fail, too. */
const ENDING: ReadonlySet<Fault['code']> = new Set<Fault['code']>([
  'worker-missing',
  'offline',
  'unreachable',
  'bad-address',
  'unauthorized',
  'payment-required',
  'forbidden',
  'not-found',
  'rate-limited',
  'quota-spent',
  'cap-reached',
  'price-unknown',
  'no-workers',
  'storage-full',
  'storage-failed',
]);

export type ItemResult =
  | { readonly type: 'answer'; readonly answer: Omit<MeasuredAnswer, 'usd'> }
  /** The worker can't be called. */
  | { readonly type: 'ended'; readonly fault: Fault };

/** Rejects with an `AbortError` on abort. */
export async function askItem(
  { worker }: Pick<MeasuredWorker, 'worker'>,
  item: MeasuredItem,
  { task, messages }: { readonly task: GradedTask; readonly messages: readonly Message[] },
  { client, day, clock, room }: ItemParts,
  signal: AbortSignal,
): Promise<ItemResult> {
  const own = samplingOf(worker, { temperature: 0, maxTokens: MEASURED_TOKENS });
  const sampling = { ...own, maxTokens: Math.min(own.maxTokens, MEASURED_TOKENS) };
  const began = clock.monotonic();
  const asked = { worker, client, day, clock, noRoom: NO_ROOM, cutOff: CUT_OFF };
  let reply: PaidReply | null = null;
  let found: Fault | null;
  try {
    reply = await askWorker(asked, { messages, sampling, seed: item.seed, room }, signal);
    found = reply.fault;
  } catch (thrown) {
    if (isAbort(thrown) || !(thrown instanceof FaultError)) throw thrown;
    found = thrown.fault;
  }
  if (found && ENDING.has(found.code)) return { type: 'ended', fault: found };
  const ms = clock.monotonic() - began;
  return { type: 'answer', answer: { ...(await readAnswer(item, task, reply, found, signal)), ms } };
}

async function readAnswer(
  { planted }: MeasuredItem,
  task: GradedTask,
  reply: PaidReply | null,
  found: Fault | null,
  signal: AbortSignal,
): Promise<Omit<MeasuredAnswer, 'usd' | 'ms'>> {
  const output = reply?.output ?? '';
  const text = task.isConfidential ? '' : output.slice(-LONGEST_KEPT);
  const wrong = { right: false, readable: true, text };
  if (found?.code === 'content-filtered') return { ...wrong, end: 'refused', fault: found };
  if (found) return { ...wrong, end: 'failed', fault: found };
  if (reply?.finishReason === 'length') return { ...wrong, end: 'cut-off' };
  if (reply?.finishReason === 'content-filter') return { ...wrong, end: 'refused' };
  if (planted === undefined) {
    try {
      return { ...(await task.check(output, signal)), text, end: 'answered' };
    } catch (thrown) {
      if (isAbort(thrown) || !(thrown instanceof FaultError)) throw thrown;
      // The answer could not be graded, so it does not count.
      return { ...wrong, end: 'lost', fault: thrown.fault };
    }
  }
  const verdict = readVerdicts(output, [0])[0]?.verdict ?? 'unsure';
  return { end: 'answered', right: verdict === (planted ? 'right' : 'wrong'), readable: true, verdict, text };
}
