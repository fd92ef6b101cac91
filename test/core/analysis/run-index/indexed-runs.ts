/** @file Random runs and filters for tests of the index, and a simple check of whether a run matches a filter. */
import fc from 'fast-check';
import { indexRun } from '../../../../src/core/analysis/index-run';
import { entryOf, type Entry } from '../../../../src/core/analysis/run-index/entry';
import { foldText } from '../../../../src/core/analysis/search/fold-text';
import {
  ALL_RUNS,
  ANY_STEP,
  applyEvents,
  type IndexedRun,
  type IndexedTexts,
  type RunEvent,
  type RunFilter,
} from '../../../../src/core/contract';
import { endedRun } from '../../../fixtures/run-arbitrary';
import { stampEvents } from '../../../fixtures/run-events';
import { wordsOf } from '../../../../src/core/analysis/run-index/run-search';

/** Texts in several writing systems. There are only a few, so that random queries find some of them. */
const VOICES = [
  'The answer is 537.',
  'Straße nach ΟΔΟΣ',
  '東京の天気は晴れです',
  'Ｆｕｌｌ ｗｉｄｔｈ',
  'ответ: сорок два',
  'naïve cafe\u0301 🎻',
  'line one\nline  two',
];

/** Random runs with distinct ids. Some have a title, a label or a star. */
export const indexedRuns: fc.Arbitrary<readonly RunEvent[][]> = fc
  .array(
    fc.record({
      events: endedRun(),
      at: fc.integer({ min: 1, max: 5 }),
      question: fc.constantFrom(...VOICES),
      label: fc.constantFrom('a', 'b', 'Ω', null),
      starred: fc.boolean(),
      title: fc.constantFrom('', ...VOICES),
    }),
    { minLength: 0, maxLength: 12 },
  )
  .map((runs) =>
    runs.map(({ events, at, question, label, starred, title }, index) => {
      const bodies = events.map(({ runId: _id, seq: _seq, at: _at, segment: _segment, elapsed: _elapsed, ...body }) =>
        body.type === 'run-started' ? { ...body, question: { text: question } } : body,
      );
      const named = [
        ...bodies,
        ...(label === null ? [] : [{ type: 'run-labelled' as const, label, on: true }]),
        { type: 'run-annotated' as const, title, note: '', starred },
      ];
      return stampEvents(named, { runId: `run-${index}`, at: 1_760_000_000_000 + at * 1000 });
    }),
  );

/** A run with its entry in the index. */
export interface Indexed {
  readonly texts: IndexedTexts;
  readonly entry: Entry;
}

export function indexedFrom(events: readonly RunEvent[]): Indexed {
  const run = applyEvents(null, events);
  if (!run) throw new Error('The events must begin with run-started.');
  return { texts: indexRun(run).texts, entry: entryOf(run) };
}

function isDecided({ conductorKind, steps }: IndexedRun): boolean {
  return conductorKind !== 'template' && conductorKind !== 'by-hand' && steps.length > 0;
}

function spentOn({ summary, steps, planUsd, judgeUsd }: IndexedRun) {
  const forSteps = steps.reduce((sum, { usd }) => sum + usd, 0);
  const rest = summary.usd - planUsd - forSteps;
  return {
    steps: forSteps,
    plans: planUsd,
    judges: judgeUsd,
    later: 0,
    discarded: rest > summary.usd * 1e-9 ? rest : 0,
  };
}

