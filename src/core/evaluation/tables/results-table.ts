/**
 * @file The table of results: a row for each method, a column for each dataset, and further rows for comparison.
 */
import {
  money,
  type Batch,
  type BatchPlan,
  type Cost,
  type GradingProfile,
  type Interval,
  type Method,
  type Outcome,
  type PublishedSetting,
} from '../../contract';
import { comparisonsOf } from '../statistics/comparisons';
import { bestSingleWorker, oracleAnswers, singleWorkers } from '../statistics/single-workers';
import { byDataset, byMethod } from '../statistics/workflows';
import { gradedAnswers, meanOf, scoreOf, type Score } from '../statistics/score';
import { meanUsage, totalCost, totalJudgeCost, validPlans, type MeanUsage } from '../statistics/usage';
import { comparisonSentences } from './comparison-words';
import { benchmarkOf, PUBLISHED_ROWS } from './published';

/** A method's result on one dataset. */
export interface ResultsCell {
  /** `null`: nothing is graded yet. */
  readonly score: Score | null;
  /** Number of units in the plan. */
  readonly units: number;
  /** Number of units without an outcome. */
  readonly missing: number;
  readonly failed: number;
  readonly notGradable: number;
  /** Number of units that wait for the user's grade. */
  readonly waiting: number;
  /** Number of graded units without a verdict under the table's grading profile. */
  readonly otherProfile: number;
  /** Means per run on this dataset. `null`: no run is graded, and none waits for a grade. */
  readonly usage: MeanUsage | null;
  /** Like `MethodRow.costPerRight`, on this dataset. */
  readonly costPerRight: Cost | null;
  /** Like `MethodRow.validPlans`, on this dataset. */
  readonly validPlans: Interval | null;
}

/** The unweighted mean over all datasets, as in arXiv 2512.04388 (“the paper”). */
export interface MeanScore {
  readonly mean: number;
  /** Standard error of the mean, computed from the standard errors of the datasets. `null`: one of these errors is unknown. */
  readonly error: number | null;
}

interface Row<Kind extends string> {
  readonly kind: Kind;
  /** Unique in the table. */
  readonly id: string;
  readonly label: string;
  /** Mean over all datasets. `null`: at least one dataset has no score. */
  readonly mean: MeanScore | null;
  readonly notes: readonly string[];
}

export interface MethodRow extends Row<'method'> {
  /** Index into the plan's methods. */
  readonly method: number;
  readonly cells: readonly ResultsCell[];
  /** Means per run. `null`: no run is graded, and none waits for a grade. */
  readonly usage: MeanUsage | null;
  /** Cost of all runs, including failed runs, without the cost of the judge. */
  readonly cost: Cost;
  /** `cost` for each right answer. `null`: no answer is right. */
  readonly costPerRight: Cost | null;
  /** Mean score of the method's equal-cost control. `null`: the batch has none, or it has no score yet. */
  readonly equalCost: MeanScore | null;
  /** Share of plans for which the Conductor's first answer was a valid workflow. `null`: no Conductor had to write a plan. */
  readonly validPlans: (Interval & { readonly plans: number }) | null;
}

/** The best single worker or the oracle. See `bestSingleWorker` and `oracleAnswers`. */
export interface ReferenceRow extends Row<'best-single' | 'oracle'> {
  readonly scores: readonly (Score | null)[];
}

/** A row of the paper, not measured here. */
export interface PublishedResultsRow extends Row<'published'> {
  readonly tables: string;
  readonly setting: PublishedSetting;
  /** Share of correct answers from 0 to 1, or `null` where the paper states no score. */
  readonly scores: readonly (number | null)[];
  /** Tokens per task. `null`: the paper does not state them. */
  readonly tokens: number | null;
  /** US dollars per task. `null`: the paper does not state them. */
  readonly usd: number | null;
}

export interface ResultsTable {
  readonly name: string;
  readonly profile: GradingProfile;
  readonly repeats: number;
  readonly columns: readonly { readonly id: string; readonly name: string; readonly tasks: number }[];
  readonly methods: readonly MethodRow[];
  readonly references: readonly ReferenceRow[];
  /** For each Conductor, sentences that state whether it pays. Empty without a single worker to compare with. */
  readonly results: readonly (readonly string[])[];
  /** Rows of the paper for the datasets that the paper reports. Empty if the paper reports none of the datasets. */
  readonly published: readonly PublishedResultsRow[];
  readonly notes: readonly string[];
}

interface TableOptions {
  readonly profile: GradingProfile;
  /** Whether the answer format `answer-tags` changes the question of any task (`hasTagTasks`). Absent or `null`: unknown. */
  readonly hasTagTasks?: boolean | null;
}

