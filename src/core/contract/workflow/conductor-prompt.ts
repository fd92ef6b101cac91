/**
 * @file The prompt that a user has edited, for Conductors that are language models. Each part is optional. An absent part is
 * replaced by the part that the model was trained with, or else by Podium's default.
 */
import { canonicalJson } from '../canonical-json';
import type { PoolWorker } from '../worker/worker';

/** The two messages that ask a model for a plan. They contain `{{placeholders}}`. */
export interface PromptTemplate {
  /** The system message, the same for every question. `''`: no system message. */
  readonly fixed: string;
  /** The user message. */
  readonly question: string;
}

/**
 * The worked examples in the prompt. `same`: from the domains of the usual benchmarks, which are mathematics, code, science and
 * knowledge. `other`: from other domains. `own`: a text by the user.
 */
export const EXAMPLE_SETS = ['other', 'same', 'none', 'own'] as const;
export type ExampleSet = (typeof EXAMPLE_SETS)[number];

/**
 * How the prompt lists workers. `number`: as `Model id 0` and so on, as in the paper. `name`: by name, with what is known about
 * each worker.
 */
export const WORKER_NAMINGS = ['number', 'name'] as const;
export type WorkerNaming = (typeof WORKER_NAMINGS)[number];

export interface ConductorPrompt {
  readonly template?: PromptTemplate;
  readonly examples?: ExampleSet;
  /** The text of `examples: 'own'`. */
  readonly ownExamples?: string;
  readonly showWorkers?: WorkerNaming;
  /** The text added to the user message from the second round on. */
  readonly later?: string;
  /** Lessons that were learned from graded runs. The prompt lists them after the system message. Absent: none. */
  readonly lessons?: readonly string[];
}

/** A lesson that was learned for a Conductor and a pool. The user may have edited it. */
export interface Lesson {
  readonly text: string;
  /** Set if the user has switched the lesson off. */
  readonly isOff?: boolean | undefined;
}

/** A worker of the pool for which lessons were learned. */
export type LearnedWorker = Pick<PoolWorker, 'id' | 'name' | 'model'>;

/** What a Conductor has learned about a pool. It is used only with workers of this pool. */
export interface LearnedLessons {
  /** Id of the Conductor that uses the model without the policy. */
  readonly conductor: string;
  /** The model of the Conductor. Absent: unknown, because an older version wrote the lessons, or the model has no name. */
  readonly model?: string | undefined;
  readonly pool: readonly LearnedWorker[];
  readonly lessons: readonly Lesson[];
}

/**
 * The user's prompts: one for all Conductors, and prompts for single Conductors by their id. A Conductor that combines a model
 * with the trained policy shares the prompt of the Conductor that uses the model alone.
 */
export interface ConductorPrompts {
  readonly all: ConductorPrompt;
  readonly single: Readonly<Record<string, ConductorPrompt>>;
  /** At most one entry for each Conductor. Absent: none. */
  readonly learned?: readonly LearnedLessons[] | undefined;
}

/** The prompts of a user who has edited none. */
export const NO_PROMPTS: ConductorPrompts = { all: {}, single: {} };

/** Maximum length of one field, in UTF-16 units. The default system message with its examples has about 5,000. */
export const LONGEST_PROMPT = 20_000;
/** Maximum number of Conductors with a prompt of their own. */
export const MOST_PROMPTS = 50;
/** Maximum number of lessons for a Conductor, and of UTF-16 units of one lesson. */
export const LESSON_LIMITS = { count: 40, length: 1_000 };

/** Whether a prompt changes nothing. */
export function isDefaultPrompt(prompt: ConductorPrompt): boolean {
  return Object.values(prompt).every((part) => part === undefined);
}

function samePrompt(one: ConductorPrompt, other: ConductorPrompt): boolean {
  return (
    one.template?.fixed === other.template?.fixed &&
    one.template?.question === other.template?.question &&
    one.examples === other.examples &&
    one.ownExamples === other.ownExamples &&
    one.showWorkers === other.showWorkers &&
    one.later === other.later &&
    one.lessons?.join('\n') === other.lessons?.join('\n')
  );
}

/** Whether two sets of prompts are the same. */
export function samePrompts(one: ConductorPrompts, other: ConductorPrompts): boolean {
  const ids = new Set([...Object.keys(one.single), ...Object.keys(other.single)]);
  return (
    samePrompt(one.all, other.all) &&
    [...ids].every((id) => samePrompt(one.single[id] ?? {}, other.single[id] ?? {})) &&
    canonicalJson(one.learned ?? []) === canonicalJson(other.learned ?? [])
  );
}

/**
 * The user's prompt for one Conductor. A part that the prompt for this Conductor lacks comes from the prompt
 * for all Conductors. Exception: the prompt for all Conductors never replaces a part that the model was
 * trained with.
 * @param model id of the Conductor that uses the model without the policy
 * @param trained the parts that the model was trained with
 * @param pool the workers of the run. Empty: the prompt has no lessons
 */
export function promptFor(
  { all, single, learned = [] }: ConductorPrompts,
  model: string,
  trained: ConductorPrompt,
  pool: readonly LearnedWorker[] = [],
): ConductorPrompt {
  const shared = Object.fromEntries(Object.entries(all).filter(([part]) => !Object.hasOwn(trained, part)));
  const own = learned.find(({ conductor }) => conductor === model);
  const lessons = own && newWorkers(own, pool).length === 0 ? usableLessons(own, pool) : [];
  return { ...shared, ...single[model], ...(lessons.length > 0 ? { lessons } : {}) };
}

/** The workers of a pool that lessons know nothing about, because they are new or have another model. */
export function newWorkers<Worker extends LearnedWorker>(
  { pool: known }: LearnedLessons,
  pool: readonly Worker[],
): readonly Worker[] {
  return pool.filter(({ id, model }) => !known.some((worker) => worker.id === id && worker.model === model));
}

/** The names of workers in a lesson that have left the pool. Such a lesson is not used. */
export function absentNames(text: string, known: readonly LearnedWorker[], pool: readonly LearnedWorker[]): string[] {
  const absent = known.filter(({ name }) => name !== '' && !pool.some((worker) => worker.name === name));
  return absent.flatMap(({ name }) => (text.toLowerCase().includes(name.toLowerCase()) ? [name] : []));
}

/** The texts of the lessons that are switched on and name no worker that has left the pool. */
export function usableLessons({ pool: known, lessons }: LearnedLessons, pool: readonly LearnedWorker[]): string[] {
  const isUsable = ({ text, isOff }: Lesson) => !isOff && absentNames(text, known, pool).length === 0;
  return pool.length === 0 ? [] : lessons.filter(isUsable).map(({ text }) => text);
}
