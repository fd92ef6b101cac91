/** @file Computes sums and counts over selected runs. */
import { isSampleRun, type FacetValue, type RunFacets, type RunTotals } from '../../contract';
import { FLAGS, KINDS, type NameColumn, type RunColumns, type Selection } from './layout';

/** The sums and counts over the selected runs. */
export function totalsOf({ runs, ids }: RunColumns, selection: Selection): Omit<RunTotals, 'unsearched'> {
  const { reward, usd, judgeUsd, unpriced, judgeUnpriced, tokens, time } = runs.numbers;
  const { grade, validity, flags } = runs.kinds;
  const grades = new Uint32Array(256);
  const validities = new Uint32Array(256);
  const sums = {
    runs: 0,
    rewarded: 0,
    rewards: 0,
    usd: 0,
    madeUpUsd: 0,
    judgeUsd: 0,
    unpriced: 0,
    tokens: 0,
    time: 0,
    simulated: 0,
  };
  for (let row = 0; row < selection.length; row++) {
    if (selection[row] !== 1) continue;
    sums.runs += 1;
    count(grades, grade[row]);
    count(validities, validity[row]);
    const earned = reward[row] ?? NaN;
    if (!Number.isNaN(earned)) {
      sums.rewarded += 1;
      sums.rewards += earned;
    }
    const cost = usd[row] ?? 0;
    sums.usd += cost;
    if (cost > 0 && isSampleRun(ids[row] ?? '')) sums.madeUpUsd += cost;
    sums.judgeUsd += judgeUsd[row] ?? 0;
    sums.unpriced += (unpriced[row] ?? 0) + (judgeUnpriced[row] ?? 0);
    sums.tokens += tokens[row] ?? 0;
    sums.time += time[row] ?? 0;
    if (((flags[row] ?? 0) & FLAGS.simulated) !== 0) sums.simulated += 1;
  }
  const graded = (value: (typeof KINDS.grade)[number]) => grades[KINDS.grade.indexOf(value)] ?? 0;
  const judged = (value: (typeof KINDS.validity)[number]) => validities[KINDS.validity.indexOf(value)] ?? 0;
  return {
    ...sums,
    right: graded('right'),
    wrong: graded('wrong'),
    ungraded: graded('none'),
    valid: judged('valid'),
    invalid: judged('invalid'),
  };
}

/** The values by which the selected runs can be filtered, each with its number of runs. */
export function facetsOf(columns: RunColumns, selection: Selection): RunFacets {
  const { runs, steps, names } = columns;
  const perRun = (name: 'conductor' | 'batch') => {
    const counts = new Uint32Array(names[name].length);
    for (let row = 0; row < selection.length; row++) if (selection[row] === 1) count(counts, runs.codes[name][row]);
    return valuesOf(names[name], counts);
  };
  const perItem = (
    name: NameColumn,
    codes: Uint32Array,
    start: (row: number) => number,
    end: (row: number) => number,
  ) => {
    const counts = new Uint32Array(names[name].length);
    // For each code, the last row in which it was counted. A run counts once, even if several of its items have the code.
    const counted = new Int32Array(names[name].length).fill(-1);
    for (let row = 0; row < selection.length; row++) {
      if (selection[row] !== 1) continue;
      for (let at = start(row); at < end(row); at++) {
        const code = codes[at] ?? 0;
        if (counted[code] === row) continue;
        counted[code] = row;
        count(counts, code);
      }
    }
    return valuesOf(names[name], counts);
  };
  const perStep = (name: 'worker' | 'provider') =>
    perItem(
      name,
      steps.codes[name],
      (row) => columns.stepsOf.start(row),
      (row) => columns.stepsOf.end(row),
    );
  return {
    conductors: perRun('conductor'),
    workers: perStep('worker'),
    providers: perStep('provider'),
    labels: perItem(
      'label',
      columns.labels,
      (row) => columns.labelsOf.start(row),
      (row) => columns.labelsOf.end(row),
    ),
    batches: perRun('batch'),
  };
}

function count(counts: Uint32Array, code: number | undefined): void {
  if (code !== undefined) counts[code] = (counts[code] ?? 0) + 1;
}

function valuesOf(texts: readonly string[], counts: Uint32Array): FacetValue[] {
  return texts
    .map((value, code) => ({ value, runs: counts[code] ?? 0 }))
    .filter(({ value, runs }) => runs > 0 && value !== '')
    .sort((one, other) => other.runs - one.runs || (one.value < other.value ? -1 : 1));
}
