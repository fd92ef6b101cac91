/**
 * @file A report of a batch for a replay file: the results, the plots, and the tasks with links to their runs. Texts of
 * confidential datasets are left out.
 */
import {
  GRADERS,
  REPLAY_REPORT,
  type Batch,
  type EvaluationTask,
  type Outcome,
  type ReplayReport,
} from '../../../core/contract';
import { taskKey } from '../../../core/evaluation/statistics/score';
import { gridOf } from '../../../core/evaluation/tables/grid';
import { money, plural } from '../../ui/figures';
import { shortText } from '../../ui/short-text';
import type { BatchResults, TaskRow } from '../evaluate-results';
import { rewardRow, stepRow, workerRow, type ShareRow } from '../plots/share-rows';
import { element, type Markup } from './markup';
import { costPlot, shareBars } from './report-plots';

interface ReportParts {
  readonly batch: Batch;
  readonly results: BatchResults;
  readonly rows: readonly TaskRow[];
  /** By `TaskRow.key`. Confidential and missing tasks are shown by their id alone. */
  readonly tasks: ReadonlyMap<string, EvaluationTask>;
}

/** Maximum length of a question, in UTF-16 units. */
const LONGEST_QUESTION = 4_000;

/** Reads the tasks of the batch for its report. @param readTasks see `TaskTable.svelte` */
export async function batchReport(
  given: Omit<ReportParts, 'tasks'>,
  readTasks: (dataset: number, ids: readonly string[]) => Promise<readonly EvaluationTask[]>,
): Promise<ReplayReport> {
  const tasks = new Map<string, EvaluationTask>();
  for (const [dataset, { taskIds, isConfidential }] of given.batch.plan.datasets.entries()) {
    if (isConfidential) continue;
    for (const task of await readTasks(dataset, taskIds)) tasks.set(taskKey({ dataset, taskId: task.id }), task);
  }
  const parts = { ...given, tasks };
  return {
    style: STYLE,
    write: ({ placeOf, isSafe }) => {
      const { batch, results } = parts;
      const safe = (text: string) => (isSafe(text) ? text : 'This text may contain an API key, so it is left out.');
      return [
        element('h1', {}, safe(batch.name)),
        ...results.table.results.map((sentences) => element('p', { class: 'result' }, sentences.join(' '))),
        resultsTable(results, safe),
        element('section', { 'aria-label': 'Plots', class: 'plots' }, ...plotsOf(results, safe)),
        element('h2', {}, plural(parts.rows.length, 'task')),
        tasksTable(parts, safe, placeOf),
      ]
        .map(({ html }) => html)
        .join('\n');
    },
  };
}

function resultsTable({ table }: BatchResults, safe: (text: string) => string): Markup {
  const { header, sections, notes } = gridOf({ ...table, results: [] });
  const body = sections
    .flatMap(({ rows }) => rows)
    .map(([name = '', ...cells]) =>
      element(
        'tr',
        {},
        element('th', { scope: 'row' }, safe(name)),
        ...cells.map((cell) => element('td', { class: 'num' }, cell)),
      ),
    );
  return element(
    'div',
    {},
    element(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Results' },
      element(
        'table',
        {},
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            ...header.map((name, index) =>
              element('th', { scope: 'col', ...(index > 0 && { class: 'num' }) }, safe(name)),
            ),
          ),
        ),
        element('tbody', {}, ...body),
      ),
    ),
    element(
      'details',
      {},
      element('summary', {}, 'How to read the table'),
      ...notes.map((note) => element('p', { class: 'note' }, safe(note))),
    ),
  );
}

function plotsOf(results: BatchResults, safe: (text: string) => string): readonly Markup[] {
  const { table, methods, workers, points, unit } = results;
  const words = (value: number) => (unit === 'usd' ? money(value) : value.toFixed(value < 10 ? 1 : 0));
  const bars = (rowOf: (subject: Pick<ShareRow, 'key' | 'label'>, index: number) => ShareRow) =>
    table.methods.map(({ id, label }, index) => {
      const row = rowOf({ key: id, label: safe(label) }, index);
      return {
        ...row,
        parts: row.parts.map((part) => ({ ...part, title: safe(part.title), label: safe(part.label) })),
      };
    });
  const figure = (title: string, plot: Markup, note: string | null = null) =>
    element(
      'figure',
      {},
      element('figcaption', {}, title),
      plot,
      note === null ? null : element('p', { class: 'note' }, note),
    );
  const names = [...workers.values()].flatMap(({ kind, mark, name }) =>
    kind === 'conductor' ? [] : `${mark}: ${name}`,
  );
  return [
    ...(points.length === 0
      ? []
      : [
          figure(
            unit === 'usd' ? 'Score against cost' : 'Score against calls',
            costPlot(
              points.map((point) => ({ ...point, label: safe(point.label) })),
              unit === 'usd' ? 'cost per task' : 'calls per task',
              words,
            ),
          ),
        ]),
    figure(
      'Steps per workflow',
      shareBars(
        bars((subject, index) => stepRow(subject, methods[index]?.steps ?? null)),
        'Steps',
      ),
    ),
    figure(
      'Worker shares',
      shareBars(
        bars((subject, index) => workerRow(subject, methods[index]?.workers ?? [], workers)),
        'Workers',
      ),
      safe(names.join(', ')),
    ),
    figure(
      'Rewards',
      shareBars(
        bars((subject, index) =>
          rewardRow(subject, methods[index]?.rewards ?? { invalid: 0, wrong: 0, correct: 0, none: 0 }),
        ),
        'Rewards',
      ),
    ),
  ];
}

