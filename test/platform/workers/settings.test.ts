import { describe, expect, test } from 'vitest';
import { LEARNED_LIMITS } from '../../../src/core/contract';
import { presetFor } from '../../../src/platform/workers/providers';
import {
  completionBody,
  createRefusedSettings,
  refusedReasoning,
  refusedSampling,
  settingsIn,
} from '../../../src/platform/workers/settings';
import type { Target } from '../../../src/platform/workers/target';

const targetAt = (origin: string, more: Partial<Target> = {}): Target => {
  const baseUrl = `${origin}/v1`;
  return {
    name: 'Ada',
    baseUrl,
    model: 'small',
    key: null,
    preset: presetFor(baseUrl),
    reasoning: null,
    limits: LEARNED_LIMITS,
    ...more,
  };
};
const target = targetAt('https://api.example.com');
const sampling = { temperature: 0.2, maxTokens: 64, seed: 0xffffffff };
const ALL = ['max_tokens', 'temperature', 'seed', 'stream_options', 'stream'] as const;

describe('the body of a call', () => {
  test('has every setting for an unknown provider', () => {
    const body = completionBody(target, [{ role: 'user', content: 'Hi' }], sampling, createRefusedSettings());
    expect(body).toEqual({
      model: 'small',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      max_tokens: 64,
      temperature: 0.2,
      seed: 0x7fffffff,
      stream_options: { include_usage: true },
    });
    expect(settingsIn(body, target)).toEqual(ALL);
  });

  test.each([
    ['https://api.openai.com', ['max_completion_tokens', 'temperature', 'seed', 'stream_options', 'stream']],
    ['https://api.anthropic.com', ['max_tokens', 'temperature', 'stream_options', 'stream']],
    ['https://api.mistral.ai', ['max_tokens', 'temperature', 'stream']],
  ])('leaves out the settings that %s is known to reject', (origin, settings) => {
    const at = targetAt(origin);
    expect(settingsIn(completionBody(at, [], sampling, createRefusedSettings()), at)).toEqual(settings);
  });
});

describe('the extra fields of a worker', () => {
  const messages = [{ role: 'user', content: 'Hi' }] as const;
  const bare = completionBody(target, messages, sampling, createRefusedSettings());

  test('are added at the end, and change no byte of a call without them', () => {
    const extraFields = { provider: { sort: 'price' }, min_p: 0.1 };
    const body = completionBody({ ...target, extraFields }, messages, sampling, createRefusedSettings());
    expect(JSON.stringify(body)).toBe(`${JSON.stringify(bare).slice(0, -1)},${JSON.stringify(extraFields).slice(1)}`);
    const none = completionBody({ ...target, extraFields: {} }, messages, sampling, createRefusedSettings());
    expect(JSON.stringify(none)).toBe(JSON.stringify(bare));
  });

  test('are left out if Podium sends them itself', () => {
    const extraFields = { model: 'other', messages: [], max_tokens: 9, n: 4, stream: false, temperature: 2 };
    const body = completionBody({ ...target, extraFields }, messages, sampling, createRefusedSettings());
    expect(JSON.stringify(body)).toBe(JSON.stringify(bare));
  });

  test('are added to the fields for thinking, and a rejection of them is not learned', () => {
    const baseUrl = 'http://localhost:8000/v1';
    const extraFields = { chat_template_kwargs: { style: 'plain' } };
    const at = targetAt('', { baseUrl, preset: presetFor(baseUrl), reasoning: 'off', extraFields });
    const body = completionBody(at, messages, sampling, createRefusedSettings());
    const kwargs = { enable_thinking: false, thinking: false, style: 'plain' };
    expect(body).toMatchObject({ chat_template_kwargs: kwargs });
    expect(settingsIn(body, at)).not.toContain('chat_template_kwargs');
  });
});

