import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  FaultError,
  type EngineEvent,
  type Fault,
  type GenerateRequest,
  type LoadProgress,
  type LocalEngine,
} from '../../../../src/core/contract';
import { createWebLlmLoader } from '../../../../src/platform/engine/webllm/loader';
import type { Launch, Launched, MlcEngine } from '../../../../src/platform/engine/webllm/serve';
import { FakeClock, idle } from '../../../fixtures/fake-clock';
import { Feed, launched, LocalWorker, ScriptedEngine, scriptedManifest as manifest } from './scripted-engine';

const request: GenerateRequest = {
  messages: [{ role: 'user', content: 'Plan.' }],
  grammar: null,
  temperature: 0.2,
  maxTokens: 100,
  seed: 7,
};
const patience = { load: 3000, firstToken: 2000, nextToken: 1000, answer: 60_000 };
const unstopped = new AbortController().signal;

/** Waits several turns of the event loop, because delivering a message takes more than one turn. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await idle();
}

function setUp(launch: Launch) {
  const clock = new FakeClock();
  const worker = new LocalWorker(launch);
  const loader = createWebLlmLoader({ clock, patience, createWorker: () => worker });
  return { clock, worker, loader };
}

async function load(engine: MlcEngine, more: Parameters<typeof launched>[1] = {}) {
  const parts = setUp(launched(engine, more));
  const model = await parts.loader.load(manifest, () => undefined, unstopped);
  return { ...parts, model };
}

/** Starts a call and collects its events in the background, so that the test can continue. */
function start(model: LocalEngine, requested: GenerateRequest = request, signal = unstopped) {
  const events: EngineEvent[] = [];
  const done = (async () => {
    for await (const event of model.generate(requested, signal)) events.push(event);
  })();
  done.catch(() => undefined);
  return { events, done };
}

function textOf(events: readonly EngineEvent[]): string {
  return events.map((event) => (event.type === 'delta' ? event.text : '')).join('');
}

function lossOf(model: LocalEngine): { fault: Fault | null } {
  const loss: { fault: Fault | null } = { fault: null };
  void model.lost.then((fault) => (loss.fault = fault));
  return loss;
}

describe('a call', () => {
  it('streams the text, and ends with token counts and speed', async () => {
    const { model } = await load(new ScriptedEngine(new Feed().push('model', '_id').end()));
    const { events, done } = start(model);
    await done;
    expect(events).toEqual([
      { type: 'delta', channel: 'content', text: 'model' },
      { type: 'delta', channel: 'content', text: '_id' },
      {
        type: 'finished',
        usage: { input: 12, output: 2 },
        cost: 0,
        finishReason: 'stop',
        speed: { promptTokens: 12, decodeTokens: 2, prefill: 240, decode: 40, firstToken: 50, grammar: 250 },
      },
    ]);
  });

  it('reports the tokens so far, so that they are known if the engine crashes', async () => {
    const reading: Launched['reading'] = { begin: ({ onread }) => onread(0, 40) };
    const fitted: number[][] = [];
    let count = 0;
    const bounds = {
      begin: () => undefined,
      fit: (...values: number[]) => void fitted.push(values),
      get tokens() {
        return (count += 1);
      },
    };
    const feed = new Feed().push('a', 'b', 'c');
    const { model } = await load(new ScriptedEngine(feed), { reading, bounds, context: 100 });
    const { events, done } = start(model);
    await settle();
    feed.fail(new Error('unreachable'));
    await done;
    expect(events.slice(0, 3)).toMatchObject(
      [1, 2, 3].map((output) => ({ text: 'abc'[output - 1], usage: { input: 40, output } })),
    );
    expect(events.at(-1)).toMatchObject({ type: 'failed', usage: { input: 40, output: 3 } });
    expect(fitted).toEqual([[request.maxTokens, 60]]);
  });

  it('requests a stream with token counts, and passes the sampling settings to the engine', async () => {
    const engine = new ScriptedEngine(new Feed().end());
    const { model } = await load(engine);
    await start(model).done;
    expect(engine.requests).toEqual([
      {
        messages: request.messages,
        stream: true,
        stream_options: { include_usage: true },
        temperature: 0.2,
        max_tokens: 100,
        seed: 7,
      },
    ]);
  });

  it('passes the grammar to the engine', async () => {
    const engine = new ScriptedEngine(new Feed().end());
    const { model } = await load(engine);
    const grammar = 'root ::= "yes" | "no"';
    await start(model, { ...request, grammar }).done;
    expect(engine.requests[0]?.response_format).toEqual({ type: 'grammar', grammar });
  });

  it('fails without reaching the engine if the grammar does not compile', async () => {
    const engine = new ScriptedEngine();
    const { model } = await load(engine);
    const { events, done } = start(model, { ...request, grammar: 'root ::= (' });
    await done;
    expect(events).toMatchObject([{ type: 'failed', fault: { code: 'bad-request' } }]);
    expect(engine.requests).toEqual([]);
  });

  it('reports null as the decoding speed if no text was generated', async () => {
    const { model } = await load(new ScriptedEngine(new Feed().end()));
    const { events, done } = start(model);
    await done;
    expect(events).toMatchObject([{ type: 'finished', speed: { decode: null } }]);
  });

  it('turns thinking off, hides the empty think tags, and does not count them toward the output limit', async () => {
    const engine = new ScriptedEngine(new Feed().push('<think>\n\n', '</think>\n\nmodel', '_id').end());
    const { model } = await load(engine, { emptyThought: 4 });
    const { events, done } = start(model);
    await done;
    expect(textOf(events)).toBe('model_id');
    expect(engine.requests[0]).toMatchObject({ extra_body: { enable_thinking: false }, max_tokens: 104 });
  });
});

