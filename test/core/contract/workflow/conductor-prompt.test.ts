import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import {
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
