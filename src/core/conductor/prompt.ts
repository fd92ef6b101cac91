/**
 * @file Builds the prompt for a language model that plans (arXiv 2512.04388, section 3). The wording comes
 * from the user's own prompt, from the model's template or from `prompt-template.ts`. The system message has
 * the part that is the same for every question. The user message has the pool, the limits, the question and
 * the earlier rounds.
 *
 * The messages refer to the question, the subtasks and the outputs instead of repeating them, so no text is
 * stored twice. `promptSources` returns the texts for these references.
 */
import type { WorkerRecord } from '../analysis/worker-record';
import {
  canSee,
  promptRoom,
  fitPrompt,
  imageCount,
  questionText,
  sha256Hex,
  type AccessScheme,
  type ConductorPrompt,
  type EarlierRound,
  type PlanRequest,
  type PoolWorker,
  type PromptMessage,
  type PromptPart,
  type PromptSources,
  type PromptTemplate,
  type Step,
  type WorkerNaming,
} from '../contract';
import { fitFiles } from '../contract/run/fit-files';
import { DEFAULT_EXAMPLES, type ConductorExample } from './examples';
import { SAME_DOMAIN_EXAMPLES } from './examples-same-domain';
import { formatAccess, formatWorkflow } from './format';
import { knownWords } from './known-words';
import type { PlaceholderName } from './placeholders';
import { DEFAULT_LATER, DEFAULT_TEMPLATE, EFFORT_ADVICE, SUBTASKS_TEMPLATE } from './prompt-template';
import { knownOf } from './ranking';

/** `template` and `showWorkers` come with the model. The user's own prompt in the request takes precedence. */
export interface PromptOptions {
  readonly template?: PromptTemplate;
  readonly examples?: readonly ConductorExample[];
  /**
   * `number`: workers appear as `Model id 0`, `Model id 1` and so on, as in the paper's training. `name`: each worker's name,
   * description and known results are added.
   */
  readonly showWorkers?: WorkerNaming;
  /** Whether the model that plans receives the images of the question. Default false. */
  readonly sees?: boolean;
  /** The steps that the policy chose, each with its purpose as `subtask`. The model writes only the final subtasks. */
  readonly skeleton?: readonly Step[];
  /** The model's context window in tokens. Absent: unknown. */
  readonly contextWindow?: number;
  /** Maximum number of tokens of the model's answer. Default 0: no tokens are reserved for the answer. */
  readonly maxTokens?: number;
  /** Computes the SHA-256 of a text as lower-case hex. Default: `sha256Hex`. */
  readonly digest?: (text: string) => string;
}

/** Builds the prompt for the request's round. `promptSources(request)` resolves the references in the prompt. */
export function conductorPrompt(request: PlanRequest, options: PromptOptions = {}): readonly PromptMessage[] {
  const { skeleton, digest = sha256Hex, sees = false, contextWindow, maxTokens = 0 } = options;
  const template = templateOf(request, options);
  const showWorkers = request.prompt?.showWorkers ?? options.showWorkers ?? 'name';
  const messages: PromptMessage[] = [];
  const rules = fixedText(template, examplesOf(request, options), request.access);
  const fixed = skeleton ? rules : withLessons(rules, request.prompt?.lessons ?? []);
  if (fixed !== '') messages.push({ role: 'system', parts: [{ kind: 'blob', hash: digest(fixed), text: fixed }] });
  const questionParts = fill(template.question, {
    workers: [literal(workerLines(request, showWorkers))],
    limit: [literal(request.maxSteps === 1 ? '1 step' : `${request.maxSteps} steps`)],
    effort: [literal(skeleton ? '' : EFFORT_ADVICE[request.effort])],
    recursion: [literal(skeleton ? '' : recursionRule(request))],
    steps: [literal(skeleton ? stepLines(request, skeleton) : '')],
    question: [{ kind: 'question' }],
  });
  const hasSteps = !skeleton || template.question.includes('{{steps}}');
  const stepsIfMissing = hasSteps ? [] : [literal(`\n\n${stepLines(request, skeleton)}`)];
  const earlier = earlierParts(request, skeleton !== undefined);
  const parts = joinLiterals([...questionParts, ...stepsIfMissing, ...imageParts(request), ...earlier]);
  const sent = sees && request.images ? { images: request.images.map(({ hash }) => hash) } : {};
  messages.push({ role: 'user', parts, ...sent });
  const sources = promptSources(request);
  const room = promptRoom(contextWindow, maxTokens);
  const shorter = fitPrompt(messages, sources, { round: request.round, room });
  return fitFiles(shorter, sources, { ...request, text: request.question }, { window: contextWindow, room });
}

