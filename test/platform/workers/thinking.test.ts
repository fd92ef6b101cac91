import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReasoningLevel, WorkerSetup } from '../../../src/core/contract';
import { thinkingOf } from '../../../src/platform/workers/thinking';
import { FakeClock } from '../../fixtures/fake-clock';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { collect, optionsFor, QUESTION, setupOf, workersFor } from './calls';

describe('the thinking level of a call', () => {
  it.each<[string, Pick<WorkerSetup, 'model' | 'reasoning' | 'knownAs'>, ReasoningLevel | undefined, unknown]>([
    ['what the effort asks of a model that can think', { model: 'openai/gpt-5' }, 'low', 'low'],
    ['the same if the setup says null', { model: 'openai/gpt-5', reasoning: null }, 'high', 'high'],
    ['the level that the user chose', { model: 'openai/gpt-5', reasoning: 'medium' }, 'low', 'medium'],
    ['no thinking if the user chose that', { model: 'openai/gpt-5', reasoning: 'off' }, 'high', 'off'],
    ['nothing without an effort that asks', { model: 'openai/gpt-5' }, undefined, null],
    ['nothing of an unknown model', { model: 'some-model' }, 'high', null],
    ['nothing of a model that is not known to think', { model: 'google/gemma-3-27b-it' }, 'high', null],
    ['nothing of one that always thinks as much', { model: 'deepseek-r1-distill-qwen-32b' }, 'low', null],
    ['nothing less of one that thinks only when asked', { model: 'anthropic/claude-sonnet-4' }, 'low', null],
    ['more of one that thinks only when asked', { model: 'anthropic/claude-sonnet-4' }, 'high', 'high'],
    ['what suits the family that the user chose', { model: 'mine', knownAs: 'gpt-5' }, 'low', 'low'],
  ])('is %s', (_, setup, wanted, expected) => {
    expect(thinkingOf(setup, wanted)).toBe(expected);
  });
});

describe('a call of a run with an effort', () => {
  let server: OpenAiServer;
  beforeAll(async () => void (server = await startOpenAiServer()));
  afterAll(() => server.close());

  const bodyOf = async (more: Partial<WorkerSetup>, reasoning?: ReasoningLevel) => {
    const setup = setupOf(server.url, 'thinker', { knownAs: 'gpt-5', ...more });
    server.script('thinker', 'ok');
    const options = { ...optionsFor(setup), ...(reasoning ? { reasoning } : {}) };
    await collect(workersFor(setup, new FakeClock()).run(QUESTION, options, new AbortController().signal));
    return server.calls('thinker').at(-1)?.body;
  };

  it('asks for less or more thinking, unless the user chose a level', async () => {
    expect(await bodyOf({}, 'low')).toMatchObject({ reasoning_effort: 'low' });
    expect(await bodyOf({ reasoning: 'high' }, 'low')).toMatchObject({ reasoning_effort: 'high' });
    expect(await bodyOf({})).not.toHaveProperty('reasoning_effort');
  });
});