export function resultsTable(
  { name, plan }: Pick<Batch, 'name' | 'plan'>,
  outcomes: readonly Outcome[],
  { profile, hasTagTasks = null }: TableOptions,
): ResultsTable {
  const groups = byMethod(outcomes, plan.methods.length);
  const rows = labelled(plan.methods).map((method, index) =>
    methodRow(plan, method, index, groups[index] ?? [], profile),
  );
  const controlOf = (method: number) =>
    plan.methods.findIndex(
      ({ equalCost }) =>
        equalCost?.of === plan.methods[method]?.id && !equalCost?.isMatched && !equalCost?.mostThinking,
    );
  return {
    name,
    profile,
    repeats: plan.repeats,
    columns: plan.datasets.map(({ id, name: own, taskIds }) => ({ id, name: own, tasks: taskIds.length })),
    methods: rows.map((row) => ({ ...row, equalCost: rows[controlOf(row.method)]?.mean ?? null })),
    references: references(plan, groups, profile),
    results: comparisonsOf(plan, outcomes, profile).map(comparisonSentences),
    published: publishedRows(plan),
    notes: [...(hasTagTasks === false ? [] : formatNotes(plan, profile)), ...judgeNotes(totalJudgeCost(outcomes))],
  };
}

function formatNotes({ answerFormat }: BatchPlan, profile: GradingProfile): readonly string[] {
  if (answerFormat !== undefined) return [TAGS];
  return profile === 'strict' ? [] : [NO_TAGS];
}

const TAGS = 'For the same tasks as in the paper’s code, the questions asked for answers in <answer> tags.';
const NO_TAGS =
  'The questions did not ask for <answer> tags, so this profile finds few answers except on AIME, GPQA and BigCodeBench. Start a batch with the answer format “Answer tags” to compare with the paper.';

/** The methods with labels that differ. Methods with the same label get their ids in their labels. */
function labelled(methods: readonly Method[]): readonly Method[] {
  const isUnique = ({ label }: Method) => methods.filter((each) => each.label === label).length === 1;
  return methods.map((method) => (isUnique(method) ? method : { ...method, label: `${method.label} (${method.id})` }));
}

function methodRow(
  plan: BatchPlan,
  { id, label }: Method,
  method: number,
  outcomes: readonly Outcome[],
  profile: GradingProfile,
): Omit<MethodRow, 'equalCost'> {
  const cells = byDataset(outcomes, plan.datasets.length).map((each, dataset) =>
    cellOf(each, (plan.datasets[dataset]?.taskIds.length ?? 0) * plan.repeats, profile),
  );
  const usage = meanUsage(outcomes);
  return {
    kind: 'method',
    id,
    label,
    method,
    cells,
    mean: meanScore(cells.map(({ score }) => score)),
    usage,
    cost: totalCost(outcomes),
    costPerRight: costPerRight(outcomes, profile),
    validPlans: validPlans(outcomes),
    notes: [...notesOf(cells, usage), ...uninformedNotes(outcomes, plan)],
  };
}

function costPerRight(outcomes: readonly Outcome[], profile: GradingProfile): Cost | null {
  const { usd, unpriced } = totalCost(outcomes);
  const right = gradedAnswers(outcomes, profile).filter(({ correct }) => correct).length;
  return right === 0 ? null : { usd: usd / right, unpriced };
}

function judgeNotes({ usd, unpriced }: Cost): readonly string[] {
  if (usd === 0 && unpriced === 0) return [];
  const cost =
    usd === 0
      ? 'The cost of the judge is unknown.'
      : `The judge has cost ${unpriced > 0 ? 'at least ' : ''}${money(usd)}.`;
  const unknown =
    unpriced === 0 ? '' : ` ${unpriced === 1 ? '1 call to it has' : `${unpriced} calls to it have`} an unknown cost.`;
  return [`${cost}${unknown} The methods’ costs exclude the judge.`];
}

function cellOf(outcomes: readonly Outcome[], units: number, profile: GradingProfile): ResultsCell {
  const score = scoreOf(gradedAnswers(outcomes, profile));
  const counts = { graded: 0, failed: 0, 'not-gradable': 0, waiting: 0 };
  for (const { status } of outcomes) counts[status] += 1;
  return {
    score,
    units,
    missing: Math.max(0, units - outcomes.length),
    failed: counts.failed,
    notGradable: counts['not-gradable'],
    waiting: counts.waiting,
    otherProfile: counts.graded - (score?.graded ?? 0),
    usage: meanUsage(outcomes),
    costPerRight: costPerRight(outcomes, profile),
    validPlans: validPlans(outcomes),
  };
}

