import { beforeEach, expect, test, vi } from 'vitest';
import { CONDUCTOR, type PlanDraft } from '../../../src/app/state/plan-draft';
import { recallDrafts, rememberDrafts } from '../../../src/app/state/edited-plans.svelte';

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

const plan = { question: 'Why?', draft, isAside: false };

test('restores plans with their questions each time they are read', () => {
  const plans = [{ ...plan, question: 'How?', isAside: true }, plan];
  rememberDrafts(plans);
  expect(recallDrafts()).toEqual(plans);
  expect(recallDrafts()).toEqual(plans);
});

test.each([
  JSON.stringify(draft),
  JSON.stringify({ question: 'Why?', draft: [] }),
  '[{"question":"Why?"}]',
  'nonsense',
])('deletes the invalid entry %s', (text) => {
  kept.set(KEY, text);
  expect(recallDrafts()).toEqual([]);
  expect(kept.has(KEY)).toBe(false);
});

test('deletes the stored entry if the list of plans is empty', () => {
  rememberDrafts([plan]);
  rememberDrafts([]);
  expect(kept.has(KEY)).toBe(false);
});
