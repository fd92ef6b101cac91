/**
 * @file Runs a workflow with Podium's executor, as the page does, but with a given plan and without storing the events.
 */
import { createByHandConductor } from '../../../src/core/conductor/by-hand';
import {
  SETTING_DEFAULTS,
  TEMPLATE_MAX_STEPS,
  type Clock,
  type PoolWorker,
  type WorkerClient,
  type WorkerEvent,
} from '../../../src/core/contract';
import { execute } from '../../../src/core/executor/execute';
import type { ExecuteRequest } from '../../../src/core/executor/request';
import type { BenchWorkers, BenchWorkflow, Contender } from '../workflows';

const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => (clearTimeout(timer), reject(new DOMException('Aborted', 'AbortError'))), {
        once: true,
      });
    }),
};
const stored = Promise.resolve();
const journal = { append: () => stored };
const FINISHED: WorkerEvent = { type: 'finished', usage: { input: 1, output: 1 }, cost: 0, finishReason: 'stop' };

function pool(workflow: BenchWorkflow): PoolWorker[] {
  return workflow.steps.map((_, index) => ({
    id: `bench:${index}`,
    name: `Worker ${index}`,
    mark: 'Wo',
    colour: 1,
    kind: 'local',
    model: 'bench',
    origin: null,
    price: { input: 0, output: 0 },
  }));
}

function requestFor(workflow: BenchWorkflow): {
  request: ExecuteRequest;
  conductor: ReturnType<typeof createByHandConductor>;
} {
  const steps = workflow.steps.map((step, index) => ({
    worker: index,
    subtask: `Do part ${index}`,
    access: step.access,
  }));
  const conductor = createByHandConductor({ steps });
  return {
    conductor,
    request: {
      runId: 'bench',
      start: {
        question: { text: 'A question' },
        pool: pool(workflow),
        conductor: conductor.info,
        recursion: false,
        maxSteps: TEMPLATE_MAX_STEPS,
        seed: 1,
        caps: { rounds: 1, calls: 100, tokens: null, usd: null },
        sampling: { temperature: 0.2, maxTokens: 4096 },
        ...SETTING_DEFAULTS,
      },
    },
  };
}

function client(workers: BenchWorkers, streaming: boolean, inputsOf: (step: number) => number): WorkerClient {
  return {
    async *run(_messages, options) {
      const step = Number(options.worker.id.slice('bench:'.length));
      const inputs = Array.from({ length: inputsOf(step) }, () => '');
      if (streaming)
        for await (const text of workers.stream(step, inputs)) yield { type: 'delta', channel: 'content', text };
      else yield { type: 'delta', channel: 'content', text: await workers.call(step, inputs) };
      yield FINISHED;
    },
  };
}

async function run(
  workflow: BenchWorkflow,
  workers: BenchWorkers,
  seen: ((text: string) => void) | null,
  digest?: (text: string) => string,
): Promise<string> {
  const { request, conductor } = requestFor(workflow);
  const one = client(workers, seen !== null, (step) => workflow.steps[step]?.access.length ?? 0);
  const dependencies = { conductor, workers: () => one, journal, clock, ...(digest ? { digest } : {}) };
  let output = '';
  for await (const event of execute(request, dependencies, new AbortController().signal)) {
    if (event.type === 'step-finished') ({ output } = event);
    else if (event.type === 'step-delta') seen?.(event.text);
    else if (event.type === 'run-failed') throw new Error(event.fault.message);
  }
  return output;
}

export const podium: Contender = {
  name: 'Podium',
  run: (workflow, workers) => run(workflow, workers, null),
  stream: (workflow, workers, seen) => run(workflow, workers, seen),
};

/** Podium without the SHA-256 digest of each prompt. The difference from `podium` is the time that these digests take. */
export const podiumWithoutDigests: Contender = {
  name: 'Podium, prompts not digested',
  run: (workflow, workers) => run(workflow, workers, null, () => ''),
  stream: (workflow, workers, seen) => run(workflow, workers, seen, () => ''),
};
