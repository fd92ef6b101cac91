/**
 * @file The practice set: tasks made for Podium, so that an evaluation works without a download. Simulated
 * workers can solve its 200 puzzles. Its 100 general questions need real workers.
 */
import type { Dataset, EvaluationTask } from '../../../contract';
import { describeTasks } from '../describe-tasks';
import { practicePuzzles } from './generated-tasks';
import { KNOWLEDGE } from './questions/knowledge';
import { MATHEMATICS } from './questions/mathematics';
import { CODE, LANGUAGE, LOGIC } from './questions/reasoning';
import { SCIENCE } from './questions/science';

/** The seed of the puzzles. The bundled policy was not trained on any of these puzzles. */
const SEED = 2;
/** Number of puzzles for each family and difficulty. */
const EACH = 10;

/** All tasks: first the puzzles by family and difficulty, then the general questions by subject. */
export function practiceTasks(): EvaluationTask[] {
  return [...practicePuzzles(SEED, EACH), ...KNOWLEDGE, ...SCIENCE, ...MATHEMATICS, ...CODE, ...LOGIC, ...LANGUAGE];
}

/** The practice set as a dataset. `addedAt` is 0, because the user did not add the set. */
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
