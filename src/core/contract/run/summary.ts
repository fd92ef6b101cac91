/** @file The summary of a run for lists, computed from the run's events. */
import { beginningOf } from '../beginning-of';
import { heldPlan } from './decision';
import type { HeldFor } from './events';
import { threadOf } from './follow-up';
import { isBlind } from './pair';
import { firstAnswerOf, judgeRun, rewardOf, type Reward } from './reward';
import { workerOf, type Grade, type Plan, type Run, type RunStatus } from './state';

/** A bar of the glyph, the small timeline of a run in lists. `start` and `end` are fractions of the run's active time. */
export interface GlyphBar {
  /** 0: the Conductor. Each worker has a lane, numbered from 1 in the order of the first steps. Overlapping bars need several rows. */
  readonly lane: number;
  /** Number of the worker's color, from 1 to 9. 0: the Conductor, or an unknown worker. */
  readonly colour: number;
  readonly start: number;
  readonly end: number;
  readonly failed?: boolean;
}

export interface RunSummary {
  readonly id: string;
  /** Wall clock, ms since the epoch. */
  readonly startedAt: number;
  /** The first 200 characters of the question. */
  readonly question: string;
  readonly conductor: string;
  readonly workers: readonly string[];
  readonly status: RunStatus;
  readonly rounds: number;
  readonly steps: number;
  /** Active time in ms, which excludes interruptions and waits for the user. */
  readonly time: number;
  readonly tokens: number;
  readonly usd: number;
  /** Number of calls of unknown cost. */
  readonly unpriced: number;
  readonly correct: boolean | null;
  /** Set if the grade was imported with a file. Absent: the grade was given here, or an older version wrote the summary. */
  readonly gradeImported?: true;
  readonly simulated: boolean;
  /** Set if the run replays recorded answers. */
  readonly recorded?: true;
  readonly glyph: readonly GlyphBar[];
  readonly labels: readonly string[];
  readonly lastSeq: number;
  /** Set if the run was imported from a file. Absent: the run was created here. */
  readonly imported?: true;
  /**
   * The decision of the user for which the run waits. An interrupted run keeps the decision for which it waited.
   * Absent: there is no such decision.
   */
  readonly held?: HeldFor;
  /** The result of parsing the first plan that a local model wrote without a grammar. Absent: there is no such plan. */
  readonly freePlan?: FreePlan;
  /** Id of the run's batch. */
  readonly batch?: string;
  /** The user's title. */
  readonly title?: string;
  /** The first 200 characters of the user's note. */
  readonly note?: string;
  readonly starred?: true;
  /** Set if the question is a follow-up. `id`: the conversation's first run. `turn`: from 2. */
  readonly thread?: { readonly id: string; readonly turn: number };
  /** Number of turns of the run's conversation so far. Only in answers of the index. Absent: the run is not part of one. */
  readonly turns?: number;
  /** Set if the user ended the run early. Such a run counts for no statistics. */
  readonly early?: true;
  /** Set if the user has compared the answer with that of one worker alone. */
  readonly pair?: true;
  /**
   * Set if the user is to compare the answer with that of one worker alone first (`isBlind`). Lists show neither the plan nor the
   * cost of such a run, and the glyph is empty.
   */
  readonly blind?: true;
  /** The user's comment on the grade, or the grader's reason. Absent: no comment. */
  readonly gradeDetail?: string;
  /** Who graded the run. Absent: the run is not graded, or an older version wrote the summary. */
  readonly gradedBy?: Grade['by'];
  /** Whether the Conductor's first answer was a valid workflow. Absent: unknown, or an older version wrote the summary. */
  readonly isValid?: boolean;
  /** Absent: not known yet, or an older version wrote the summary. */
  readonly reward?: Reward;
}

/** The reward of a run. Summaries by older versions contain only the grade, so their plans are assumed to be valid. */
export function rewardOfSummary({
  reward,
  correct,
  early,
}: Pick<RunSummary, 'reward' | 'correct' | 'early'>): Reward | null {
  return early ? null : (reward ?? rewardOf(null, correct));
}

/**
 * Whether the run may have a grade that counts. Summaries by older versions don't show whether the grade was imported, so
 * `countedGrade` must check the run itself.
 */
export function mayCount({ correct, gradeImported, early }: RunSummary, countsImported: boolean): boolean {
  return correct !== null && !early && (countsImported || gradeImported !== true);
}

/** The user's own comment on the grade. Empty if there is none, or if the comment is from a grader or an imported file. */
export function ownComment({ gradedBy, gradeImported, gradeDetail }: RunSummary): string {
  return gradedBy === 'person' && gradeImported !== true ? (gradeDetail ?? '') : '';
}

/** Whether an answer written without a grammar could be parsed as a workflow. */
export type FreePlan = 'parsed' | 'refused';

