/** @file Prepares a step's call: the client, the messages, and the digest of the messages. */
import {
  canSee,
  promptRoom,
  digestText,
  fault,
  FaultError,
  fitPrompt,
  renderPrompt,
  samplingOf,
  workerPrompt,
  type Message,
  type PoolWorker,
  type PromptMessage,
  type Step,
  type WorkerClient,
  type Workflow,
} from '../contract';
import { fitFiles } from '../contract/run/fit-files';
import type { RunContext } from './context';

/** The parts of a call that are the same for every attempt of a step. */
export interface PreparedCall {
  readonly worker: PoolWorker;
  readonly client: WorkerClient;
  readonly parts: readonly PromptMessage[];
  readonly messages: readonly Message[];
  readonly sha256: string;
  /** Failed steps that the step goes on without. */
  readonly without: readonly number[];
  /** For a check that is asked for verdicts: the answers that it sees. Otherwise empty. */
  readonly checked: readonly number[];
}

/** The parts of a run's context that a prompt depends on. */
export type CallContext = Pick<RunContext, 'snapshot' | 'workers' | 'sources' | 'digest' | 'played' | 'settling'>;

/**
 * Prepares the call of one step. Throws a `FaultError` if the pool has no such worker, or no client can call it.
 * @param planned the steps known so far, including this step and all steps that it sees
 * @param without failed steps that the step does not see after all
 */
export function prepareCall(
  context: CallContext,
  planned: Workflow,
  round: number,
  index: number,
  without: readonly number[],
): PreparedCall {
  const known = { steps: planned.steps.map((step, at) => (at === index ? seesLess(step, without) : step)) };
  const worker = context.snapshot.pool[known.steps[index]?.worker ?? -1];
  if (!worker)
    throw new FaultError(fault('worker-missing', `Step ${index + 1} names a worker that is not in the pool.`));
  const client = context.workers(worker);
  const hashes = context.snapshot.question.images?.map(({ hash }) => hash) ?? [];
  const room = promptRoom(worker.contextWindow, samplingOf(worker, context.snapshot.sampling).maxTokens);
  const settling = context.settling();
  const checked = settling?.checkedAnswers(known.steps, index) ?? [];
  const closing = checked.length > 0 ? settling?.verdictRequest(checked) : '';
  const whole = workerPrompt(known, round, index, { hashes, sent: canSee(worker) }, context.played(), closing);
  const shorter = fitPrompt([...systemPrompt(worker, context), ...whole], context.sources, { round, room });
  const fit = { window: worker.contextWindow, room };
  const parts = fitFiles(shorter, context.sources, context.snapshot.question, fit);
  const messages = renderPrompt(parts, context.sources);
  return { worker, client, parts, messages, sha256: context.digest(digestText(messages)), without, checked };
}

function systemPrompt({ system }: PoolWorker, { digest }: Pick<RunContext, 'digest'>): PromptMessage[] {
  return system ? [{ role: 'system', parts: [{ kind: 'blob', hash: digest(system), text: system }] }] : [];
}

function seesLess(step: Step, without: readonly number[]): Step {
  return without.length === 0 ? step : { ...step, access: step.access.filter((seen) => !without.includes(seen)) };
}
