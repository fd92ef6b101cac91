/** @file Runs one question with one Conductor, the real executor and the real HTTP client. */
import { templateEntry } from '../../../src/core/conductor/templates/entries';
import { roleOf } from '../../../src/core/analysis/roles';
import {
  foldEvents,
  mixSeed,
  planRequestOf,
  reasoningFor,
  SETTING_DEFAULTS,
  type Conductor,
  type Effort,
  type PoolWorker,
  type RunEvent,
  type RunSettings,
  type Workflow,
} from '../../../src/core/contract';
import { effortFor, followsEffort, maxStepsFor, recursionFor } from '../../../src/core/conductor/effort';
import { conductorEntry } from '../../../src/core/runs/new-run';
import { execute } from '../../../src/core/executor/execute';
import { systemClock } from '../../../src/platform/clock';
import { isRight } from '../../fixtures/everyday/grading';
import type { EverydayQuestion } from '../../fixtures/everyday/question';
import { canRead, isFitFor, type Pools } from './pools';

/** An effort with the name under which its results are printed. */
export interface Level {
  readonly label: string;
  readonly effort: Effort;
  /** Whether settled steps are skipped. Absent: no. */
  readonly skipSettled?: boolean;
}

const MAX_TOKENS = 4096;

/** The result of one question. */
export interface Played {
  readonly question: EverydayQuestion;
  readonly isRight: boolean;
  readonly steps: number;
  /** Number of calls, both of workers and of the Conductor's model. */
  readonly calls: number;
  readonly usd: number;
  readonly ms: number;
  /** Number of steps with the role *solve*. */
  readonly solving: number;
  /** Number of *solve* steps whose worker is within two percentage points of the best worker for the question. */
  readonly fit: number;
  /** Number of steps whose worker cannot read the question. */
  readonly unreadable: number;
  /** Why there is no answer. `null`: there is an answer. */
  readonly fault: string | null;
}

/** The settings with which the page would start the run. */
function settingsFor(
  question: EverydayQuestion,
  pool: readonly PoolWorker[],
  conductor: Conductor,
  { effort, skipSettled = false }: Level,
  repetition: string[] = [],
): RunSettings {
  const { info } = conductor;
  const reasoning = followsEffort(info) ? reasoningFor(effort, MAX_TOKENS) : null;
  const recursion = recursionFor(info, effort, false);
  return {
    ...SETTING_DEFAULTS,
    question: { text: question.text },
    pool: recursion ? [...pool, conductorEntry(info)] : pool,
    conductor: info,
    recursion,
    maxSteps: maxStepsFor(info, effort, pool),
    effort: effortFor(info, effort),
    ...(skipSettled || templateEntry(info.id)?.skipsSettled ? { skipSettled: true } : {}),
    seed: mixSeed('everyday', question.id, ...repetition),
    caps: { rounds: 2, calls: 16, tokens: null, usd: null },
    sampling: { temperature: 0.2, maxTokens: MAX_TOKENS, ...(reasoning === null ? {} : { reasoning }) },
  };
}

/** @param repetition part of the run's seed. Empty: the only run of the question */
export async function play(
  question: EverydayQuestion,
  conductor: Conductor,
  { seven, workers }: Pools,
  level: Level,
  repetition: string[] = [],
): Promise<Played> {
  const start = settingsFor(question, seven, conductor, level, repetition);
  const journal = { append: () => Promise.resolve() };
  const events: RunEvent[] = [];
  const before = performance.now();
  const request = { runId: question.id, start };
  const dependencies = { conductor, workers, journal, clock: systemClock };
  for await (const event of execute(request, dependencies, new AbortController().signal)) events.push(event);
  const ms = performance.now() - before;
  const run = foldEvents(events);
  if (!run) throw new Error(`${question.id} left no run.`);
  const workflows = run.rounds.flatMap(({ plan }) => plan?.workflow ?? []);
  const retries = events.filter(({ type }) => type === 'plan-retried').length;
  const wrote = events.filter((event) => event.type === 'plan-started' && event.messages.length > 0).length;
  return {
    question,
    isRight: run.answer !== null && isRight(question.rule, run.answer),
    calls: run.spent.calls + wrote + retries,
    usd: run.spent.usd,
    ms,
    fault: run.fault?.message ?? null,
    ...sumOf(workflows.map((workflow) => stepsOf(workflow, seven, question))),
  };
}

export interface Steps {
  readonly steps: number;
  readonly solving: number;
  readonly fit: number;
  readonly unreadable: number;
}

export function stepsOf({ steps }: Workflow, pool: readonly PoolWorker[], question: EverydayQuestion): Steps {
  const solving = steps.filter((_, index) => roleOf(steps, index) === 'solve');
  return {
    steps: steps.length,
    solving: solving.length,
    fit: solving.filter(({ worker }) => isFitFor(pool[worker], question)).length,
    unreadable: steps.filter(({ worker }) => !canRead(pool[worker], question)).length,
  };
}

function sumOf(all: readonly Steps[]): Steps {
  const sum = (of: (steps: Steps) => number) => all.reduce((total, each) => total + of(each), 0);
  return {
    steps: sum(({ steps }) => steps),
    solving: sum(({ solving }) => solving),
    fit: sum(({ fit }) => fit),
    unreadable: sum(({ unreadable }) => unreadable),
  };
}

/** Plans without calling any worker. `null`: there is no plan. */
export async function planOf(
  question: EverydayQuestion,
  conductor: Conductor,
  pool: readonly PoolWorker[],
  level: Level,
): Promise<Workflow | null> {
  const request = planRequestOf(settingsFor(question, pool, conductor, level));
  for await (const event of conductor.propose(request, new AbortController().signal)) {
    if (event.type === 'plan-finished') return event.workflow;
  }
  return null;
}
