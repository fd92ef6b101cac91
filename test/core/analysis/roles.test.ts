import { describe, expect, test } from 'vitest';
import { recogniseRole } from '../../../src/core/analysis';
import { SUBTASK } from '../../../src/core/conductor/wording';

describe('recogniseRole', () => {
  test.each([
    ['plan', SUBTASK.plan],
    ['solve', SUBTASK.solve],
    ['solve', SUBTASK.solveAnotherWay],
    ['verify', SUBTASK.verify],
    ['refine', SUBTASK.refine],
    ['aggregate', SUBTASK.aggregate],
    ['decide', SUBTASK.decide],
    ['solve', 'Find one exact way. Build a large product first, then close the gap.'],
    ['solve', 'Combine the numbers to reach 537.'],
    ['plan', 'Outline a strategy. Do not solve it.'],
    ['verify', 'Find any mistakes in the solutions above.'],
    ['verify', 'Carefully examine both attempts.'],
    ['refine', 'Using the review, correct the answer.'],
    ['refine', 'Check the solution and give a corrected answer; fix what is wrong.'],
    ['decide', 'Check both solutions. Give one that is right as the answer.'],
    ['decide', 'Give the one right result, in one line.'],
    ['aggregate', 'Combine the three solutions.'],
    ['solve', 'Hello'],
  ])('%s: %s', (role, subtask) => expect(recogniseRole(subtask)).toBe(role));
});
