/**
 * @file Builds rows with one bar each. The parts of a bar are shares: of workflows by number of steps, of steps
 * by worker, or of outcomes by reward.
 */
import type { PoolWorker } from '../../../core/contract';
import type { RewardHistogram, StepCounts, WorkerShare } from '../../../core/evaluation/statistics/workflows';
import { fillOf, inkOn } from '../../ui/colours';
import { count, percent } from '../../ui/figures';

interface SharePart {
  /** Shown if the bar has room for it. */
  readonly label: string;
  /** From 0 to 1. */
  readonly share: number;
  readonly title: string;
  readonly fill: string;
  /** Color of the label. */
  readonly ink: string;
  readonly look?: 'hatched';
}

export interface ShareRow {
  readonly key: string;
  readonly label: string;
  readonly parts: readonly SharePart[];
  /** Shown after the bar. */
  readonly note: string;
}

/** The method or dataset of a row. */
interface Subject {
  readonly key: string;
  readonly label: string;
}

/**
 * Text colors on the fills `--share-1` to `--share-4`. The fills go from dark to light in the light theme, and from light to
 * dark in the dark theme.
 */
const INK_ON_SHARE = [
  'light-dark(#ffffff, #0d0e10)',
  'light-dark(#ffffff, #0d0e10)',
  'light-dark(#0d0e10, #ffffff)',
  'light-dark(#0d0e10, #ffffff)',
];
const SHADES = INK_ON_SHARE.length;

/** Workflows by their number of steps. Zero and one step share the first shade. Four and more steps share the last one. */
export function stepRow(subject: Subject, steps: StepCounts | null): ShareRow {
  const parts = (steps?.counts ?? []).flatMap((runs, length): SharePart[] => {
    if (runs === 0 || !steps) return [];
    const shade = Math.min(Math.max(length, 1), SHADES);
    const words = `${length} ${length === 1 ? 'step' : 'steps'}: ${percent(runs / steps.runs)}`;
    const ink = INK_ON_SHARE[shade - 1] ?? '';
    return [{ label: String(length), share: runs / steps.runs, title: words, fill: `var(--share-${shade})`, ink }];
  });
  return { ...subject, parts, note: steps ? `mean ${steps.mean.toFixed(1)}` : '–' };
}

/** Each worker's share of the steps. */
export function workerRow(
  subject: Subject,
  shares: readonly WorkerShare[],
  workers: ReadonlyMap<string, PoolWorker>,
): ShareRow {
  const parts = shares.map(({ workerId, share }): SharePart => {
    const worker = workers.get(workerId);
    const colour = worker?.colour ?? 0;
    const title = `${worker?.name ?? workerId}: ${percent(share)}`;
    return { label: worker?.mark ?? '?', share, title, fill: fillOf(colour), ink: inkOn(colour) };
  });
  const steps = shares.reduce((sum, each) => sum + each.steps, 0);
  return { ...subject, parts, note: shares.length === 0 ? '–' : `n = ${count(steps)}` };
}

/** Outcomes by reward: 0 for an invalid plan, 0.5 for a valid plan with a wrong answer, 1 for a right answer. */
export function rewardRow(subject: Subject, { invalid, wrong, correct }: RewardHistogram): ShareRow {
  const rewarded = invalid + wrong + correct;
  const part = (reward: string, words: string, outcomes: number, fill: string, ink: string): SharePart => ({
    label: `${reward}`,
    share: rewarded === 0 ? 0 : outcomes / rewarded,
    title: `Reward ${reward}, ${words}: ${percent(rewarded === 0 ? 0 : outcomes / rewarded)}`,
    fill,
    ink,
  });
  const parts: SharePart[] = [
    part('1', 'right', correct, 'var(--share-1)', INK_ON_SHARE[0] ?? ''),
    part('0.5', 'wrong', wrong, 'var(--share-4)', INK_ON_SHARE[3] ?? ''),
    { ...part('0', 'invalid plan', invalid, 'none', 'var(--ink)'), look: 'hatched' },
  ];
  return { ...subject, parts: rewarded === 0 ? [] : parts, note: rewarded === 0 ? '–' : `n = ${count(rewarded)}` };
}
