/**
 * @file The standard subtasks of the built-in Conductors, one for each kind of step. Each subtask begins with a clear verb and
 * states what the worker must return.
 */

export const SUBTASK = {
  plan: 'Plan how to solve the task: name the parts, their order and the pitfalls. Do not solve it yet.',
  solve: 'Solve the task. Show the steps that matter and end with your result.',
  solveAnotherWay:
    'Solve the task another way than the most obvious one. Show the steps that matter and end with your result.',
  verify: 'Check each result against the task. Say of each whether it is right, and where it goes wrong.',
  refine: 'Mend what failed the check, or solve again what cannot be mended. End with one full result.',
  aggregate:
    'Combine the results into one: keep what they agree on, weigh what they do not, and end with one full result.',
  decide: 'Decide on the one right answer and give it in the form that the task asks for.',
} as const;
