/** @file Figure: share of valid plans with and without grammar-constrained decoding. */
import { VALIDITIES, type Interval } from '../../contract';
import type { RunColumns, Selection } from '../columns/layout';
import { shareOf, type Estimate } from '../statistics/estimate';
import { differenceOf } from '../statistics/interval';
import { FEW, tooFew, type Figure } from './figure';

const VALID = VALIDITIES.indexOf('valid');
const UNKNOWN = VALIDITIES.indexOf('unknown');

export interface GrammarRow {
  /** `null`: all Conductors. */
  readonly conductor: string | null;
  readonly grammar: boolean;
  /** Share of runs in which the model's first answer was a valid workflow. */
  readonly valid: Estimate;
}

export interface Grammar {
  /**
   * The rows for all Conductors together come first. If there are several Conductors, the rows of each one follow. The row with a
   * grammar always comes before the row without one.
   */
  readonly rows: readonly GrammarRow[];
  /** The share with grammar-constrained decoding minus the share without it. `null`: one of the two groups has no plans. */
  readonly gain: Interval | null;
  readonly plans: number;
}

/** Needs 10 plans that a model wrote. */
export function grammarFigure({ runs, names }: RunColumns, selection: Selection): Figure<Grammar> {
  const { grammar, validity } = runs.kinds;
  // Two cells for each Conductor: without and with a grammar.
  const [plans, valid] = [new Uint32Array(2 * names.conductor.length), new Uint32Array(2 * names.conductor.length)];
  for (let run = 0; run < runs.length; run++) {
    const used = grammar[run] ?? 255;
    if (selection[run] !== 1 || used > 1 || validity[run] === UNKNOWN) continue;
    const cell = 2 * (runs.codes.conductor[run] ?? 0) + used;
    plans[cell] = (plans[cell] ?? 0) + 1;
    if (validity[run] === VALID) valid[cell] = (valid[cell] ?? 0) + 1;
  }
  const total = (used: number) => {
    const sum = (counts: Uint32Array) => counts.reduce((all, each, cell) => (cell % 2 === used ? all + each : all), 0);
    return { count: sum(valid), of: sum(plans) };
  };
  const [without, with_] = [total(0), total(1)];
  const all = without.of + with_.of;
  if (all < FEW) return tooFew(all, FEW);
  const row = (conductor: string | null, used: number, count: number, of: number): GrammarRow[] => {
    const share = shareOf(count, of);
    return share ? [{ conductor, grammar: used === 1, valid: share }] : [];
  };
  const each = names.conductor.flatMap((conductor, code) =>
    [1, 0].flatMap((used) => row(conductor, used, valid[2 * code + used] ?? 0, plans[2 * code + used] ?? 0)),
  );
  const rows = [...row(null, 1, with_.count, with_.of), ...row(null, 0, without.count, without.of)];
  const isOne = new Set(each.map(({ conductor }) => conductor)).size === 1;
  return {
    isEnough: true,
    data: { rows: isOne ? rows : [...rows, ...each], gain: differenceOf(with_, without), plans: all },
  };
}