/**
 * Chooses the template. With a skeleton, the user's template is used only if it has the placeholder `steps`. A template without
 * this placeholder requests a whole workflow.
 */
export function templateOf({ prompt }: Pick<PlanRequest, 'prompt'>, options: PromptOptions): PromptTemplate {
  const { skeleton } = options;
  const own = prompt?.template;
  if (own && (!skeleton || own.question.includes('{{steps}}'))) return own;
  return options.template ?? (skeleton ? SUBTASKS_TEMPLATE : DEFAULT_TEMPLATE);
}

function examplesOf({ prompt }: PlanRequest, { examples }: PromptOptions): readonly ConductorExample[] | string {
  return exampleSet(prompt ?? {}, examples);
}

/**
 * The examples that a prompt selects. The user's own examples are text. Built-in examples are data that must be formatted.
 * @param standard the examples if the prompt does not set `examples`
 */
export function exampleSet(
  { examples, ownExamples = '' }: ConductorPrompt,
  standard: readonly ConductorExample[] = DEFAULT_EXAMPLES,
): readonly ConductorExample[] | string {
  switch (examples) {
    case undefined:
      return standard;
    case 'other':
      return DEFAULT_EXAMPLES;
    case 'same':
      return SAME_DOMAIN_EXAMPLES;
    case 'none':
      return [];
    case 'own':
      return ownExamples;
    default:
      return examples satisfies never;
  }
}

/** The part of the prompt that is the same for every question. */
export function fixedText(
  template: PromptTemplate,
  examples: readonly ConductorExample[] | string,
  access: AccessScheme,
): string {
  const shown = typeof examples === 'string' ? examples : examplesText(examples, access);
  return joinLiterals(fill(template.fixed, { access: [literal(ACCESS_RULE[access])], examples: [literal(shown)] }))
    .map((part) => (part.kind === 'literal' ? part.text : ''))
    .join('')
    .trim();
}

/** The part that is the same for every question, with the lessons. Given steps need no lessons about steps and workers. */
function withLessons(fixed: string, lessons: readonly string[]): string {
  if (lessons.length === 0) return fixed;
  return `${fixed}\n\nLessons from earlier questions\n${lessons.map((lesson) => `- ${lesson}`).join('\n')}`.trim();
}

export function examplesText(examples: readonly ConductorExample[], access: AccessScheme): string {
  return examples.map((example, index) => exampleText(example, index, access)).join('\n\n');
}

/** The texts to which the prompt refers. */
export function promptSources(request: PlanRequest): PromptSources {
  const roundOf = (round: number) => request.earlier[round - firstRound(request)];
  return {
    question: questionText({ ...request, text: request.question }),
    subtask: (round, step) => roundOf(round)?.workflow.steps[step]?.subtask,
    output: (round, step) => roundOf(round)?.outputs[step] ?? undefined,
  };
}

const ACCESS_RULE: Record<AccessScheme, string> = {
  binary:
    'An entry of access_list is [] if the step sees only the question, or "all" if it also sees the subtasks and responses of every step before it.',
  fine: 'An entry of access_list lists the earlier steps whose subtasks and responses the step sees, counted from 0: [] for none, [0, 1] for the first two. A step never sees itself or a later step.',
};

