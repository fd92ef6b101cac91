/**
 * @file Runs whole workflows of simulated workers without a clock. Each step gets the messages that
 * the executor would send.
 */
import { mixSeed, renderPrompt, seededRandom, workerPrompt, type Role, type Step } from '../../../src/core/contract';
import { SUBTASK } from '../../../src/core/conductor/wording';
import { SIMULATED_WORKERS, type SimulatedProfile } from '../../../src/core/simulation/profiles';
import { workFor } from '../../../src/core/simulation/work';
import { TASK_FAMILIES } from '../../../src/core/tasks';
import type { PosedPuzzle } from '../../../src/core/tasks/posed';

export type Name = 'Alder' | 'Birch' | 'Cedar' | 'Dogwood' | 'Elm';

export function profileNamed(name: Name): SimulatedProfile {
  const profile = SIMULATED_WORKERS.find((each) => each.name === name);
  if (!profile) throw new Error(`There is no ${name}.`);
  return profile;
}

/** A step. By default, its subtask is the one that the built-in Conductors write for its role. */
export function step(role: Role, name: Name, access: readonly number[] = [], subtask: string = SUBTASK[role]): Step {
  const worker = SIMULATED_WORKERS.indexOf(profileNamed(name));
  return { worker, subtask, access, role };
}

/** The output of every step. `undefined` for a failed step. */
export function outputsOf(steps: readonly Step[], question: string, seed: number): (string | undefined)[] {
  const outputs: (string | undefined)[] = [];
  for (const [index, { worker }] of steps.entries()) {
    const messages = renderPrompt(workerPrompt({ steps }, 0, index), {
      question,
      subtask: (_, at) => steps[at]?.subtask,
      output: (_, at) => outputs[at],
    });
    const profile = SIMULATED_WORKERS[worker];
    if (!profile) throw new RangeError(`There is no worker ${worker}.`);
    const work = workFor(profile, messages, mixSeed(seed, 0, index));
    outputs.push(work.ok ? work.text : undefined);
  }
  return outputs;
}

/** Puzzles of random difficulty, from each family in turn, with their questions. */
export function puzzles(
  count: number,
  families = TASK_FAMILIES,
): { readonly puzzle: PosedPuzzle; readonly question: string }[] {
  return Array.from({ length: count }, (_, index) => {
    const family = families[index % families.length];
    if (!family) throw new Error('There are no puzzle families.');
    const random = seededRandom(mixSeed('puzzles', index));
    const puzzle = family.generate(random, random());
    return { puzzle, question: puzzle.writeQuestion(random) };
  });
}

/** Share of puzzles for which the last step's output is right. */
export function rate(steps: readonly Step[], drawn: ReturnType<typeof puzzles>): number {
  const right = drawn.filter(
    ({ puzzle, question }, index) => puzzle.check(outputsOf(steps, question, index).at(-1) ?? '').correct,
  );
  return right.length / drawn.length;
}

/** The workflow that the built-in rules write for the five simulated workers. */
export const BY_ROLE: readonly Step[] = [
  step('solve', 'Birch'),
  step('solve', 'Elm', [], SUBTASK.solveAnotherWay),
  step('verify', 'Cedar', [0, 1]),
  step('refine', 'Dogwood', [0, 1, 2]),
  step('decide', 'Alder', [2, 3]),
];
