import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
  absentNames,
  LONGEST_PROMPT,
  MOST_PROMPTS,
  NO_PROMPTS,
  promptFor,
  samePrompts,
  type ConductorPrompt,
} from '../../../../src/core/contract';
import {
  conductorPromptSchema,
  conductorPromptsSchema,
} from '../../../../src/core/contract/workflow/conductor-prompt-schema';

const template = { fixed: 'Plan.', question: '{{workers}} {{question}}' };

describe('the prompt of a Conductor', () => {
  const prompts = {
    all: { template, examples: 'none' },
    single: { 'endpoint:a': { examples: 'same' } },
  } as const;

  it('is the shared prompt by default', () => {
    expect(promptFor(prompts, 'endpoint:b', {})).toEqual(prompts.all);
  });

  it('falls back to the shared prompt for parts that the Conductor’s own prompt lacks', () => {
    expect(promptFor(prompts, 'endpoint:a', {})).toEqual({ template, examples: 'same' });
  });

  it('replaces a part that the model was trained with only if the Conductor’s own prompt has that part', () => {
    const trained: ConductorPrompt = { template: { fixed: '', question: '{{question}}' }, showWorkers: 'number' };
    expect(promptFor(prompts, 'local:own', trained)).toEqual({ examples: 'none' });
    expect(promptFor({ ...prompts, single: { 'local:own': { template } } }, 'local:own', trained)).toEqual({
      examples: 'none',
      template,
    });
  });

  it('counts as changed if the shared prompt or any Conductor’s own prompt has changed', () => {
    expect(samePrompts(prompts, { all: { ...prompts.all }, single: { ...prompts.single } })).toBe(true);
    expect(samePrompts(prompts, { ...prompts, single: {} })).toBe(false);
    expect(samePrompts(prompts, { ...prompts, all: { template } })).toBe(false);
  });
});

describe('the lessons of a Conductor', () => {
  const [alder, birch] = ['alder', 'birch'].map((id) => ({ id, name: id, model: `${id}-1` }));
  const known = [alder, birch].flatMap((worker) => worker ?? []);
  const lessons = [{ text: 'Let Alder plan.' }, { text: 'Check twice.' }, { text: 'Use few steps.', isOff: true }];
  const prompts = { ...NO_PROMPTS, learned: [{ conductor: 'endpoint:a', pool: known, lessons }] };
  const lessonsFor = (pool: typeof known, id = 'endpoint:a') => promptFor(prompts, id, {}, pool).lessons;

  it('are part of its prompt with the workers for which they were learned, except those that are off', () => {
    expect(lessonsFor(known)).toEqual(['Let Alder plan.', 'Check twice.']);
    expect(lessonsFor(known, 'endpoint:b')).toBeUndefined();
  });

  it('are left out one by one if they name a worker that has left the pool', () => {
    expect(lessonsFor(known.slice(1))).toEqual(['Check twice.']);
    expect(absentNames('Let ALDER plan.', known, known.slice(1))).toEqual(['alder']);
  });

  it('are not used with a worker that is new or has another model', () => {
    const other = known.map((worker) => ({ ...worker, model: 'other' }));
    expect(lessonsFor(other)).toBeUndefined();
    expect(lessonsFor([...known, { id: 'cedar', name: 'Cedar', model: 'c' }])).toBeUndefined();
  });

  it('count as a change of the prompts, and are stored and read again', () => {
    expect(samePrompts(prompts, NO_PROMPTS)).toBe(false);
    expect(samePrompts(prompts, structuredClone(prompts))).toBe(true);
    expect(z.parse(conductorPromptsSchema, structuredClone(prompts))).toEqual(prompts);
    expect(z.parse(conductorPromptsSchema, { ...prompts, learned: [{ conductor: 7 }] })).toEqual(NO_PROMPTS);
  });

  it('are absent from stored prompts of older versions', () => {
    expect(Object.keys(z.parse(conductorPromptsSchema, { all: {}, single: {} }))).toEqual(['all', 'single']);
  });
});

describe('the stored prompts', () => {
  it('are replaced by the default if a text is too long', () => {
    const long = { later: 'x'.repeat(LONGEST_PROMPT + 1) };
    expect(z.safeParse(conductorPromptSchema, long).success).toBe(false);
    expect(z.parse(conductorPromptsSchema, { all: long, single: {} })).toEqual(NO_PROMPTS);
  });

  it('are replaced by the default if there are too many, or if the stored value is invalid', () => {
    const single = Object.fromEntries(
      Array.from({ length: MOST_PROMPTS + 1 }, (_, index) => [`endpoint:${index}`, {}]),
    );
    expect(z.parse(conductorPromptsSchema, { all: { template }, single })).toEqual(NO_PROMPTS);
    expect(z.parse(conductorPromptsSchema, 7)).toEqual(NO_PROMPTS);
    expect(z.parse(conductorPromptsSchema, { all: { template }, single: {} }).all).toEqual({ template });
  });
});