describe('calls to one model', () => {
  it('run one after the other', async () => {
    const first = new Feed().push('a');
    const engine = new ScriptedEngine(first, new Feed().push('b').end());
    const { model } = await load(engine);
    const one = start(model);
    const two = start(model);
    await settle();
    expect(engine.requests).toHaveLength(1);
    first.end();
    await Promise.all([one.done, two.done]);
    expect([textOf(one.events), textOf(two.events)]).toEqual(['a', 'b']);
  });

  it('do not reach the engine if they are aborted while they wait for another call', async () => {
    const first = new Feed().push('a');
    const engine = new ScriptedEngine(first);
    const { model } = await load(engine);
    const one = start(model);
    const stop = new AbortController();
    const two = start(model, request, stop.signal);
    await settle();
    stop.abort();
    await expect(two.done).rejects.toMatchObject({ name: 'AbortError' });
    first.end();
    await one.done;
    expect(engine.requests).toHaveLength(1);
  });
});

describe('a stopped call', () => {
  it('rejects at once, and the next call waits until the engine has stopped', async () => {
    const first = new Feed().push('a');
    const engine = new ScriptedEngine(first, new Feed().push('b').end());
    const { model, worker } = await load(engine);
    const stop = new AbortController();
    const one = start(model, request, stop.signal);
    await settle();
    stop.abort();
    await expect(one.done).rejects.toMatchObject({ name: 'AbortError' });
    expect(textOf(one.events)).toBe('a');

    const two = start(model);
    await settle();
    expect(engine.interrupts).toBeGreaterThan(0);
    expect(engine.requests).toHaveLength(1);
    first.push('x', 'y');
    await two.done;
    expect(textOf(two.events)).toBe('b');
    expect(engine.ended).toBe(2);
    expect(worker.isTerminated).toBe(false);
  });

  it('does not affect the next call if the caller stops reading events early', async () => {
    const first = new Feed().push('a', 'b');
    const engine = new ScriptedEngine(first, new Feed().push('c').end());
    const { model } = await load(engine);
    for await (const event of model.generate(request, unstopped)) if (event.type === 'delta') break;
    first.push('x');
    const two = start(model);
    await two.done;
    expect(textOf(two.events)).toBe('c');
    expect(engine.ended).toBe(2);
  });

  it('rejects and does not affect the next call if it was aborted before its first token', async () => {
    const first = new Feed();
    const engine = new ScriptedEngine(first, new Feed().push('b').end());
    const { model } = await load(engine);
    const stop = new AbortController();
    const one = start(model, request, stop.signal);
    await settle();
    stop.abort();
    await expect(one.done).rejects.toMatchObject({ name: 'AbortError' });
    first.push('late');
    const two = start(model);
    await two.done;
    expect(textOf(two.events)).toBe('b');
    expect(engine.interrupts).toBeGreaterThan(0);
  });

  it('rejects without reaching the engine if the signal has already aborted', async () => {
    const engine = new ScriptedEngine();
    const { model } = await load(engine);
    await expect(start(model, request, AbortSignal.abort()).done).rejects.toMatchObject({ name: 'AbortError' });
    expect(engine.requests).toEqual([]);
  });

  it('terminates the Web Worker if the engine does not stop', async () => {
    const { model, worker, clock } = await load(new ScriptedEngine(new Feed().push('a')));
    const loss = lossOf(model);
    const stop = new AbortController();
    const one = start(model, request, stop.signal);
    await settle();
    stop.abort();
    await expect(one.done).rejects.toMatchObject({ name: 'AbortError' });
    await clock.advance(patience.firstToken);
    await settle();
    expect(worker.isTerminated).toBe(true);
    expect(loss.fault).toMatchObject({ code: 'stalled' });
  });
});

