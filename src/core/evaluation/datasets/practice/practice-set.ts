/**
 * @file The practice set: tasks made for Podium, so that an evaluation works without a download. The set has 200 puzzles, which
 * simulated workers can solve, and 100 general questions, which need real workers.
 */
import type { Dataset, EvaluationTask } from '../../../contract';
import { describeTasks } from '../describe-tasks';
import { practicePuzzles } from './generated-tasks';
import { KNOWLEDGE } from './questions/knowledge';
import { MATHEMATICS } from './questions/mathematics';
import { CODE, LANGUAGE, LOGIC } from './questions/reasoning';
import { SCIENCE } from './questions/science';

/** The seed of the puzzles. The bundled policy was not trained on any puzzle that this seed gives. */
const SEED = 2;
/** Number of puzzles for each family and difficulty. */
const EACH = 10;

/** All tasks: puzzles by family and difficulty, then the general questions by subject. Each call returns the same tasks. */
export function practiceTasks(): EvaluationTask[] {
  return [...practicePuzzles(SEED, EACH), ...KNOWLEDGE, ...SCIENCE, ...MATHEMATICS, ...CODE, ...LOGIC, ...LANGUAGE];
}

/** The practice set as a dataset. The user never added the set, so `addedAt` is 0. */
export function practiceDataset(): Dataset {
  return {
    id: 'practice',
    name: 'Practice set',
    source: { kind: 'practice' },
    ...describeTasks(practiceTasks()),
    isConfidential: false,
    addedAt: 0,
  };
}
