/**
 * @file Measures the work of the main thread while a model in a Web Worker writes a plan. The page reads the Web
 * Worker's messages, and draws the text and the score (the diagram of a run). The baseline only reads the messages.
 */
import { mount, unmount } from 'svelte';
import PlanWriting from '../../../src/app/conduct/PlanWriting.svelte';
import Score from '../../../src/app/score/Score.svelte';
import { scoreOf } from '../../../src/app/score/view';
import { LiveRunView } from '../../../src/app/state/live-run.svelte';
import { createLlmConductor } from '../../../src/core/conductor/llm';
import {
  applyEvent,
  planBeingWritten,
  SETTING_DEFAULTS,
  type EngineEvent,
  type Plan,
  type Run,
  type TextEngine,
} from '../../../src/core/contract';
import { execute } from '../../../src/core/executor/execute';
import { simulatedPoolWorkers } from '../../../src/core/simulation/profiles';
import { systemClock } from '../../../src/platform/clock';
import { table, type Print } from '../report';
import { countFrames, frameLength, pause } from './frames';

const TOKENS_PER_SECOND = 200;
const DURATION = 6_000;

export async function benchPlanning(print: Print): Promise<void> {
  const frame = await frameLength();
  const share = (value: number | null) => (value === null ? 'unknown' : `${(value * 100).toFixed(0)} %`);
  const rows: string[][] = [];
  for (const [name, begin] of [
    ['only reading the messages', readAlone],
    ['the page', showPlan],
  ] as const) {
    const stop = new AbortController();
    const ended = begin(stop.signal);
    await pause(1_000);
    const secondsBefore = (await globalThis.mainThreadSeconds?.()) ?? null;
    const from = performance.now();
    const { frames, longTasks } = await countFrames(DURATION);
    const elapsed = performance.now() - from;
    const secondsAfter = (await globalThis.mainThreadSeconds?.()) ?? null;
    stop.abort();
    await ended;
    const busy =
      secondsBefore === null || secondsAfter === null ? null : ((secondsAfter - secondsBefore) * 1000) / elapsed;
    rows.push([name, share(Math.max(0, 1 - frames / (elapsed / frame))), share(busy), String(longTasks)]);
  }
  const head = ['', 'frames dropped', 'main thread busy', 'tasks over 50 ms'];
  table(print, `A model writes a plan at ${TOKENS_PER_SECOND} tokens/s (aim: no task over 50 ms)`, head, rows);
}

/** A model that writes endless text. Each token arrives as a message from a Web Worker. */
const engine: TextEngine = {
  info: { engine: 'bench', model: 'bench', origin: null, enforcesGrammar: true },
  async *generate(_request, signal): AsyncGenerator<EngineEvent> {
    const source = `setInterval(() => postMessage('word '), ${1000 / TOKENS_PER_SECOND})`;
    const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
    const worker = new Worker(address);
    const inbox: string[] = [];
    let wake = () => {};
    worker.onmessage = ({ data }) => {
      inbox.push(String(data));
      wake();
    };
    signal.addEventListener('abort', () => wake(), { once: true });
    try {
      while (!signal.aborted) {
        const text = inbox.shift();
        if (text !== undefined) yield { type: 'delta', channel: 'content', text };
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      worker.terminate();
      URL.revokeObjectURL(address);
    }
  },
};

async function readAlone(signal: AbortSignal): Promise<void> {
  let length = 0;
  const request = { messages: [], grammar: null, temperature: 0, maxTokens: 1e6 };
  for await (const event of engine.generate(request, signal)) if (event.type === 'delta') length += event.text.length;
  if (length === 0) throw new Error('The model has written nothing.');
}

/** Plans with the executor, folds its events into a run, and draws the newest state of the run once per frame. */
async function showPlan(signal: AbortSignal): Promise<void> {
  const conductor = createLlmConductor({
    info: { id: 'local:bench', label: 'Bench', kind: 'webllm', model: 'bench', origin: null },
    engine,
    clock: systemClock,
  });
  const start = {
    question: { text: 'A question' },
    pool: simulatedPoolWorkers(),
    conductor: conductor.info,
    recursion: false,
    maxSteps: 5,
    seed: 1,
    caps: { rounds: 1, calls: 100, tokens: null, usd: null },
    sampling: { temperature: 0.2, maxTokens: 4096 },
    ...SETTING_DEFAULTS,
  };
  const workers = () => {
    throw new Error('No worker is called.');
  };
  const stored = Promise.resolve();
  const deps = { conductor, workers, journal: { append: () => stored }, clock: systemClock };
  const events = execute({ runId: 'bench', start }, deps, signal)[Symbol.asyncIterator]();
  let run: Run | null = null;
  const listeners = new Set<(run: Run) => void>();
  const read = async () => {
    const next = await events.next();
    if (!next.done) run = applyEvent(run, next.value);
    if (run) for (const listener of listeners) listener(run);
    return !next.done;
  };
  let plan: Plan | null = null;
  while (!plan && (await read())) plan = run && planBeingWritten(run);
  if (!run || !plan) throw new Error('The run has no plan.');
  const view = new LiveRunView({
    id: 'bench',
    run,
    notice: null,
    done: new Promise(() => undefined),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => undefined,
    decide: () => undefined,
  });
  const shown = mountPlan(view, plan);
  try {
    while (await read());
  } catch {
    // `benchPlanning` ends the run by aborting it.
  } finally {
    view.close();
    await shown.remove();
  }
}

function mountPlan(view: LiveRunView, first: Plan): { remove(): Promise<void> } {
  const target = document.createElement('section');
  document.querySelector('main')?.append(target);
  const props = {
    get plan() {
      return planBeingWritten(view.run) ?? first;
    },
    get now() {
      return view.now;
    },
    limit: 300,
    model: { kind: 'idle' } as const,
  };
  const score = mount(Score, {
    target,
    props: {
      get view() {
        return scoreOf(view.run, { mode: 'time', now: view.now });
      },
      label: 'The run as a score',
    },
  });
  const text = mount(PlanWriting, { target, props });
  return {
    async remove() {
      await Promise.all([unmount(score), unmount(text)]);
      target.remove();
    },
  };
}
