/** @file Lessons as the user's preferences store them: for a Conductor and a pool. */
import type { ConductorInfo, ConductorPrompts, LearnedLessons, LearnedWorker } from '../contract';
import { modelOf } from '../runs/preferred-run';
import { winnerOf } from './next-step';
import type { StoredSearch } from './searches';

export function learnedBy(
  conductor: Pick<ConductorInfo, 'id' | 'model'>,
  pool: readonly LearnedWorker[],
  lessons: readonly string[],
): LearnedLessons {
  return {
    conductor: modelOf(conductor),
    ...(conductor.model === undefined ? {} : { model: conductor.model }),
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

/** Whether two lists of lessons are the same, and belong to the same Conductor, model and workers. */
export function areSameLessons(one: LearnedLessons, other: LearnedLessons): boolean {
  return JSON.stringify(partsOf(one)) === JSON.stringify(partsOf(other));
}

/** The parts in a fixed order, because stored objects may have another order of keys. */
function partsOf({ conductor, model, pool, lessons }: LearnedLessons) {
  return [
    [conductor, model],
    pool.map((worker) => [worker.id, worker.name, worker.model]),
    lessons.map(({ text, isOff = false }) => [text, isOff]),
  ];
}

/** The newest proved search that found some of the lessons. Its test tasks can prove them again. `null`: it was deleted, or is elsewhere. */
export function sourceOf(
  { conductor, lessons }: LearnedLessons,
  searches: readonly StoredSearch[],
): StoredSearch | null {
  const texts = new Set(lessons.map(({ text }) => text));
  const isSource = ({ setup, state }: StoredSearch) =>
    state.proof !== null &&
    modelOf(setup.settings.conductor) === conductor &&
    winnerOf(state)?.lessons.some((lesson) => texts.has(lesson));
  return searches.find(isSource) ?? null;
}
