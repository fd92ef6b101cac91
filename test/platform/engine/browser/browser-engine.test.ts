import { afterEach, describe, expect, it } from 'vitest';
import type { EngineEvent, GenerateRequest, LoadProgress, LocalEngine } from '../../../../src/core/contract';
import { findLanguageModel } from '../../../../src/platform/engine/browser/language-model';
import { createBrowserLoader } from '../../../../src/platform/engine/browser/loader';
import { BROWSER_MODEL, fitBrowserModel } from '../../../../src/platform/engine/browser/manifest';
import { FakeClock } from '../../../fixtures/fake-clock';
import { installLanguageModel, type StandInOptions } from '../../../fixtures/language-model';

const PLAN = '{"thought":"","steps":[{"model_id":0,"subtask":"Solve it.","access":[]}]}';
const never = () => new AbortController().signal;
const asking = (more: Partial<GenerateRequest> = {}): GenerateRequest => ({
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is 2 + 2?' },
  ],
  grammar: null,
  temperature: 0,
  maxTokens: 100,
  ...more,
});

async function load(more: Partial<StandInOptions> = {}, progress: LoadProgress[] = []): Promise<LocalEngine> {
  installLanguageModel({ availability: 'available', plan: PLAN, answer: 'It is four, of course.', ...more });
  const loader = createBrowserLoader(new FakeClock());
  return loader.load(BROWSER_MODEL, (each) => progress.push(each), never());
}

async function collect(events: AsyncIterable<EngineEvent>): Promise<EngineEvent[]> {
  const all: EngineEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const textOf = (events: readonly EngineEvent[]) =>
  events.map((event) => (event.type === 'delta' ? event.text : '')).join('');

function log(): readonly string[] {
  const model: unknown = Reflect.get(globalThis, 'LanguageModel');
  const found: unknown = typeof model === 'object' && model !== null ? Reflect.get(model, 'log') : [];
  return Array.isArray(found) ? found.map(String) : [];
}

afterEach(() => void Reflect.deleteProperty(globalThis, 'LanguageModel'));

describe('the browser’s own model', () => {
  it('is found only if the browser offers it', () => {
    expect(findLanguageModel({})).toBeNull();
    expect(findLanguageModel({ LanguageModel: 7 })).toBeNull();
    installLanguageModel({ availability: 'available', plan: '', answer: '' });
    expect(findLanguageModel()).not.toBeNull();
  });

  it('reports its download progress, then the loading phase', async () => {
    const progress: LoadProgress[] = [];
    const engine = await load({ availability: 'downloadable' }, progress);
    expect(progress.map(({ phase, loaded }) => [phase, loaded])).toEqual([
      ['fetching', 0],
      ['fetching', 0.25],
      ['fetching', 0.5],
      ['loading', null],
    ]);
    expect(engine.info).toMatchObject({ enforcesGrammar: false, enforcesSchema: true, contextWindow: 6000 });
  });

  it('cannot be loaded on a device that cannot run it', async () => {
    await expect(load({ availability: 'unavailable' })).rejects.toMatchObject({
      fault: { code: 'bad-request', message: 'Browser model can’t run on this device. Choose another model.' },
    });
    expect(fitBrowserModel('unavailable').fit).toBe('no');
    expect(fitBrowserModel('downloadable').reasons[0]).toContain('several gigabytes');
  });

  it('streams an answer in a separate session, and counts its tokens', async () => {
    const engine = await load();
    const events = await collect(engine.generate(asking(), never()));
    expect(textOf(events)).toBe('It is four, of course.');
    expect(events.at(-1)).toMatchObject({
      type: 'finished',
      finishReason: 'stop',
      cost: 0,
      usage: { input: 7, output: 6 },
    });
    expect(log()).toEqual(['create', 'create', 'prompt', 'destroy']);
    await engine.dispose();
    expect(log().at(-1)).toBe('destroy');
  });

  it('receives the JSON schema of a plan', async () => {
    const engine = await load();
    const events = await collect(engine.generate(asking({ schema: { type: 'object' } }), never()));
    expect(textOf(events)).toBe(PLAN);
    expect(log()).toContain('prompt with schema');
  });

  it('is stopped by Podium at the output limit, because the browser’s API has no such limit', async () => {
    const engine = await load({ answer: 'word '.repeat(1000) });
    const events = await collect(engine.generate(asking({ maxTokens: 10 }), never()));
    expect(events.at(-1)).toMatchObject({ type: 'finished', finishReason: 'length', usage: { estimated: true } });
    expect(textOf(events).length).toBeLessThan(100);
    expect(log()).toContain('cancel');
  });

  it('throws an AbortError when it is stopped, and closes its session', async () => {
    const engine = await load({ answer: 'word '.repeat(1000) });
    const stop = new AbortController();
    const read = async () => {
      for await (const event of engine.generate(asking(), stop.signal)) if (event.type === 'delta') stop.abort();
    };
    await expect(read()).rejects.toMatchObject({ name: 'AbortError' });
    expect(log().at(-1)).toBe('destroy');
  });

  it('reports its context size if a prompt is too long', async () => {
    const engine = await load({ contextWindow: 5 });
    const events = await collect(engine.generate(asking(), never()));
    expect(events).toMatchObject([
      { type: 'failed', fault: { code: 'too-large', message: expect.stringContaining('reads at most 5') } },
    ]);
  });
});