/** Whether a run matches the filter. Tests compare the results of the index with this simpler check. */
export function matches({ texts, entry: { run } }: Indexed, filter: RunFilter): boolean {
  const { summary, steps } = run;
  const among = <Value>(wanted: readonly Value[], value: Value) => wanted.length === 0 || wanted.includes(value);
  const one = <Value>(wanted: readonly Value[], values: readonly Value[]) =>
    wanted.length === 0 || values.some((value) => wanted.includes(value));
  const within = ({ least, most }: RunFilter['usd'], value: number) =>
    (least === null || value >= least) && (most === null || value <= most);
  const grade = summary.correct === null ? 'none' : summary.correct ? 'right' : 'wrong';
  const validity = summary.isValid === undefined ? 'unknown' : summary.isValid ? 'valid' : 'invalid';
  const folded = [texts.question, texts.answer, ...texts.notes.split('\n'), ...texts.subtasks, ...texts.outputs].map(
    foldText,
  );
  return (
    wordsOf(filter.words).every((word) => folded.some((text) => text.includes(word))) &&
    among(filter.conductors, summary.conductor) &&
    (filter.workers.length + filter.providers.length + filter.roles.length === 0 ||
      steps.some(
        ({ worker, provider, role }) =>
          among(filter.workers, worker) && among(filter.providers, provider) && among(filter.roles, role),
      )) &&
    filter.steps.every((wanted) =>
      steps.some(
        (step) =>
          (wanted.worker === null || step.worker === wanted.worker) &&
          !wanted.otherThan.includes(step.worker) &&
          (wanted.provider === null || step.provider === wanted.provider) &&
          (wanted.role === null || step.role === wanted.role) &&
          (!wanted.isFinished || step.outcome === 'finished') &&
          (!wanted.hasContent || step.latency !== null),
      ),
    ) &&
    (filter.grammar === null || filter.grammar === run.grammar) &&
    (filter.decided === null || filter.decided === isDecided(run)) &&
    (filter.priced === null || filter.priced === (summary.unpriced + run.judgeUnpriced === 0)) &&
    filter.spentOn.every((purpose) => spentOn(run)[purpose] > 0) &&
    (filter.shapes.length === 0 || (run.shape !== null && filter.shapes.includes(run.shape))) &&
    among(filter.domains, run.domain) &&
    among(filter.grades, grade) &&
    (filter.rewards.length === 0 || (summary.reward !== undefined && filter.rewards.includes(summary.reward))) &&
    among(filter.validities, validity) &&
    among(filter.statuses, summary.status) &&
    one(filter.labels, summary.labels) &&
    (filter.batches.length === 0 || (summary.batch !== undefined && filter.batches.includes(summary.batch))) &&
    (filter.simulated === null || filter.simulated === summary.simulated) &&
    (filter.imported === null || filter.imported === (summary.imported === true)) &&
    (filter.starred === null || filter.starred === (summary.starred === true)) &&
    within(filter.usd, summary.usd) &&
    within(filter.time, summary.time) &&
    within(filter.rounds, summary.rounds) &&
    within(filter.startedAt, summary.startedAt) &&
    !filter.without.includes(summary.id)
  );
}

const range = (max: number) =>
  fc.record({
    least: fc.option(fc.nat(max), { nil: null, freq: 1 }),
    most: fc.option(fc.nat(max), { nil: null, freq: 1 }),
  });
const some = <Value>(...values: Value[]) => fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.subarray(values));

/** Random filters with any number of conditions. */
export const filters: fc.Arbitrary<RunFilter> = fc.record({
  words: fc.oneof(
    { weight: 3, arbitrary: fc.constant('') },
    fc.constantFrom(
      ...VOICES,
      '"',
      'STRASSE',
      'full',
      'οδο',
      '"is 537"',
      '"one line"',
      'é',
      '天気',
      '🎻',
      'answer сорок',
      '"nach οδ"',
    ),
    fc.string({ unit: 'binary', maxLength: 2 }),
  ),
  byMeaning: fc.constant(false),
  similarity: fc.constant(ALL_RUNS.similarity),
  conductors: some('Built in', 'Another'),
  workers: some('Alder', 'Birch'),
  providers: some('simulated', 'local'),
  shapes: some('one step', 'other', 'fan-in'),
  roles: some('solve', 'verify'),
  steps: fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    fc.array(
      fc.record({
        worker: fc.constantFrom(null, null, 'Alder', 'missing'),
        otherThan: fc.constantFrom([], [], ['Birch']),
        provider: fc.constantFrom(null, null, 'simulated'),
        role: fc.constantFrom(null, null, 'solve' as const),
        isFinished: fc.boolean(),
        hasContent: fc.boolean(),
      }),
      { minLength: 1, maxLength: 2 },
    ),
    fc.constant([ANY_STEP]),
  ),
  domains: some('maths', 'knowledge', 'writing'),
  grades: some('right', 'none'),
  rewards: some(0, 0.5, 1),
  validities: some('valid', 'unknown'),
  statuses: some('finished', 'failed', 'interrupted'),
  labels: some('a', 'Ω', 'missing'),
  batches: some('none'),
  grammar: fc.constantFrom(null, null, null, true, false),
  decided: fc.constantFrom(null, null, true, false),
  priced: fc.constantFrom(null, null, true, false),
  spentOn: some('steps', 'plans', 'judges', 'discarded'),
  simulated: fc.constantFrom(null, null, true, false),
  imported: fc.constantFrom(null, null, null, true, false),
  starred: fc.constantFrom(null, null, true, false),
  usd: range(8),
  time: range(10_000),
  rounds: range(3),
  startedAt: fc.constant({ least: null, most: null }),
  without: some('run-0', 'run-2', 'missing'),
});
