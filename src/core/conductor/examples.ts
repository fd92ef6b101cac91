/**
 * @file Worked examples for the prompt of a language model that plans. The four default examples are not from the
 * domains of the usual benchmarks. In the paper, the score on LiveCodeBench is 64.29 with examples from other domains, 58.32 with
 * examples from the domains of the benchmarks, and 54.86 without examples (arXiv 2512.04388, appendix).
 */
import type { Workflow } from '../contract';

/** A question, with the thought and the workflow that a Conductor should write. */
export interface ConductorExample {
  readonly question: string;
  /** Number of workers in the pool. Default: the highest worker number in the workflow, plus one. */
  readonly pool?: number;
  readonly thought: string;
  /**
   * Both access schemes (see `AccessScheme`) must allow the workflow. So each step sees either no step or all
   * earlier steps.
   */
  readonly workflow: Workflow;
}

export const DEFAULT_EXAMPLES: readonly ConductorExample[] = [
  {
    question:
      'Six circles form a triangle: one at each corner and one in the middle of each side. Put the numbers 1 to 6 into them, each once, so that the three numbers on every side add up to 10.',
    pool: 4,
    thought:
      'A search with few possibilities, easy to get wrong and easy to check. Two workers try it apart from each other, a third one checks both and settles it.',
    workflow: {
      steps: [
        {
          worker: 1,
          subtask:
            'Solve the puzzle. Think about which numbers can stand at the corners, then place the rest. List the corners and the middles.',
          access: [],
        },
        {
          worker: 3,
          subtask: 'Solve the puzzle by trying the possibilities in order. List the corners and the middles.',
          access: [],
        },
        {
          worker: 0,
          subtask:
            'Check both solutions: is each number used once, and does each side add up to 10? Give one that is right as the answer, or a right one of your own if both fail.',
          access: [0, 1],
        },
      ],
    },
  },
  {
    question:
      'Can drinking grapefruit juice change how strongly some medicines against high cholesterol act? Answer yes or no.',
    pool: 3,
    thought: 'One well-known fact decides this. A single step is enough; more would only cost more.',
    workflow: {
      steps: [
        {
          worker: 2,
          subtask:
            'Recall how grapefruit juice acts on the enzymes that break such medicines down. Then answer with yes or no.',
          access: [],
        },
      ],
    },
  },
  {
    question: 'What does (1 - cos 3x) / (x sin 2x) tend to as x goes to 0?',
    pool: 5,
    thought:
      'A short derivation in which a factor is easily lost. One worker derives it, another checks it by other means, and a third one states the result.',
    workflow: {
      steps: [
        {
          worker: 4,
          subtask: 'Solve it by expanding numerator and denominator to the second order. Show the coefficients.',
          access: [],
        },
        {
          worker: 0,
          subtask:
            'Check the limit that was found: put in x = 0.01 and compare, then look for lost factors. Say what is wrong, if anything.',
          access: [0],
        },
        {
          worker: 4,
          subtask: 'Mend the derivation where the check found a mistake, and give the limit as one number.',
          access: [0, 1],
        },
      ],
    },
  },
  {
    question:
      'Write a notice of at most 30 words for the door of a small library: closed on Monday for repairs, returned books go into the box at the side gate.',
    pool: 2,
    thought:
      'Writing is easy here, keeping to the length is not. One worker writes, the other one counts and polishes.',
    workflow: {
      steps: [
        { worker: 0, subtask: 'Write the notice in a friendly tone. It must say when, why and where.', access: [] },
        {
          worker: 1,
          subtask:
            'Count the words of the notice and check that nothing is missing. Shorten or mend it where needed, and give only the final text.',
          access: [0],
        },
      ],
    },
  },
];
