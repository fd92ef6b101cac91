import { describe, expect, it, test } from 'vitest';
import { costOf, isFree, reachesWeb, sameWorker, toPoolWorker, worstCost } from '../../../../src/core/contract';
import type { ExtraFamily } from '../../../../src/core/contract';
import { extraFieldsProblem } from '../../../../src/core/contract/worker/extra-fields';

const FAMILIES: readonly ExtraFamily[] = ['service', 'openai', 'router', 'groq', 'xai', 'mistral', 'own'];
const PODIUMS_OWN = [
  ...['messages', 'model', 'models', 'key', 'api_key', 'authorization', 'stream', 'stream_options', 'n', 'best_of'],
  ...['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'n_predict', 'num_predict', 'usage', 'tools'],
  ...['temperature', 'extra_body', '__proto__', 'constructor'],
];

describe.each(FAMILIES)('the extra fields of the family %s', (family) => {
  it.each(PODIUMS_OWN)('never contain %s', (name) => {
    const extraFields: unknown = JSON.parse(`{"${name}": 1}`);
    expect(extraFieldsProblem(family, { extraFields: Object(extraFields) })).toContain(`“${name}” can’t be added`);
  });
});

test.each([
  ['router', { plugins: [{ id: 'web' }] }],
  ['openai', { web_search_options: {} }],
  ['openai', { service_tier: 'priority' }],
  ['own', { search_parameters: { mode: 'on' } }],
] as const)('%s needs a maximum price for %j', (family, extraFields) => {
  expect(extraFieldsProblem(family, { extraFields })).toContain('maximum price');
  expect(extraFieldsProblem(family, { extraFields, extraUsd: -1 })).toContain('maximum price');
  expect(extraFieldsProblem(family, { extraFields, extraUsd: 0.02 })).toBeNull();
});

test('fields that cost nothing extra need no price, and are bounded in length', () => {
  expect(extraFieldsProblem('router', { extraFields: { provider: { sort: 'price' } } })).toBeNull();
  expect(extraFieldsProblem('router', {})).toBeNull();
  expect(extraFieldsProblem('service', { extraFields: { stop: 'x'.repeat(20_000) } })).toContain('20,000');
});

describe('a worker with extra fields', () => {
  const setup = {
    ...{ id: 'w', name: 'W', mark: 'Wo', colour: 1, model: 'm', description: '', needsKey: true },
    baseUrl: 'https://openrouter.ai/api/v1',
    price: { input: 0, output: 0 },
    extraFields: { plugins: [{ id: 'web' }] },
    extraUsd: 0.02,
  };
  const worker = toPoolWorker(setup);

  it('records its maximum extra price and that it reaches the web, and not the fields', () => {
    expect(worker).toMatchObject({ price: { input: 0, output: 0, perCall: 0.02 }, web: true });
    expect(worker).not.toHaveProperty('extraFields');
    expect(sameWorker(worker, toPoolWorker({ ...setup, extraUsd: 0.03 }))).toBe(false);
  });

  it('costs the extra price with every call, even if its tokens are free', () => {
    expect(isFree(worker)).toBe(false);
    expect(worstCost(worker, 1000, 1000)).toBe(0.02);
    expect(costOf({ input: 1000, output: 10 }, worker.price)).toBe(0.02);
  });

  it('reaches the web because of a field or of OpenRouter’s suffix', () => {
    const plain = { model: 'm', extraFields: { provider: {} } };
    expect(reachesWeb(plain)).toBe(false);
    expect(reachesWeb({ ...plain, model: 'm:online' })).toBe(true);
    expect(toPoolWorker({ ...setup, extraFields: {} })).not.toHaveProperty('web');
  });
});