function meanScore(scores: readonly (Score | null)[]): MeanScore | null {
  const known = scores.flatMap((score) => score ?? []);
  const mean = meanOf(known.map((score) => score.mean));
  if (mean === null || known.length < scores.length) return null;
  const errors = known.flatMap(({ error }) => error ?? []);
  if (errors.length < known.length) return { mean, error: null };
  return { mean, error: Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0)) / errors.length };
}

function notesOf(cells: readonly ResultsCell[], usage: MeanUsage | null): string[] {
  const sum = (count: (cell: ResultsCell) => number) => cells.reduce((total, cell) => total + count(cell), 0);
  const units = sum((cell) => cell.units);
  const scores = cells.flatMap(({ score }) => score ?? []);
  const counted: readonly (readonly [number, string])[] = [
    [sum(({ missing }) => missing), 'have no result yet'],
    [sum(({ failed }) => failed), 'failed and are not counted as wrong'],
    [sum(({ notGradable }) => notGradable), 'can’t be graded here'],
    [sum(({ waiting }) => waiting), 'wait for your grade'],
    [sum(({ otherProfile }) => otherProfile), 'have no verdict under this grading profile'],
  ];
  return [
    ...counted.flatMap(([count, what]) => (count > 0 ? [`${count} of ${units} runs ${what}.`] : [])),
    ...(scores.some(({ errorOver }) => errorOver === 'tasks')
      ? ['The standard error is over tasks, because there is one repeat.']
      : []),
    ...(usage && usage.incomplete > 0 ? [`${usage.incomplete} of ${units} runs went on without a failed step.`] : []),
    ...(usage && usage.unpriced > 0
      ? [
          `${usage.unpriced === 1 ? '1 call has' : `${usage.unpriced} calls have`} an unknown cost, so the cost is a minimum.`,
        ]
      : []),
  ];
}

function uninformedNotes(outcomes: readonly Outcome[], { history }: BatchPlan): readonly string[] {
  const count = outcomes.filter(({ isUninformed = false }) => isUninformed).length;
  if (count === 0) return [];
  const reason =
    history === 'none'
      ? 'The batch uses no earlier graded runs, because its history is “None”.'
      : 'There were no earlier graded runs of these workers on other questions.';
  return [
    `In ${count} of ${outcomes.length} runs, nothing was known about the workers, so their order decided. ${reason}`,
  ];
}

function references(
  plan: BatchPlan,
  groups: readonly (readonly Outcome[])[],
  profile: GradingProfile,
): readonly ReferenceRow[] {
  // If there is only one single-worker method, both reference rows would repeat the row of this method.
  if (singleWorkers(plan).length < 2) return [];
  const best = bestSingleWorker(plan, groups, profile);
  const ofBest = byDataset(best === null ? [] : (groups[best] ?? []), plan.datasets.length).map((each) =>
    scoreOf(gradedAnswers(each, profile)),
  );
  const answers = oracleAnswers(plan, groups, profile);
  const ofOracle = plan.datasets.map((_, dataset) => scoreOf(answers.filter((answer) => answer.dataset === dataset)));
  const rows: ReferenceRow[] = [];
  if (best !== null) {
    const label = plan.methods[best]?.label ?? '';
    const notes = [`It has the highest mean of the single workers, and was chosen after seeing the results.`];
    rows.push({
      kind: 'best-single',
      id: 'best-single',
      label: `Best of the single workers: ${label}`,
      scores: ofBest,
      mean: meanScore(ofBest),
      notes,
    });
  }
  if (ofOracle.some((score) => score !== null)) {
    const notes = ['Counts a task as correct if any single worker solves it. No router can do better with one call.'];
    rows.push({ kind: 'oracle', id: 'oracle', label: 'Oracle', scores: ofOracle, mean: meanScore(ofOracle), notes });
  }
  return rows;
}

function publishedRows(plan: BatchPlan): readonly PublishedResultsRow[] {
  const benchmarks = plan.datasets.map(({ name }) => benchmarkOf(name));
  return PUBLISHED_ROWS.flatMap((row, index) => {
    const scores = benchmarks.map((benchmark) => {
      const percent = benchmark && row.scores[benchmark];
      return percent === undefined || percent === null ? null : percent / 100;
    });
    if (scores.every((score) => score === null)) return [];
    const known = scores.flatMap((score) => score ?? []);
    const mean = known.length === scores.length ? meanOf(known) : null;
    return [
      {
        kind: 'published' as const,
        id: `published-${index}`,
        label: row.label,
        tables: row.tables,
        setting: row.setting,
        scores,
        mean: mean === null ? null : { mean, error: null },
        tokens: row.tokens ?? null,
        usd: row.usd ?? null,
        notes: [`Published, not measured here: ${row.tables}, ${row.setting}.`],
      },
    ];
  });
}
