/**
 * @file The prompt that a user has edited, for Conductors that are language models. Each part is optional. An absent part is
 * replaced by the part that the model was trained with, or else by Podium's default.
 */

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
}

/**
 * The user's prompts: one for all Conductors, and prompts for single Conductors by their id. A Conductor that combines a model
 * with the trained policy shares the prompt of the Conductor that uses the model alone.
 */
export interface ConductorPrompts {
  readonly all: ConductorPrompt;
  readonly single: Readonly<Record<string, ConductorPrompt>>;
}

/** The prompts of a user who has edited none. */
export const NO_PROMPTS: ConductorPrompts = { all: {}, single: {} };

/** Maximum length of one field, in UTF-16 units. The default system message with its examples has about 5,000. */
export const LONGEST_PROMPT = 20_000;
/** Maximum number of Conductors with a prompt of their own. */
export const MOST_PROMPTS = 50;

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
    one.later === other.later
  );
}

/** Whether two sets of prompts are the same. */
export function samePrompts(one: ConductorPrompts, other: ConductorPrompts): boolean {
  const ids = new Set([...Object.keys(one.single), ...Object.keys(other.single)]);
  return (
    samePrompt(one.all, other.all) && [...ids].every((id) => samePrompt(one.single[id] ?? {}, other.single[id] ?? {}))
  );
}

/**
 * The user's prompt for one Conductor. A part that the prompt for this Conductor lacks comes from the prompt
 * for all Conductors. Exception: the prompt for all Conductors never replaces a part that the model was
 * trained with.
 * @param model id of the Conductor that uses the model without the policy
 * @param trained the parts that the model was trained with
 */
export function promptFor({ all, single }: ConductorPrompts, model: string, trained: ConductorPrompt): ConductorPrompt {
  const shared = Object.fromEntries(Object.entries(all).filter(([part]) => !Object.hasOwn(trained, part)));
  return { ...shared, ...single[model] };
}
