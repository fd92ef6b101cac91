import { expect, it } from 'vitest';
import { agreement, chooseByVote } from '../../../../src/core/contract/workflow/vote';
import type { Workflow } from '../../../../src/core/contract';

const one = (worker: number, subtask = 'Solve.'): Workflow => ({ steps: [{ worker, subtask, access: [] }] });

it('chooses the first workflow with the most common workers and access, regardless of its subtasks', () => {
  expect(chooseByVote([one(0), one(1, 'Solve it.'), null, one(1, 'Do it.')])).toBe(1);
});

it('chooses the first workflow if there is a tie', () => {
  expect(chooseByVote([null, one(2), one(1)])).toBe(1);
});

it('chooses no workflow if none is valid', () => {
  expect(chooseByVote([null, null])).toBeNull();
  expect(chooseByVote([])).toBeNull();
});

it('counts workflows as different if only one of them has access to the earlier rounds', () => {
  const later: Workflow = { steps: [{ worker: 0, subtask: 'Solve.', access: [], seesEarlier: true }] };
  const denied: Workflow = { steps: [{ worker: 0, subtask: 'Solve.', access: [], seesEarlier: false }] };
  expect(agreement([one(0), later, denied])).toEqual([[0, 2], [1], [0, 2]]);
  expect(chooseByVote([one(0), later, later])).toBe(1);
});

it('lists for each candidate all candidates with the same workers and access, including itself', () => {
  expect(agreement([one(0), null, one(1), one(0, 'In other words.')])).toEqual([[0, 3], [], [2], [0, 3]]);
});
