import { expect, test } from 'vitest';
import type { MethodRow, ReferenceRow } from '../../../src/core/evaluation/tables/results-table';
import { notesOf } from '../../../src/app/evaluate/evaluate-words';

const method = (label: string, ...notes: string[]): MethodRow => ({
  kind: 'method',
  id: label,
  label,
  method: 0,
  cells: [],
  mean: null,
  usage: null,
  cost: { usd: 0, unpriced: 0 },
  costPerRight: null,
  equalCost: null,
  validPlans: null,
  notes,
});
const oracle = (...notes: string[]): ReferenceRow => ({
  kind: 'oracle',
  id: 'oracle',
  label: 'Oracle',
  scores: [],
  mean: null,
  notes,
});

const MISSING = '13 of 16 runs have no result yet.';
const UNPRICED = '3 calls have an unknown cost, so the cost is a minimum.';

test('each note below a results table names the methods to which it applies', () => {
  expect(notesOf([method('Rules', MISSING, UNPRICED), method('Birch', MISSING)])).toEqual([
    `Each method: ${MISSING}`,
    `Rules: ${UNPRICED}`,
  ]);
  expect(notesOf([method('Rules', MISSING), method('Birch', MISSING), method('Cedar')])).toEqual([
    `Rules, Birch: ${MISSING}`,
  ]);
  expect(notesOf([method('Rules', MISSING)])).toEqual([`Rules: ${MISSING}`]);
});

test('a note about a method and a reference row names both', () => {
  expect(notesOf([method('Rules', MISSING), method('Birch'), oracle(MISSING)])).toEqual([`Rules, Oracle: ${MISSING}`]);
});