function tasksTable(
  { batch, rows, tasks }: ReportParts,
  safe: (text: string) => string,
  placeOf: (runId: string) => number | null,
): Markup {
  const heads = ['Task', ...batch.plan.methods.map(({ label }) => label)];
  return element(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Tasks by method' },
    element(
      'table',
      { class: 'tasks' },
      element('thead', {}, element('tr', {}, ...heads.map((name) => element('th', { scope: 'col' }, safe(name))))),
      element(
        'tbody',
        {},
        ...rows.map((row) =>
          element(
            'tr',
            {},
            element('th', { scope: 'row' }, ...taskCell(row, tasks, safe)),
            ...row.methods.map((outcomes) =>
              element('td', {}, ...outcomes.map((outcome) => outcomeMark(outcome, placeOf))),
            ),
          ),
        ),
      ),
    ),
  );
}

function taskCell(
  { key, taskId }: TaskRow,
  tasks: ReadonlyMap<string, EvaluationTask>,
  safe: (text: string) => string,
): readonly (Markup | string)[] {
  const task = tasks.get(key);
  if (!task) return [safe(taskId)];
  const { question, reference, grader } = task;
  const isProgram = GRADERS[grader].by === 'sandbox';
  const answer = reference === undefined || isProgram ? '' : ` · answer ${shortText(reference)}`;
  return [
    element(
      'details',
      {},
      element('summary', {}, safe(shortText(question))),
      safe(question.slice(0, LONGEST_QUESTION)),
    ),
    element('span', { class: 'note' }, safe(`${taskId}${answer}`)),
  ];
}

const WORDS: Readonly<Record<Exclude<Outcome['status'], 'graded'>, string>> = {
  failed: 'Failed',
  'not-gradable': 'Not gradable',
  waiting: 'Not graded',
};

function outcomeMark(outcome: Outcome, placeOf: (runId: string) => number | null): Markup {
  const { status, verdicts, runId } = outcome;
  const isRight = verdicts.strict?.correct === true;
  const word = status === 'graded' ? (isRight ? '✓ Right' : '✗ Wrong') : WORDS[status];
  const look = { class: status === 'graded' ? (isRight ? 'good' : 'bad') : 'note' };
  const place = runId === undefined ? null : placeOf(runId);
  return place === null ? element('span', look, word) : element('a', { ...look, href: `#${place}` }, word);
}

/** The report is hidden while the viewer shows one of the runs. */
const STYLE = `
body:has(main a[href='#list']) #${REPLAY_REPORT} { display: none }
#${REPLAY_REPORT} { max-width: 1180px; margin: 0 auto; padding: var(--s5) var(--gutter) 0 }
#${REPLAY_REPORT} h2 { margin: var(--s6) 0 var(--s3) }
#${REPLAY_REPORT} .result { max-width: var(--measure); margin: var(--s3) 0 }
#${REPLAY_REPORT} .scroll { overflow-x: auto }
#${REPLAY_REPORT} table { border-collapse: collapse; font-size: var(--t-s) }
#${REPLAY_REPORT} th, #${REPLAY_REPORT} td { padding: 7px var(--s4) 7px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; font-weight: normal }
#${REPLAY_REPORT} th { color: var(--ink) }
#${REPLAY_REPORT} thead th { color: var(--ink-3); white-space: nowrap }
#${REPLAY_REPORT} .num { text-align: right; white-space: nowrap }
#${REPLAY_REPORT} .note { display: block; color: var(--ink-3); font-size: var(--t-s); margin-top: 4px }
#${REPLAY_REPORT} .tasks th { min-width: 220px; max-width: 460px }
#${REPLAY_REPORT} summary { cursor: pointer }
#${REPLAY_REPORT} .tasks details { white-space: pre-wrap; overflow-wrap: anywhere }
#${REPLAY_REPORT} .scroll + details { margin-top: var(--s3) }
#${REPLAY_REPORT} td > * { display: block; white-space: nowrap; text-decoration: none }
#${REPLAY_REPORT} a:hover { text-decoration: underline }
#${REPLAY_REPORT} .good { color: var(--good) }
#${REPLAY_REPORT} .bad { color: var(--bad) }
#${REPLAY_REPORT} .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 440px), 1fr)); gap: var(--s5) var(--s6); margin-top: var(--s5) }
#${REPLAY_REPORT} figure { margin: 0 }
#${REPLAY_REPORT} figcaption { font-weight: var(--w-medium); margin-bottom: var(--s2) }
#${REPLAY_REPORT} svg { width: 100%; height: auto }
#${REPLAY_REPORT} svg text { font-size: 11px }
#${REPLAY_REPORT} svg > text { fill: var(--ink-2) }
`;
