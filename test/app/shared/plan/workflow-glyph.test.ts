import { expect, test } from 'vitest';
import { glyphOfWorkflow } from '../../../../src/app/shared/plan/workflow-glyph';
import { poolWorker, step } from '../../../fixtures/run-events';

const pool = [0, 1, 2].map((index) => poolWorker(index));

test('a workflow is drawn with one column for parallel steps and one lane for each worker', () => {
  const workflow = { steps: [step(1, 'Solve'), step(0, 'Solve too'), step(1, 'Decide', [0, 1])] };
  expect(glyphOfWorkflow(workflow, pool)).toEqual([
    { lane: 1, colour: 2, start: 0, end: 0.44 },
    { lane: 2, colour: 1, start: 0, end: 0.44 },
    { lane: 1, colour: 2, start: 0.5, end: 0.94 },
  ]);
});

test('a workflow without steps is drawn without bars', () => expect(glyphOfWorkflow({ steps: [] }, pool)).toEqual([]));
