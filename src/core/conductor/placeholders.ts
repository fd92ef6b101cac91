/**
 * @file Lists the placeholders of a Conductor's prompt, and checks a prompt that the user has written. To add a placeholder,
 * add a row here and its value in `prompt.ts`.
 */
import { LONGEST_PROMPT, type ConductorPrompt, type PromptTemplate } from '../contract';
import { DEFAULT_LATER, DEFAULT_TEMPLATE } from './prompt-template';

/** The texts of a prompt that can have placeholders. */
export const PROMPT_FIELDS = ['fixed', 'question', 'later'] as const;
export type PromptField = (typeof PROMPT_FIELDS)[number];

export interface Placeholder {
  readonly field: PromptField;
  /** What Podium inserts for the placeholder, as the prompt editor describes it. */
  readonly meaning: string;
  /** Whether the user's prompt must contain the placeholder. `examples`: only if a set of examples is chosen. Default false. */
  readonly needed?: boolean | 'examples';
}

/** All placeholders by name, without braces. */
export const PLACEHOLDERS = {
  access: { field: 'fixed', meaning: 'what an entry of access_list may be' },
  examples: { field: 'fixed', meaning: 'the examples', needed: 'examples' },
  workers: { field: 'question', meaning: 'the workers, one per line', needed: true },
  limit: { field: 'question', meaning: 'the step limit' },
  effort: { field: 'question', meaning: 'advice on the number of steps (begins with a space)' },
  recursion: { field: 'question', meaning: 'when the Conductor may name itself' },
  steps: { field: 'question', meaning: 'given steps, if the model only writes the subtasks' },
  question: { field: 'question', meaning: 'the question', needed: true },
  rounds: { field: 'later', meaning: 'the earlier workflows and their responses', needed: true },
  choice: { field: 'later', meaning: 'the choice between the answer so far and a new workflow', needed: true },
} as const satisfies Readonly<Record<string, Placeholder>>;
export type PlaceholderName = keyof typeof PLACEHOLDERS;

/** The names of the fields, as the prompt editor shows them. */
const FIELD_NAMES: Readonly<Record<PromptField, string>> = {
  fixed: 'system message',
  question: 'user message',
  later: 'text for later rounds',
};

export function placeholdersOf(field: PromptField): PlaceholderName[] {
  return entries().flatMap(([name, placeholder]) => (placeholder.field === field ? [name] : []));
}

/**
 * Checks the template that a model was trained with. Only the placeholder `question` is required, because a
 * model may have been trained without the others.
 * @returns a sentence that says why the template is invalid. `null`: it is valid
 */
export function templateProblem({ question }: PromptTemplate): string | null {
  return question.includes('{{question}}') ? null : missing('question');
}

/** Why the user's prompt cannot be used, as a sentence that names the placeholder or the field. `null` if it can be used. */
export function promptProblem(prompt: ConductorPrompt): string | null {
  const { template = DEFAULT_TEMPLATE, later = DEFAULT_LATER, examples = 'other', ownExamples = '' } = prompt;
  const texts: Readonly<Record<PromptField, string>> = { ...template, later };
  for (const field of PROMPT_FIELDS) {
    const problem = lengthProblem(FIELD_NAMES[field], texts[field]) ?? unknownIn(field, texts[field]);
    if (problem !== null) return problem;
  }
  for (const [name, placeholder] of entries()) {
    if (!placeholder.needed || texts[placeholder.field].includes(`{{${name}}}`)) continue;
    if (placeholder.needed === true) return missing(name);
    if (examples !== 'none') return `${missing(name)} Or choose no examples.`;
  }
  if (examples === 'own' && ownExamples.trim() === '') return 'Write your examples, or choose another set.';
  return lengthProblem('text of your examples', ownExamples);
}

function entries(): [PlaceholderName, Placeholder][] {
  return (Object.keys(PLACEHOLDERS) as PlaceholderName[]).map((name) => [name, PLACEHOLDERS[name]]);
}

function missing(name: PlaceholderName): string {
  const { field, meaning } = PLACEHOLDERS[name];
  return `The placeholder {{${name}}} is missing. It stands for ${meaning}. Add it to the ${FIELD_NAMES[field]}.`;
}

function lengthProblem(name: string, text: string): string | null {
  if (text.length <= LONGEST_PROMPT) return null;
  return `The ${name} has ${text.length} characters. At most ${LONGEST_PROMPT} are allowed.`;
}

function unknownIn(field: PromptField, text: string): string | null {
  const here: readonly string[] = placeholdersOf(field);
  for (const [found, name = ''] of text.matchAll(/\{\{([^{}]*)\}\}/g)) {
    if (here.includes(name)) continue;
    const known = entries().find(([each]) => each === name)?.[1];
    if (known) return `The placeholder ${found} belongs in the ${FIELD_NAMES[known.field]}.`;
    const allowed = here.map((each) => `{{${each}}}`).join(', ');
    return `The placeholder ${found.slice(0, 60)} is unknown. The ${FIELD_NAMES[field]} may contain ${allowed}.`;
  }
  return null;
}
