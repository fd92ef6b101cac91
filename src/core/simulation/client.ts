/**
 * @file The client that calls simulated workers. It streams the text of each worker at the worker's pace, as a server would.
 */
import {
  abortError,
  fault,
  mixSeed,
  seededRandom,
  type Clock,
  type Fault,
  type Message,
  type Usage,
  type WorkerClient,
  type WorkerEvent,
  type WorkerOptions,
} from '../contract';
import { SIMULATED_WORKERS, type SimulatedProfile } from './profiles';
import { workFor } from './work';

interface SimulationOptions {
  readonly clock: Clock;
  /** Factor on the workers' pace: with 2, they are twice as fast. Default 1. */
  readonly speed?: number;
  /** The available workers. Default: the five built-in ones. */
  readonly profiles?: readonly SimulatedProfile[];
  /**
   * Whether to stream the text in only two pieces: the first word, and later all other words. This saves timers in evaluations.
   * Default false.
   */
  readonly isCoarse?: boolean;
}

const CHARACTERS_PER_TOKEN = 4;

/** Creates one client for all simulated workers. `worker.id` in the options of a call selects the worker. */
export function createSimulatedWorkers(options: SimulationOptions): WorkerClient {
  const profiles = new Map((options.profiles ?? SIMULATED_WORKERS).map((profile) => [profile.id, profile]));
  return {
    run: (messages, call, signal) => run(profiles.get(call.worker.id), messages, call, options, signal),
  };
}

async function* run(
  profile: SimulatedProfile | undefined,
  messages: readonly Message[],
  call: WorkerOptions,
  { clock, speed = 1, isCoarse = false }: SimulationOptions,
  signal: AbortSignal,
): AsyncGenerator<WorkerEvent> {
  if (signal.aborted) throw abortError();
  if (!profile) {
    const message = `There is no simulated worker ${call.worker.name}. Choose another worker.`;
    yield failed(fault('worker-missing', message), null);
    return;
  }
  const input = tokensIn(messages.map((message) => message.content).join(''));
  await clock.sleep(profile.pace.firstToken / speed, signal);
  const overloaded = seededRandom(mixSeed(profile.id, call.seed, call.attempt, 'fault'))() < profile.faultRate;
  if (overloaded) {
    const message = `${profile.name} is overloaded (simulated). Podium retries automatically.`;
    yield failed(fault('overloaded', message, { retryable: true }), null);
    return;
  }
  const work = workFor(profile, messages, call.seed);
  if (!work.ok) {
    yield failed(work.fault, { input, output: 0, estimated: true });
    return;
  }
  const most = Math.max(1, call.maxTokens) * CHARACTERS_PER_TOKEN;
  const text = work.text.slice(0, most);
  const words = text.match(/(?<!\s)\s*\S+/g) ?? [];
  const pieces = isCoarse ? [words.slice(0, 1), words.slice(1)] : words.map((word) => [word]);
  for (const piece of pieces) {
    if (piece.length === 0) continue;
    const tokens = piece.reduce((sum, word) => sum + tokensIn(word), 0);
    await clock.sleep((tokens * 1_000) / (profile.pace.tokensPerSecond * speed), signal);
    yield { type: 'delta', channel: 'content', text: piece.join('') };
  }
  const finishReason = text.length < work.text.length ? 'length' : 'stop';
  yield { type: 'finished', usage: { input, output: tokensIn(text), estimated: true }, cost: 0, finishReason };
}

function failed(reason: Fault, usage: Usage | null): WorkerEvent {
  return { type: 'failed', fault: reason, usage, cost: 0 };
}

function tokensIn(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
