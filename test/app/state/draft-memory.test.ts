import { beforeEach, expect, test, vi } from 'vitest';
import { recallDraft, rememberDraft } from '../../../src/app/state/draft-memory';
import { CONDUCTOR, type PlanDraft } from '../../../src/app/state/plan-draft';

const KEY = 'podium.plan-draft';
const draft: PlanDraft = [
  { key: 0, workerId: 'local:qwen', subtask: 'Solve it', sees: [], role: 'solve' },
  { key: 1, workerId: CONDUCTOR, subtask: 'Decide', sees: [0] },
  { key: 2, workerId: null, subtask: '', sees: [] },
];
const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  });
  return () => vi.unstubAllGlobals();
});

test('a plan comes back under its question, whoever is in the pool', () => {
  rememberDraft(draft, 'Why?');
  expect(recallDraft('Why?')).toEqual(draft);
  expect(recallDraft('Why?')).toEqual(draft);
});

test('under another question it is forgotten for good', () => {
  rememberDraft(draft, 'Why?');
  expect(recallDraft('How?')).toBeNull();
  expect(kept.has(KEY)).toBe(false);
  expect(recallDraft('Why?')).toBeNull();
});

test.each([JSON.stringify(draft), '{"question":"Why?"}', 'nonsense'])('%s is none, and is forgotten', (text) => {
  kept.set(KEY, text);
  expect(recallDraft('Why?')).toBeNull();
  expect(kept.has(KEY)).toBe(false);
});

test('the Conductor’s own plan is not kept', () => {
  rememberDraft(draft, 'Why?');
  rememberDraft(null, 'Why?');
  expect(kept.has(KEY)).toBe(false);
});