/** The result of parsing the first plan that a local model wrote without a grammar. `null`: there is no such plan. */
export function freePlanOf(run: Run): FreePlan | null {
  for (const { plan } of run.rounds) {
    const first = plan && isFree(plan) ? firstAnswerOf(plan) : null;
    if (first) return first;
  }
  return null;
}

function isFree({ conductor, messages, grammar }: Plan): boolean {
  const isLocal = conductor.kind === 'webllm' || conductor.kind === 'transformers' || conductor.kind === 'browser';
  return isLocal && messages.length > 0 && grammar === null;
}

export function summarize(run: Run): RunSummary {
  const used = run.rounds.flatMap((round) => round.steps.map((step) => workerOf(run, step)));
  const workers = [...new Set(used.flatMap((worker) => (worker ? [worker.name] : [])))];
  const freePlan = freePlanOf(run);
  const isOpen = run.status === 'running' || run.status === 'interrupted';
  const held = isOpen ? (run.rounds.at(-1)?.plan?.heldFor ?? null) : null;
  const { format, reward } = judgeRun(run);
  const { title, note, starred } = run.annotation;
  const thread = threadOf(run.question);
  const blind = isBlind(run) && !heldPlan(run);
  return {
    id: run.id,
    startedAt: run.startedAt,
    question: beginningOf(run.question.text, 200),
    conductor: run.conductor.label,
    workers,
    status: run.status,
    rounds: run.rounds.length,
    steps: run.rounds.reduce((sum, round) => sum + round.steps.length, 0),
    time: run.time,
    tokens: run.spent.input + run.spent.output,
    usd: run.spent.usd,
    unpriced: run.spent.unpriced,
    correct: run.grade?.correct ?? null,
    ...(run.grade?.imported ? { gradeImported: true } : {}),
    simulated: isSimulated(run),
    ...(isRecorded(run) ? { recorded: true } : {}),
    glyph: blind ? [] : glyphOf(run),
    labels: run.labels,
    lastSeq: run.lastSeq,
    ...(run.importedAt === null ? {} : { imported: true }),
    ...(held ? { held } : {}),
    ...(freePlan ? { freePlan } : {}),
    ...(run.batch ? { batch: run.batch.id } : {}),
    ...(title === '' ? {} : { title }),
    ...(note === '' ? {} : { note: beginningOf(note, 200) }),
    ...(starred ? { starred } : {}),
    ...(run.early ? { early: true } : {}),
    ...(run.vote ? { pair: true } : {}),
    ...(blind ? { blind } : {}),
    ...(thread ? { thread } : {}),
    ...(run.grade?.detail ? { gradeDetail: run.grade.detail } : {}),
    ...(run.grade ? { gradedBy: run.grade.by } : {}),
    ...(format === null ? {} : { isValid: format }),
    ...(reward === null ? {} : { reward }),
  };
}

/** Whether at least one step has a simulated worker. If the run has no steps: whether the pool has a simulated worker. */
export function isSimulated(run: Run): boolean {
  const planned = run.rounds.flatMap((round) => round.steps);
  if (planned.length === 0) return run.pool.some((worker) => worker.kind === 'simulated');
  return planned.some((step) => workerOf(run, step)?.kind === 'simulated');
}

/** Whether the run replays recorded answers. The cost and time of such a run are those of the recording. */
export function isRecorded({ pool }: Pick<Run, 'pool'>): boolean {
  return pool.some(({ kind }) => kind === 'recorded');
}

/** Maximum number of bars in the glyph, which is only a few dozen pixels wide. */
const MOST_BARS = 240;

function glyphOf(run: Run): GlyphBar[] {
  const whole = Math.max(run.time, 1);
  const lanes = new Map<number, number>();
  const bars: GlyphBar[] = [];
  const at = (time: number) => Math.min(1, Math.max(0, time / whole));
  for (const round of run.rounds) {
    if (bars.length >= MOST_BARS) break;
    if (round.plan) {
      const end = round.plan.endedAt ?? run.time;
      bars.push({
        lane: 0,
        colour: 0,
        start: at(round.plan.startedAt),
        end: at(end),
        ...(round.plan.fault ? { failed: true } : {}),
      });
    }
    for (const step of round.steps) {
      const lane = lanes.get(step.step.worker) ?? lanes.size + 1;
      for (const attempt of step.attempts) {
        if (bars.length >= MOST_BARS) break;
        lanes.set(step.step.worker, lane);
        const failed = attempt.status === 'failed' || attempt.status === 'retried';
        const colour = workerOf(run, step)?.colour ?? 0;
        bars.push({
          lane,
          colour,
          start: at(attempt.startedAt),
          end: at(attempt.endedAt ?? run.time),
          ...(failed ? { failed } : {}),
        });
      }
    }
  }
  return bars;
}