function exampleText(example: ConductorExample, index: number, access: AccessScheme): string {
  const named = Math.max(-1, ...example.workflow.steps.map((step) => step.worker)) + 1;
  const pool = Array.from({ length: example.pool ?? named }, (_, id) => `Model id ${id}`).join(', ');
  const answer = `${example.thought}\n\n${formatWorkflow(example.workflow, { access })}`;
  return `Example ${index + 1}\nWorkers: ${pool}\nQuestion: ${example.question}\nYou write:\n${answer}`;
}

function workerLines(request: PlanRequest, show: 'number' | 'name'): string {
  const lines: string[] = [];
  const known = show === 'name' ? knownOf(request) : [];
  for (const [index, worker] of request.pool.entries()) {
    const isSelf = worker.kind === 'conductor' || (request.recursion && index === request.pool.length - 1);
    if (isSelf && !request.recursion) continue;
    lines.push(`Model id ${index}${isSelf ? ': you, the Conductor' : describe(worker, show, known[index])}`);
  }
  return lines.join('\n');
}

/** Tells the model which workers can see images. Empty if the question has no images. */
function imageParts({ images = [], pool }: PlanRequest): PromptPart[] {
  if (images.length === 0) return [];
  const ids = pool.flatMap((worker, index) => (canSee(worker) ? [`Model id ${index}`] : []));
  const who =
    ids.length === 0
      ? 'None of the workers can see images.'
      : `Only ${ids.join(', ')} can see ${images.length === 1 ? 'it' : 'them'}, so give what has to be seen to ${ids.length === 1 ? 'that worker' : 'one of these'} and let it say what the others must know.`;
  return [literal(`\n\nThe question comes with ${imageCount(images.length)}. ${who}`)];
}

/**
 * Describes a worker. With `number`, only *Python* is described, because it does not accept subtasks in plain
 * words.
 */
function describe(worker: PoolWorker, show: 'number' | 'name', record: WorkerRecord | undefined): string {
  if (worker.kind === 'python') {
    return ': no model; runs the Python code in the responses it sees and gives back what the code prints';
  }
  if (show === 'number') return '';
  const description = worker.description === undefined ? '' : `. ${worker.description}`;
  const words = record ? knownWords(record) : '';
  const web = worker.web ? `${/[.!?…]\s*$/.test(description) ? '' : '.'} It can search the web` : '';
  const line = `: ${worker.name}${description}${web}`.replace(/\s+/g, ' ');
  return words === '' ? line : `${line}${/[.!?…]$/.test(line) ? '' : '.'} ${words}`;
}

/** Lists the given steps, and the two lists that the model must copy. Steps are numbered from 0, as in the lists. */
function stepLines({ pool, access: scheme }: PlanRequest, steps: readonly Step[]): string {
  const lines = steps.map(({ worker, access, subtask }, index) => {
    const who = pool[worker]?.kind === 'conductor' ? 'you, the Conductor' : `Model id ${worker}`;
    return `Step ${index}, for ${who}, sees ${seenText(access)}. What it is for: ${subtask}`;
  });
  const workers = steps.map(({ worker }) => worker).join(', ');
  const entries = steps.map(({ access }, index) => formatAccess(access, index, scheme)).join(', ');
  return `The steps:
${lines.join('\n')}

Write these two lists exactly so, and between them the subtasks, one for each step:
model_id = [${workers}]
access_list = [${entries}]`;
}

function seenText(access: readonly number[]): string {
  if (access.length === 0) return 'nothing before it';
  return `${access.length === 1 ? 'step' : 'steps'} ${access.join(', ')}`;
}

function recursionRule(request: PlanRequest): string {
  if (!request.recursion) return '';
  const self = request.pool.length - 1;
  if (request.shortRounds) {
    return `Plan as you go: write a workflow of one or two steps, and give one more step, the last, to yourself (Model id ${self}). Then you are shown the responses, and write the next one or two steps in the light of them, or keep the answer that there is. Leave yourself out only if the answer needs no look at it.\n\n`;
  }
  return `You may give the last step, if it is not the only one, to yourself (Model id ${self}). Then you are shown the responses of the other steps, and either write another workflow or keep the answer that there is. Do so where you cannot tell beforehand whether the workflow will succeed.\n\n`;
}

