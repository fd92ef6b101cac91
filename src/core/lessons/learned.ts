/** @file Lessons as the user's preferences store them: for a Conductor and a pool. */
import type { ConductorInfo, ConductorPrompts, LearnedLessons, LearnedWorker } from '../contract';
import { modelOf } from '../runs/preferred-run';

export function learnedBy(
  conductor: Pick<ConductorInfo, 'id'>,
  pool: readonly LearnedWorker[],
  lessons: readonly string[],
): LearnedLessons {
  return {
    conductor: modelOf(conductor),
    pool: pool.map(({ id, name, model }) => ({ id, name, model })),
    lessons: lessons.map((text) => ({ text })),
  };
}

/** The prompts with these lessons, which replace earlier lessons of the same Conductor. */
export function withLearned(prompts: ConductorPrompts, learned: LearnedLessons): ConductorPrompts {
  return { ...prompts, learned: [...withoutLearned(prompts, learned.conductor), learned] };
}

/** The lessons of all other Conductors. */
export function withoutLearned({ learned = [] }: ConductorPrompts, conductor: string): readonly LearnedLessons[] {
  return learned.filter((each) => each.conductor !== conductor);
}
