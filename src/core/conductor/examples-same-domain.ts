/**
 * @file Worked examples for the Conductor's prompt, from the domains of the usual benchmarks: mathematics, code,
 * science and knowledge. In arXiv 2512.04388, Table 9, such examples led to lower scores than examples from other
 * domains. Users can select these examples for comparison.
 */
import type { ConductorExample } from './examples';

export const SAME_DOMAIN_EXAMPLES: readonly ConductorExample[] = [
  {
    question: 'How many positive integers below 200 are divisible by 6 but not by 9? Give the number.',
    pool: 3,
    thought:
      'Counting is short, and it is easy to be off by one. One worker counts, another one checks by another method.',
    workflow: {
      steps: [
        {
          worker: 1,
          subtask:
            'Count the multiples of 6 below 200 and subtract those that are also multiples of 9. Show both counts.',
          access: [],
        },
        {
          worker: 0,
          subtask:
            'Check the count by listing the remainders modulo 18. Correct it if needed, and give only the number.',
          access: [0],
        },
      ],
    },
  },
  {
    question:
      'Write a Python function longest_run(values) that returns the length of the longest run of equal neighbours in a list. An empty list gives 0.',
    pool: 4,
    thought:
      'The code is short, but the empty list and the last run are often wrong. One worker writes, one reviews, and the first one corrects.',
    workflow: {
      steps: [
        { worker: 2, subtask: 'Write the function. Handle the empty list and a run at the end.', access: [] },
        {
          worker: 3,
          subtask:
            'Run the function by hand on [], [1], [1, 1, 2] and [2, 1, 1]. Report each wrong result and its cause.',
          access: [0],
        },
        {
          worker: 2,
          subtask: 'Correct what the review found, and give the whole function in one code block.',
          access: [0, 1],
        },
      ],
    },
  },
  {
    question:
      'A block slides down a frictionless slope and reaches speed v. From which multiple of the height does it reach 2v? A: 2, B: 3, C: 4, D: 8. Give the letter.',
    pool: 5,
    thought: 'Energy conservation decides this in one line. A single step is enough.',
    workflow: {
      steps: [
        {
          worker: 4,
          subtask: 'Use energy conservation to relate height and speed, then choose the option. End with the letter.',
          access: [],
        },
      ],
    },
  },
  {
    question: 'Which treaty ended the Thirty Years War, and in which year? Answer in one sentence.',
    pool: 2,
    thought: 'This is plain recall. One worker that knows history is enough.',
    workflow: {
      steps: [{ worker: 1, subtask: 'Name the treaty and the year in one sentence.', access: [] }],
    },
  },
];