describe('the engine of a loaded model', () => {
  it('is terminated when it is silent for too long before the first token', async () => {
    const { model, worker, clock } = await load(new ScriptedEngine(new Feed()));
    const loss = lossOf(model);
    const { events, done } = start(model);
    await settle();
    await clock.advance(patience.firstToken);
    await done;
    expect(events).toMatchObject([{ type: 'failed', fault: { code: 'stalled', retryable: true } }]);
    expect(worker.isTerminated).toBe(true);
    expect(loss.fault?.message).toMatch(/didn’t respond for 2 seconds/);
  });

  it('is terminated when the time limit after the last token ends, and not earlier', async () => {
    const feed = new Feed().push('a');
    const { model, worker, clock } = await load(new ScriptedEngine(feed));
    const { events, done } = start(model);
    await settle();
    await clock.advance(patience.nextToken - 1);
    feed.push('b');
    await settle();
    await clock.advance(patience.nextToken - 1);
    expect(worker.isTerminated).toBe(false);
    await clock.advance(1);
    await done;
    expect(events.at(-1)).toMatchObject({ type: 'failed', fault: { code: 'stalled' } });
    expect(textOf(events)).toBe('ab');
  });

  it('stays loaded after a call whose prompt is too long', async () => {
    const tooLong = new Error('number of prompt tokens: 5000; context window size: 4096');
    tooLong.name = 'ContextWindowSizeExceededError';
    const engine = new ScriptedEngine(new Feed().fail(tooLong), new Feed().push('b').end());
    const { model, worker } = await load(engine);
    const one = start(model);
    await one.done;
    expect(one.events).toMatchObject([{ type: 'failed', fault: { code: 'too-large' } }]);
    expect(one.events[0]).toMatchObject({ fault: { message: expect.stringMatching(/5000.*4096/) as string } });
    const two = start(model);
    await two.done;
    expect(textOf(two.events)).toBe('b');
    expect(worker.isTerminated).toBe(false);
  });

  it('is terminated after an unexpected error, and later calls fail with the same fault', async () => {
    const { model, worker } = await load(new ScriptedEngine(new Feed().push('a').fail(new Error('Aborted()'))));
    const loss = lossOf(model);
    const { events, done } = start(model);
    await done;
    expect(events.at(-1)).toMatchObject({ type: 'failed', fault: { retryable: true } });
    expect(worker.isTerminated).toBe(true);
    expect(loss.fault).toMatchObject({ detail: expect.stringContaining('Aborted()') as string });
    const after = start(model);
    await after.done;
    expect(after.events).toMatchObject([{ type: 'failed', fault: loss.fault }]);
  });

  it('is terminated and reports the reason when the GPU is lost during a call', async () => {
    let emit: (words: string) => void = () => undefined;
    const lost = new Promise<string>((resolve) => (emit = resolve));
    const { model, worker } = await load(new ScriptedEngine(new Feed().push('a')), { lost });
    const { events, done } = start(model);
    await settle();
    emit('The GPU process crashed.');
    await done;
    expect(events.at(-1)).toMatchObject({ type: 'failed', fault: { code: 'interrupted', retryable: true } });
    expect((await model.lost).message).toMatch(/lost access to the GPU/);
    expect(worker.isTerminated).toBe(true);
  });

  it('reports that its Web Worker ran out of memory', async () => {
    const { model, worker } = await load(new ScriptedEngine(new Feed().push('a')));
    const { events, done } = start(model);
    await settle();
    worker.onerror?.(Object.assign(new Event('error'), { message: 'out of memory' }) as ErrorEvent);
    await done;
    expect(events.at(-1)).toMatchObject({ type: 'failed', fault: { code: 'too-large' } });
    expect(await model.lost).toMatchObject({ code: 'too-large' });
  });

  it('is terminated when it is unloaded, but not reported as lost', async () => {
    const { model, worker } = await load(new ScriptedEngine(new Feed().push('a')));
    const loss = lossOf(model);
    const { events, done } = start(model);
    await settle();
    await model.dispose();
    await done;
    expect(events.at(-1)).toMatchObject({
      type: 'failed',
      fault: { code: 'interrupted', message: expect.stringContaining('unloaded') as string },
    });
    await settle();
    expect(worker.isTerminated).toBe(true);
    expect(loss.fault).toBeNull();
  });
});

