import { describe, expect, test } from 'vitest';
import { KnownForm } from '../../../src/app/workers/known-form.svelte';
import { KNOWN_MODELS } from '../../../src/platform/workers/known-models';

type Before = ConstructorParameters<typeof KnownForm>[1];

async function formOf(before: Before = null): Promise<KnownForm> {
  const form = new KnownForm(() => Promise.resolve(KNOWN_MODELS), before);
  await form.load();
  return form;
}

describe('the form for the known facts about a model', () => {
  test('finds published facts by the model’s id, unless the user chooses another known model or none', async () => {
    const form = await formOf();
    expect(form.published({ model: 'openai/gpt-5' })?.label).toBe('GPT-5');
    expect(form.published({ model: 'desk' })).toBeNull();
    form.knownAs = 'gemma-3-27b';
    expect(form.published({ model: 'openai/gpt-5' })?.label).toBe('Gemma 3 27B');
    form.knownAs = null;
    expect(form.published({ model: 'openai/gpt-5' })).toBeNull();
    expect(form.read()).toEqual({ knownAs: null });
  });

  test('reads nothing from empty fields, and keeps stored facts that the user has not changed', async () => {
    expect((await formOf()).read()).toEqual({});
    const before = { knownAs: 'gpt-5', domains: { maths: 0.8 }, strengths: { verify: 0.3 } };
    expect((await formOf(before)).read()).toEqual(before);
  });

  test('reads ratings from 0 to 100 percent, and rejects other text', async () => {
    const form = await formOf();
    form.ratings.code = ' 62,5 ';
    form.ratings.writing = '100';
    expect(form.read()).toEqual({ domains: { code: 0.625, writing: 1 } });
    for (const wrong of ['101', '-1', 'good', 'NaN']) {
      form.ratings.code = wrong;
      expect(form.read()).toBeNull();
      expect(form.wrong).toEqual(['code']);
    }
  });

  test('reads ratings for roles, and rejects a rating above 100 percent', async () => {
    const form = await formOf({ strengths: { verify: 0.3 } });
    expect(form.roleRatings.verify).toBe('30');
    form.roleRatings.solve = '80';
    expect(form.read()).toEqual({ strengths: { solve: 0.8, verify: 0.3 } });
    form.roleRatings.solve = '180';
    expect(form.read()).toBeNull();
    expect(form.wrong).toEqual(['solve']);
  });

  test('offers no models if the published facts cannot be loaded', async () => {
    const form = new KnownForm(() => Promise.reject(new Error('offline')), null);
    await form.load();
    expect(form.models).toEqual([]);
    expect(form.published({ model: 'gpt-5' })).toBeNull();
  });
});