describe('a worker’s own sampling', () => {
  const own = { ...sampling, topP: 0.8, topK: 20, presencePenalty: 1 };

  test('is sent under the names of the API', () => {
    const body = completionBody(target, [], own, createRefusedSettings());
    expect(body).toMatchObject({ top_p: 0.8, top_k: 20, presence_penalty: 1 });
  });

  test.each([
    ['https://api.openai.com', ['top_k']],
    ['https://api.anthropic.com', ['top_k', 'presence_penalty']],
    ['https://openrouter.ai', []],
  ])('is sent to %s without the settings that this provider does not support: %j', (origin, left) => {
    const at = targetAt(origin);
    const body = completionBody(at, [], own, createRefusedSettings());
    const names = ['top_p', 'top_k', 'presence_penalty'];
    expect(names.filter((name) => !(name in body))).toEqual(left);
    expect(refusedSampling(at, own, createRefusedSettings())).toEqual(left);
  });

  test('is sent without a setting that the server has rejected', () => {
    const refused = createRefusedSettings();
    refused.learn(
      target,
      400,
      'Unrecognized request argument supplied: top_k',
      settingsIn(completionBody(target, [], own, refused), target),
    );
    expect(completionBody(target, [], own, refused)).not.toHaveProperty('top_k');
    expect(refusedSampling(target, own, refused)).toEqual(['top_k']);
  });
});

describe('the rejection of a setting', () => {
  test.each([
    [400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", 'max_tokens'],
    [400, "Unsupported value: 'temperature' does not support 0.2 with this model.", 'temperature'],
    [422, '{"type":"extra_forbidden","loc":["body","seed"]}', 'seed'],
    [400, 'stream_options: invalid', 'stream_options'],
    [400, '`temperature` is deprecated for this model.', 'temperature'],
    [400, '`temperature` and `top_p` cannot both be specified for this model.', 'temperature'],
  ])('%i %s is remembered for that origin and model', (status, words, setting) => {
    const refused = createRefusedSettings();
    expect(refused.learn(target, status, words, ALL)).toBe(setting);
    const body = completionBody(target, [], sampling, refused);
    expect(settingsIn(body, target)).not.toContain(setting);
    expect(refused.has({ ...target, model: 'other' }, 'temperature')).toBe(false);
    expect(refused.has(targetAt('https://other.example'), 'temperature')).toBe(false);
  });

  test.each([
    [400, 'max_tokens is too large: 100000'],
    [400, 'temperature must be between 0 and 1'],
    [400, 'Unsupported parameter: top_k'],
    [500, "Unsupported parameter: 'seed'"],
  ])('%i %s is not remembered', (status, words) => {
    expect(createRefusedSettings().learn(target, status, words, ALL)).toBeNull();
  });

  test('never leaves a call without an output limit', () => {
    const refused = createRefusedSettings();
    expect(refused.learn(target, 400, "Unsupported: 'max_tokens'", ['max_tokens'])).toBe('max_tokens');
    const body = completionBody(target, [], sampling, refused);
    expect(body).toMatchObject({ max_completion_tokens: 64 });
    expect(refused.learn(target, 400, "Unsupported: 'max_completion_tokens'", settingsIn(body, target))).toBeNull();
  });

  test('is also remembered for a thinking field, and the settings that this field excluded are sent again', () => {
    const thinking = targetAt('https://api.anthropic.com', { reasoning: 'high' });
    const refused = createRefusedSettings();
    const requested = { ...sampling, maxTokens: 4096 };
    const body = completionBody(thinking, [], requested, refused);
    expect(settingsIn(body, target)).toEqual(['max_tokens', 'stream_options', 'thinking', 'stream']);
    expect(refusedReasoning(thinking, 4096, refused)).toEqual([]);
    expect(refused.learn(thinking, 400, 'thinking: Extra inputs are not permitted', settingsIn(body, target))).toBe(
      'thinking',
    );
    expect(settingsIn(completionBody(thinking, [], requested, refused), thinking)).toEqual([
      'max_tokens',
      'temperature',
      'stream_options',
      'stream',
    ]);
    expect(refusedReasoning(thinking, 4096, refused)).toEqual(['thinking']);
  });
});
