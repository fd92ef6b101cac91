/**
 * @file Makes the rows of a training set for language-model Conductors. A row has the prompt for a task, and
 * the data for scoring a plan.
 */
import { conductorPrompt, promptSources } from '../../core/conductor/prompt';
import {
  mixSeed,
  planRequestOf,
  renderPrompt,
  seededRandom,
  SETTING_DEFAULTS,
  shuffled,
  type GraderKind,
  type PoolWorker,
  type Preferences,
  type WorkerNaming,
} from '../../core/contract';
import { MOST_STEPS } from '../serve/score/score-request';

export interface PromptTask {
  readonly id: string;
  readonly task: { readonly question: string; readonly reference?: string | undefined; readonly grader: GraderKind };
}

/** The columns that the training libraries verl, TRL, OpenRLHF and verifiers read. */
export interface PromptRow {
  readonly prompt: readonly { readonly role: string; readonly content: string }[];
  /** Task, pool and seed as JSON, in the format that `podium serve --score` reads. */
  readonly label: string;
  readonly data_source: string;
  readonly reward_model: { readonly ground_truth: string; readonly style: 'rule' };
  readonly extra_info: {
    readonly index: number;
    readonly task_id: string;
    readonly pool: readonly string[];
    readonly seed: number;
  };
}

export interface PromptRowOptions {
  readonly pool: readonly PoolWorker[];
  readonly preferences: Preferences;
  /**
   * Number of workers in each prompt. They are drawn at random and listed in random order, as in the training of the paper
   * (arXiv 2512.04388).
   */
  readonly workers: number;
  readonly seed: number;
  /** Whether prompts show workers by name or by number. `null`: as in `preferences`. */
  readonly showWorkers: WorkerNaming | null;
}

/** The same tasks and options always give the same rows. */
export function* promptRows(tasks: Iterable<PromptTask>, options: PromptRowOptions): Generator<PromptRow> {
  let index = 0;
  for (const task of tasks) {
    yield rowOf(task, index, options);
    index += 1;
  }
}

function rowOf({ id, task }: PromptTask, index: number, options: PromptRowOptions): PromptRow {
  const random = seededRandom(mixSeed('podium-prompts', options.seed, index));
  const pool = shuffled(options.pool, random).slice(0, options.workers);
  // The seed fits into a signed 32-bit integer, because every Parquet reader supports this type.
  const seed = mixSeed('podium-prompts', options.seed, index, 'run') >>> 1;
  const ids = pool.map((worker) => worker.id);
  const { question, reference, grader } = task;
  const scored = { question, ...(reference === undefined ? {} : { reference }), grader };
  const label = JSON.stringify({ task: scored, pool: ids, seed });
  return {
    prompt: promptFor(question, pool, seed, options),
    label,
    data_source: `podium/${grader}`,
    reward_model: { ground_truth: label, style: 'rule' },
    extra_info: { index, task_id: id, pool: ids, seed },
  };
}

/** The messages to the Conductor in the first round. */
function promptFor(
  question: string,
  pool: readonly PoolWorker[],
  seed: number,
  { preferences, showWorkers }: PromptRowOptions,
): PromptRow['prompt'] {
  const { effort, access, caps } = preferences;
  const prompt = { ...preferences.prompts.all, ...(showWorkers ? { showWorkers } : {}) };
  const request = planRequestOf({
    ...SETTING_DEFAULTS,
    question: { text: question },
    pool,
    recursion: false,
    maxSteps: MOST_STEPS,
    effort,
    access,
    seed,
    caps: { ...caps, rounds: 1 },
    prompt,
  });
  const messages = renderPrompt(conductorPrompt(request), promptSources(request));
  return messages.map(({ role, content }) => ({ role, content }));
}
