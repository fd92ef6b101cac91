import { expect, test } from 'vitest';
import { glyphRows } from '../../../src/app/score/glyph-rows';
import { glyphOfWorkflow } from '../../../src/app/shared/plan/workflow-glyph';
import type { GlyphBar } from '../../../src/core/contract';

const bar = (lane: number, start: number, end: number): GlyphBar => ({ lane, colour: lane, start, end });

test('bars of a worker that follow one another share a row', () => {
  expect(glyphRows([bar(0, 0, 0.2), bar(1, 0.2, 0.6), bar(1, 0.6, 1)])).toEqual({ rows: [0, 1, 1], lanes: [0, 1] });
});

test('bars of a worker that overlap get rows of their own, above the rows of the next worker', () => {
  const glyph = [bar(2, 0.2, 0.5), bar(1, 0.3, 0.9), bar(1, 0.2, 0.6), bar(1, 0.7, 1)];
  expect(glyphRows(glyph)).toEqual({ rows: [2, 1, 0, 0], lanes: [1, 1, 2] });
});

test('no bar hides another one in the picture of a workflow with parallel steps by one worker', () => {
  const step = { subtask: 'Solve it.', worker: 0, access: [] };
  const steps = [step, step, step, { ...step, access: [0, 1, 2] }];
  const { rows } = glyphRows(glyphOfWorkflow({ steps }, []));
  expect(rows).toEqual([0, 1, 2, 0]);
});

test('a picture without bars has no rows', () => {
  expect(glyphRows([])).toEqual({ rows: [], lanes: [] });
});
