import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReasoningLevel, WorkerSetup } from '../../../src/core/contract';
import { FakeClock } from '../../fixtures/fake-clock';
import { startOpenAiServer, type OpenAiServer } from '../../fixtures/openai-server';
import { collect, optionsFor, QUESTION, setupOf, workersFor } from './calls';
import { thinkingOf } from '../../../src/platform/workers/openai-client';

/** The user sets the effort of a run to Quick, Balanced or Thorough. The effort can set a thinking level. */
describe('the thinking level of a call', () => {
  it.each<[string, Pick<WorkerSetup, 'model' | 'reasoning' | 'knownAs'>, ReasoningLevel | undefined, unknown]>([
    ['the level of the effort for a model that can think', { model: 'openai/gpt-5' }, 'low', 'low'],
    [
      'the level of the effort if `reasoning` of the setup is null',
      { model: 'openai/gpt-5', reasoning: null },
      'high',
      'high',
    ],
    ['the level that the user chose', { model: 'openai/gpt-5', reasoning: 'medium' }, 'low', 'medium'],
    ['off if the user turned thinking off', { model: 'openai/gpt-5', reasoning: 'off' }, 'high', 'off'],
    ['absent if the effort sets no level', { model: 'openai/gpt-5' }, undefined, null],
    ['absent for an unknown model', { model: 'some-model' }, 'high', null],
    ['absent for a model that is not known to think', { model: 'google/gemma-3-27b-it' }, 'high', null],
    ['absent for a model whose thinking is fixed', { model: 'deepseek-r1-distill-qwen-32b' }, 'low', null],
    ['absent at low effort for a model that thinks on request', { model: 'anthropic/claude-sonnet-4' }, 'low', null],
    ['high at high effort for a model that thinks on request', { model: 'anthropic/claude-sonnet-4' }, 'high', 'high'],
    ['based on the model family that the user chose', { model: 'mine', knownAs: 'gpt-5' }, 'low', 'low'],
  ])('is %s', (_, setup, wanted, expected) => {
    expect(thinkingOf(setup, wanted)).toBe(expected);
  });
});

describe('a call of a run whose effort sets a thinking level', () => {
  let server: OpenAiServer;
  beforeAll(async () => void (server = await startOpenAiServer()));
  afterAll(() => server.close());

  const bodyOf = async (more: Partial<WorkerSetup>, reasoning?: ReasoningLevel, mostThinking?: true) => {
    const setup = setupOf(server.url, 'thinker', { knownAs: 'gpt-5', ...more });
    server.script('thinker', 'ok');
    const options = { ...optionsFor(setup), ...(reasoning ? { reasoning } : {}), mostThinking };
    await collect(workersFor(setup, new FakeClock()).run(QUESTION, options, new AbortController().signal));
    return server.calls('thinker').at(-1)?.body;
  };

  it('requests the thinking level of the effort, unless the user chose a level', async () => {
    expect(await bodyOf({}, 'low')).toMatchObject({ reasoning_effort: 'low' });
    expect(await bodyOf({ reasoning: 'high' }, 'low')).toMatchObject({ reasoning_effort: 'high' });
    expect(await bodyOf({})).not.toHaveProperty('reasoning_effort');
  });

  it('requests the most thinking for a run that wants it, whatever the setup says', async () => {
    expect(await bodyOf({ reasoning: 'low' }, 'low', true)).toMatchObject({ reasoning_effort: 'high' });
    expect(await bodyOf({ reasoning: 'off' }, undefined, true)).toMatchObject({ reasoning_effort: 'high' });
    expect(await bodyOf({}, undefined, true)).toMatchObject({ reasoning_effort: 'high' });
    expect(await bodyOf({ knownAs: null, reasoningTokens: 100 }, undefined, true)).toMatchObject({
      reasoning_effort: 'high',
    });
    expect(await bodyOf({ knownAs: null }, undefined, true)).not.toHaveProperty('reasoning_effort');
  });
});
