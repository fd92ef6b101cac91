import { describe, expect, test } from 'vitest';
import { newRunOf } from '../../../src/app/state/new-run';
import type { ConductorChoice } from '../../../src/app/services';
import { createByHandConductor } from '../../../src/core/conductor/by-hand';
import { HEURISTIC_INFO } from '../../../src/core/conductor/heuristic';
import { POLICY_INFO } from '../../../src/core/conductor/policy-info';
import { DEFAULT_PREFERENCES, type ConductorInfo, type Preferences } from '../../../src/core/contract';
import { poolWorker } from '../../fixtures/run-events';

const ENDPOINT: ConductorInfo = { id: 'endpoint:desk', label: 'Desk', kind: 'endpoint' };
const choiceOf = (info: ConductorInfo, more: Partial<ConductorChoice> = {}): ConductorChoice => ({
  info,
  description: '',
  instant: false,
  ...more,
});
const services = { conductor: (info: ConductorInfo) => ({ ...createByHandConductor({ steps: [] }), info }) };
const input = { question: 'Why?', images: [], pool: [poolWorker(0)], planPool: [poolWorker(0)], maxSteps: 5, seed: 1 };

function runOf(choice: ConductorChoice, more: Partial<Preferences>, draft: [] | null = null) {
  return newRunOf({ ...input, choice, draft }, { ...DEFAULT_PREFERENCES, ...more }, services);
}

const PROMPTS = { all: { examples: 'none' }, single: { 'endpoint:desk': { later: 'Mine.' } } } as const;

describe('the prompt of a new run', () => {
  test('combines the edits for all Conductors with the edits for this Conductor, if a model writes the plan', () => {
    expect(runOf(choiceOf(ENDPOINT), { prompts: PROMPTS }).prompt).toEqual({ examples: 'none', later: 'Mine.' });
    const other = choiceOf({ ...ENDPOINT, id: 'endpoint:shelf' });
    expect(runOf(other, { prompts: PROMPTS }).prompt).toEqual({ examples: 'none' });
  });

  test('includes the edits for a model if the policy ranks the plans of this model', () => {
    const ranked = choiceOf({ ...ENDPOINT, id: 'ranked+endpoint:desk' });
    expect(runOf(ranked, { prompts: PROMPTS }).prompt?.later).toBe('Mine.');
  });

  test('keeps the parts that the model was trained with, despite edits for all Conductors', () => {
    const trained = choiceOf({ ...ENDPOINT, id: 'webllm:own', kind: 'webllm' }, { trained: { examples: 'other' } });
    expect(runOf(trained, { prompts: PROMPTS })).not.toHaveProperty('prompt');
  });

  test('is absent if it is unedited, or if the rules, the policy or the user write the plan', () => {
    expect(runOf(choiceOf(ENDPOINT), {})).not.toHaveProperty('prompt');
    expect(runOf(choiceOf(HEURISTIC_INFO), { prompts: PROMPTS })).not.toHaveProperty('prompt');
    expect(runOf(choiceOf(POLICY_INFO), { prompts: PROMPTS })).not.toHaveProperty('prompt');
    expect(runOf(choiceOf(ENDPOINT), { prompts: PROMPTS }, [])).not.toHaveProperty('prompt');
  });
});

test('short rounds apply only to models that choose the steps, and have at most three of them', () => {
  const rounds = { recursion: true, recursionMode: 'rounds' } as const;
  const roundsOf = (info: ConductorInfo, more: Partial<Preferences> = rounds) => {
    const { recursionMode, maxSteps } = runOf(choiceOf(info), more);
    return [recursionMode, maxSteps];
  };
  expect(roundsOf(ENDPOINT)).toEqual(['rounds', 3]);
  expect(roundsOf({ ...ENDPOINT, id: 'ranked+endpoint:desk' })).toEqual(['rounds', 3]);
  expect(roundsOf({ ...ENDPOINT, id: 'policy+endpoint:desk' })).toEqual(['self', 5]);
  expect(roundsOf(POLICY_INFO)).toEqual(['self', 5]);
  expect(roundsOf(ENDPOINT, { ...rounds, recursion: false })).toEqual(['self', 5]);
});

describe('the recursion mode “always” (every run has a second round)', () => {
  const always = { recursion: true, recursionMode: 'always' } as const;
  const modeOf = (choice: ConductorChoice, draft: [] | null = null) => {
    const { recursion, recursionMode } = runOf(choice, always, draft);
    return { recursion, recursionMode };
  };

  test('applies only to plans by a model or the policy', () => {
    expect(modeOf(choiceOf(ENDPOINT))).toEqual({ recursion: false, recursionMode: 'always' });
    expect(modeOf(choiceOf(POLICY_INFO))).toEqual({ recursion: false, recursionMode: 'always' });
    expect(modeOf(choiceOf(HEURISTIC_INFO)).recursionMode).toBe('self');
    expect(modeOf(choiceOf(ENDPOINT), []).recursionMode).toBe('self');
  });
});
