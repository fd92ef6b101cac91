/**
 * @file Random runs for tests of the plots on the Analyze page. Some of the runs lack values, as damaged or
 * old runs can.
 */
import {
  CONDUCTOR_KINDS,
  DOMAINS,
  ROLES,
  SHAPES,
  seededRandom,
  type IndexedRun,
  type IndexedStep,
} from '../../../../src/core/contract';
import { RunTable } from '../../../../src/core/analysis/columns/run-table';
import type { Selection } from '../../../../src/core/analysis/columns/layout';

const OUTCOMES = ['finished', 'failed', 'skipped', 'reused', 'cancelled', 'unfinished'] as const;
const MINUTE = 60_000;
/** What each check said of six answers. */
const CHECKS = { right: { right: 2, wrong: 0, unsure: 1 }, wrong: { right: 1, wrong: 2, unsure: 0 } };

/** Random runs that start 37 minutes apart. The same seed gives the same runs. */
export function indexedRuns(count: number, seed = 1): IndexedRun[] {
  const random = seededRandom(seed);
  const pick = <Value>(values: readonly Value[]): Value => {
    const value = values[Math.floor(random() ** 1.5 * values.length)];
    if (value === undefined) throw new Error('There is nothing to pick from.');
    return value;
  };
  const step = (index: number): IndexedStep => {
    const worker = pick(['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm']);
    const provider = pick(['simulated', 'api.example.com']);
    const role = pick(ROLES);
    return {
      round: 0,
      step: index,
      workerId: worker.toLowerCase(),
      worker,
      provider,
      role,
      outcome: pick(OUTCOMES),
      ...(role === 'verify' ? { checks: CHECKS } : {}),
      retries: 0,
      tokens: Math.floor(random() * 900),
      usd: random() < 0.1 ? 0 : random() / 100,
      unpriced: 0,
      time: 20 + random() * 4000,
      latency: random() < 0.1 ? null : random() * 900,
    };
  };
  return Array.from({ length: count }, (_, index): IndexedRun => {
    const kind = pick(CONDUCTOR_KINDS);
    const steps = Array.from({ length: pick([1, 2, 3, 4, 0]) }, (_, at) => step(at));
    const planUsd = random() < 0.5 ? 0 : random() / 500;
    const isValid = pick([true, false, null]);
    return {
      summary: {
        id: `run-${index}`,
        startedAt: Date.UTC(2026, 10, 1) + index * 37 * MINUTE,
        question: 'How many?',
        conductor: kind === 'template' ? pick(['Debate', 'Alder alone']) : pick(['Learned policy', 'Qwen2.5 7B']),
        workers: [...new Set(steps.map(({ worker }) => worker))],
        status: 'finished',
        rounds: pick([1, 2, 3, 5]),
        steps: steps.length,
        time: 1000,
        tokens: 100,
        usd: planUsd + steps.reduce((sum, { usd }) => sum + usd, 0),
        unpriced: random() < 0.1 ? 1 : 0,
        correct: pick([true, false, null]),
        simulated: true,
        glyph: [],
        labels: [],
        lastSeq: 1,
        ...(isValid === null ? {} : { isValid }),
      },
      conductorKind: kind,
      domain: pick(DOMAINS),
      shape: pick([...SHAPES, null]),
      grammar: pick([true, false, null]),
      planUsd,
      laterUsd: 0,
      judgeUsd: 0,
      judgeUnpriced: 0,
      parentId: null,
      dataset: null,
      method: null,
      gradedBy: null,
      steps,
    };
  });
}

/** Returns a table that also contains outdated rows, and a selection of the runs for which `isMeant` is true. */
export function columnsOf(
  runs: readonly IndexedRun[],
  isMeant: (run: IndexedRun) => boolean = () => true,
): { readonly columns: RunTable; readonly selection: Selection } {
  const table = new RunTable();
  for (const [index, run] of runs.entries()) {
    table.add(run, index);
    // Adding a run again makes its first row outdated.
    if (index % 7 === 0) table.add(run, index);
  }
  const selection = table.live();
  for (const run of runs) if (!isMeant(run)) selection[table.rowOf(run.summary.id) ?? -1] = 0;
  return { columns: table, selection };
}

/** Returns the data of a figure. Throws if the figure has too few runs. */
export function dataOf<Data>(figure: { isEnough: true; data: Data } | { isEnough: false }): Data {
  if (!figure.isEnough) throw new Error('There are not enough runs.');
  return figure.data;
}