/** The index of the first round in `request.earlier`. */
function firstRound(request: PlanRequest): number {
  return request.round - request.earlier.length;
}

function earlierParts(request: PlanRequest, given: boolean): PromptPart[] {
  if (request.earlier.length === 0) return [];
  const first = firstRound(request);
  const rounds = request.earlier.flatMap((earlier, index) => [
    literal(`${index === 0 ? '' : '\n\n'}Round ${index + 1}`),
    ...roundParts(earlier, first + index),
  ]);
  const advice = request.showsEarlier ? SHOWN_ADVICE : ADVICE;
  const wanted = given ? `Write the subtasks of the next workflow. ${ADVICE}` : choiceText(request.earlier, advice);
  const later = request.prompt?.later ?? DEFAULT_LATER;
  return [literal('\n\n'), ...fill(later, { rounds, choice: [literal(wanted)] })];
}

function roundParts(earlier: EarlierRound, round: number): PromptPart[] {
  return earlier.workflow.steps.flatMap(({ worker, access, seesEarlier }, step): PromptPart[] => {
    const before = seesEarlier ? ' and the rounds before' : '';
    const head = `\n\nStep ${step}, by Model id ${worker}, sees ${seenText(access)}${before}\n<subtask>\n`;
    const hasOutput = typeof earlier.outputs[step] === 'string';
    return [
      literal(head),
      { kind: 'subtask', round, step },
      ...(hasOutput
        ? [literal('\n</subtask>\n<response>\n'), { kind: 'output' as const, round, step }, literal('\n</response>')]
        : [literal('\n</subtask>\nThere is no response.')]),
    ];
  });
}

const ADVICE =
  'The workers of a new workflow see the question and their own steps, but nothing of the rounds before: tell them in the subtasks what they should know.';

/**
 * The advice in the recursion mode `always`. This mode follows the paper's published code (arXiv 2512.04388,
 * Fig. 22).
 */
const SHOWN_ADVICE =
  'In the new workflow, a step whose entry in access_list is "all" also sees the subtasks and responses of the rounds before. This holds for the first step, too. The other steps see nothing of those rounds: tell them in the subtasks what they should know.';

function choiceText(rounds: readonly EarlierRound[], advice: string): string {
  const round = rounds.findLastIndex(({ answer }) => answer.trim() !== '');
  const kept = rounds[round];
  if (!kept) return `There is no answer yet. Write a new workflow. ${advice}`;
  const where = `the response of step ${kept.outputs.lastIndexOf(kept.answer)}${rounds.length > 1 ? ` of round ${round + 1}` : ''}`;
  return `The answer so far is ${where}. If you find it right, keep it: write three empty lists (model_id = [], subtasks = [], access_list = []). If not, write a new workflow. ${advice}`;
}

function literal(text: string): PromptPart {
  return { kind: 'literal', text };
}

type Values = Readonly<Partial<Record<PlaceholderName, readonly PromptPart[]>>>;

/** Replaces each `{{name}}` with its parts. A placeholder with an unknown name stays as text. */
function fill(template: string, values: Values): PromptPart[] {
  const named = new Map(Object.entries(values));
  return template.split(/(\{\{[a-z]+\}\})/).flatMap((piece) => {
    const value = piece.startsWith('{{') ? named.get(piece.slice(2, -2)) : undefined;
    return value ?? [literal(piece)];
  });
}

function joinLiterals(parts: readonly PromptPart[]): PromptPart[] {
  const joined: PromptPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind === 'literal' && last?.kind === 'literal') joined[joined.length - 1] = literal(last.text + part.text);
    else if (part.kind !== 'literal' || part.text !== '') joined.push(part);
  }
  return joined;
}
