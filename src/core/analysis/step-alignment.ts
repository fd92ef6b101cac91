/**
 * @file Finds the steps of several runs that correspond to each other, so that they can be compared. Steps are matched by
 * worker, role and subtask. Their positions can differ, because a plan may have one step more than another. Only very large
 * plans are matched by position.
 */
import { workerOf, type Run, type StepRun } from '../contract';

/** Steps that correspond to each other. */
export interface AlignedRow {
  readonly round: number;
  /** For each run, the 0-based index of its step in that round. `null`: the run has no such step. */
  readonly steps: readonly (number | null)[];
}

/**
 * Aligns the steps of each run with those of the first run (the base run), round by round. Every step of every run is in
 * exactly one row. Aligning two runs in the opposite order gives the same pairs.
 */
export function alignSteps(runs: readonly Run[]): AlignedRow[] {
  const rounds = Math.max(0, ...runs.map((run) => run.rounds.length));
  return Array.from({ length: rounds }, (_, round) => alignRound(runs, round)).flat();
}

function alignRound(runs: readonly Run[], round: number): AlignedRow[] {
  const [base, ...others] = runs.map((run) => (run.rounds[round]?.steps ?? []).map((step) => likenessOf(run, step)));
  if (!base) return [];
  const pairs = others.map((other) => pairSteps(base, other));
  const added = others.map((other, run) => addedSteps(other.length, pairs[run]));
  const rows: AlignedRow[] = [];
  for (let place = 0; place <= base.length; place++) {
    const between = added.map((steps) => steps.get(place) ?? []);
    const most = Math.max(0, ...between.map(({ length }) => length));
    for (let nth = 0; nth < most; nth++)
      rows.push({ round, steps: [null, ...between.map((steps) => steps[nth] ?? null)] });
    if (place < base.length) rows.push({ round, steps: [place, ...pairs.map((pair) => pair.get(place) ?? null)] });
  }
  return rows;
}

/**
 * The steps of a run that have no partner in the base run. The key of such steps in the map is the number of base
 * steps before them in the aligned rows.
 */
function addedSteps(length: number, pairs: ReadonlyMap<number, number> = new Map()): Map<number, number[]> {
  const baseOf = new Map([...pairs].map(([base, other]) => [other, base]));
  const added = new Map<number, number[]>();
  let place = 0;
  for (let step = 0; step < length; step++) {
    const base = baseOf.get(step);
    if (base !== undefined) place = base + 1;
    else added.set(place, [...(added.get(place) ?? []), step]);
  }
  return added;
}

interface Likeness {
  readonly worker: string;
  readonly role: string;
  readonly subtask: string;
  readonly words: ReadonlySet<string>;
  /** Decides ties in `pairSteps`. The result then does not depend on which run is the base. */
  readonly key: string;
}

/** Number of characters compared, from the start of a subtask. An imported subtask can have any length. */
const MOST_CHARACTERS = 1_000;

function likenessOf(run: Run, stepRun: StepRun): Likeness {
  const worker = workerOf(run, stepRun)?.id ?? '';
  const role = stepRun.step.role ?? '';
  const subtask = stepRun.step.subtask.slice(0, MOST_CHARACTERS);
  const words = new Set(subtask.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  return { worker, role, subtask, words, key: JSON.stringify([worker, role, subtask]) };
}

/**
 * Equal steps have the greatest possible similarity. The traceback in `pairSteps` relies on that. The weights are whole
 * numbers, so that sums are exact.
 */
const WEIGHTS = { any: 1, worker: 20, role: 20, subtask: 40 } as const;

function similarity(one: Likeness, other: Likeness): number {
  const shared = one.subtask === other.subtask ? 1 : overlap(one.words, other.words);
  return (
    WEIGHTS.any +
    (one.worker === other.worker ? WEIGHTS.worker : 0) +
    (one.role === other.role ? WEIGHTS.role : 0) +
    Math.round(WEIGHTS.subtask * shared)
  );
}

/** The Jaccard index. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let both = 0;
  for (const word of one) if (other.has(word)) both += 1;
  const either = one.size + other.size - both;
  return either === 0 ? 0 : both / either;
}

/** Maximum number of similarities computed for two plans. Larger plans (only in imported runs) are matched by position. */
const MOST_PAIRS = 10_000;

/**
 * Pairs steps so that their total similarity is as great as possible. In both plans, the paired steps keep their order. The
 * result maps indexes in `base` to indexes in `other`.
 */
function pairSteps(base: readonly Likeness[], other: readonly Likeness[]): Map<number, number> {
  const paired = new Map<number, number>();
  if (base.length * other.length > MOST_PAIRS) {
    for (let step = 0; step < Math.min(base.length, other.length); step++) paired.set(step, step);
    return paired;
  }
  const weight = base.map((one) => other.map((another) => similarity(one, another)));
  /**
   * `best[i][j]`: the greatest total similarity of the steps of `base` from `i` on and the steps of `other` from `j` on.
   */
  const best = Array.from({ length: base.length + 1 }, () => new Float64Array(other.length + 1));
  const at = (one: number, another: number) => best[one]?.[another] ?? 0;
  const withPair = (one: number, another: number) => (weight[one]?.[another] ?? 0) + at(one + 1, another + 1);
  for (let one = base.length - 1; one >= 0; one--) {
    const row = best[one];
    if (!row) continue;
    for (let another = other.length - 1; another >= 0; another--)
      row[another] = Math.max(at(one + 1, another), at(one, another + 1), withPair(one, another));
  }
  let one = 0;
  let another = 0;
  while (one < base.length && another < other.length) {
    const without = { one: at(one + 1, another), another: at(one, another + 1) };
    if (withPair(one, another) >= Math.max(without.one, without.another)) {
      paired.set(one, another);
      one += 1;
      another += 1;
    } else if (without.one === without.another ? isBefore(base[one], other[another]) : without.one > without.another) {
      one += 1;
    } else {
      another += 1;
    }
  }
  return paired;
}

function isBefore(one: Likeness | undefined, other: Likeness | undefined): boolean {
  return (one?.key ?? '') < (other?.key ?? '');
}
