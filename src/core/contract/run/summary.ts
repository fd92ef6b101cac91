/**
 * @file The small record that lists show of a run, rebuildable from its events.
 */
import type { HeldFor } from './events';
import { firstAnswerOf, judgeRun, rewardOf, type Reward } from './reward';
import { workerOf, type Plan, type Run, type RunStatus } from './state';

/** One bar of the list's small score: a lane, and times as fractions of the run. */
export interface GlyphBar {
  /** 0 for the Conductor, then the workers in the order in which they first play. */
  readonly lane: number;
  /** 1 to 9; 0 for the Conductor's ink. */
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
  /** Active time, ms. */
  readonly time: number;
  readonly tokens: number;
  readonly usd: number;
  readonly unpriced: number;
  readonly correct: boolean | null;
  /** The grade came with a file. Absent: it was given here, or an older version summed the run up. */
  readonly gradeImported?: true;
  readonly simulated: boolean;
  readonly glyph: readonly GlyphBar[];
  readonly labels: readonly string[];
  readonly lastSeq: number;
  /** It came in from a file. Absent: it was made here. */
  readonly imported?: true;
  /** What it waits for a person for, or did when its page went; absent where it does not. */
  readonly held?: HeldFor;
  /** What came of the first plan that a local model wrote freely; absent where none did. */
  readonly freePlan?: FreePlan;
  /** The reward, once it is known; absent before, and in summaries by older versions. */
  readonly reward?: Reward;
}

/** The reward of a summed-up run. Older summaries tell the grade alone, so there a plan counts as valid. */
export function rewardOfSummary({ reward, correct }: Pick<RunSummary, 'reward' | 'correct'>): Reward | null {
  return reward ?? rewardOf(null, correct);
}

/** Whether a run may have a grade that counts; see `countedGrade`. */
export function mayCount({ correct, gradeImported }: RunSummary, countsImported: boolean): boolean {
  return correct !== null && (countsImported || gradeImported !== true);
}

/** Whether an answer that no grammar held could be read as a workflow. */
export type FreePlan = 'parsed' | 'refused';

/** What came of the first plan of a run that a local model wrote without the grammar; `null` where none was. */
export function freePlanOf(run: Run): FreePlan | null {
  for (const { plan } of run.rounds) {
    const first = plan && isFree(plan) ? firstAnswerOf(plan) : null;
    if (first) return first;
  }
  return null;
}

function isFree({ conductor, messages, grammar }: Plan): boolean {
  const isLocal = conductor.kind === 'webllm' || conductor.kind === 'transformers';
  return isLocal && messages.length > 0 && grammar === null;
}

/** Sums up a run for lists. Pure. */
export function summarize(run: Run): RunSummary {
  const used = run.rounds.flatMap((round) => round.steps.map((step) => workerOf(run, step)));
  const workers = [...new Set(used.flatMap((worker) => (worker ? [worker.name] : [])))];
  const freePlan = freePlanOf(run);
  const isOpen = run.status === 'running' || run.status === 'interrupted';
  const held = isOpen ? (run.rounds.at(-1)?.plan?.heldFor ?? null) : null;
  const { reward } = judgeRun(run);
  return {
    id: run.id,
    startedAt: run.startedAt,
    question: run.question.text.slice(0, 200),
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
    glyph: glyphOf(run),
    labels: run.labels,
    lastSeq: run.lastSeq,
    ...(run.importedAt === null ? {} : { imported: true }),
    ...(held ? { held } : {}),
    ...(freePlan ? { freePlan } : {}),
    ...(reward === null ? {} : { reward }),
  };
}

/** Whether any worker that was planned for is simulated; where no plan stands yet, whether the pool holds one. */
export function isSimulated(run: Run): boolean {
  const planned = run.rounds.flatMap((round) => round.steps);
  if (planned.length === 0) return run.pool.some((worker) => worker.kind === 'simulated');
  return planned.some((step) => workerOf(run, step)?.kind === 'simulated');
}

/** The small score is a few dozen pixels wide; a run may hold any number of calls. */
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
