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

test('restores a plan for its question, whatever the pool', () => {
  rememberDraft(draft, 'Why?');
  expect(recallDraft('Why?')).toEqual(draft);
  expect(recallDraft('Why?')).toEqual(draft);
});

test('deletes the plan of another question', () => {
  rememberDraft(draft, 'Why?');
  expect(recallDraft('How?')).toBeNull();
  expect(kept.has(KEY)).toBe(false);
  expect(recallDraft('Why?')).toBeNull();
});

test.each([JSON.stringify(draft), '{"question":"Why?"}', 'nonsense'])('deletes the invalid entry %s', (text) => {
  kept.set(KEY, text);
  expect(recallDraft('Why?')).toBeNull();
  expect(kept.has(KEY)).toBe(false);
});

test('stores nothing for the Conductor’s own plan', () => {
  rememberDraft(draft, 'Why?');
  rememberDraft(null, 'Why?');
  expect(kept.has(KEY)).toBe(false);
});