describe('loading a WebLLM model', () => {
  const progress: LoadProgress = { phase: 'fetching', loaded: 1, total: 2, speed: null, cached: false };

  it('reports progress, and describes the model', async () => {
    const launch: Launch = (command, report) => {
      report({ type: 'progress', progress });
      return launched(new ScriptedEngine())(command, report);
    };
    const seen: LoadProgress[] = [];
    const model = await setUp(launch).loader.load(manifest, (each) => seen.push(each), unstopped);
    expect(seen).toEqual([progress]);
    expect(model.info).toMatchObject({
      engine: 'webllm 0.2.86',
      model: 'Scripted',
      origin: null,
      enforcesGrammar: true,
    });
    expect(model.info.revision).toBe('abc, weights abcdef012345');
    expect(model.device).toBe('webgpu');
  });

  it('rejects with the fault if loading fails, and terminates the Web Worker', async () => {
    const fault: Fault = { code: 'not-found', message: 'There is no such file.', retryable: false };
    const { loader, worker } = setUp(() => Promise.reject(new FaultError(fault)));
    await expect(loader.load(manifest, () => undefined, unstopped)).rejects.toMatchObject({ fault });
    expect(worker.isTerminated).toBe(true);
  });

  it('rejects if it is aborted, and terminates the Web Worker', async () => {
    const { loader, worker } = setUp(() => new Promise(() => undefined));
    const stop = new AbortController();
    const loading = loader.load(manifest, () => undefined, stop.signal);
    await settle();
    stop.abort();
    await expect(loading).rejects.toMatchObject({ name: 'AbortError' });
    expect(worker.isTerminated).toBe(true);
  });

  it('fails if it makes no progress, and reports whether the download stalled or the engine hangs', async () => {
    const stuck = setUp(() => new Promise(() => undefined));
    const download = stuck.loader.load(manifest, () => undefined, unstopped);
    download.catch(() => undefined);
    await settle();
    await stuck.clock.advance(patience.load);
    await expect(download).rejects.toMatchObject({
      fault: { code: 'stalled', message: expect.stringMatching(/stalled/) as string },
    });

    const hung = setUp((_command, report) => {
      report({ type: 'progress', progress: { ...progress, phase: 'compiling' } });
      return new Promise(() => undefined);
    });
    const start = hung.loader.load(manifest, () => undefined, unstopped);
    start.catch(() => undefined);
    await settle();
    await hung.clock.advance(patience.load);
    await expect(start).rejects.toMatchObject({
      fault: { code: 'stalled', message: expect.stringMatching(/respond/) as string },
    });
    expect(hung.worker.isTerminated).toBe(true);
  });

  it('says that the engine is missing if the Web Worker cannot be started offline', async () => {
    vi.stubGlobal('navigator', { onLine: false });
    onTestFinished(() => void vi.unstubAllGlobals());
    const { loader, worker } = setUp(() => new Promise(() => undefined));
    const loading = loader.load(manifest, () => undefined, unstopped);
    loading.catch(() => undefined);
    await settle();
    worker.onerror?.(new Event('error') as ErrorEvent);
    const message: unknown = expect.stringMatching(/offline, and the program that runs .* isn’t downloaded yet/);
    await expect(loading).rejects.toMatchObject({ fault: { code: 'offline', message } });
    expect(worker.isTerminated).toBe(true);
  });
});
