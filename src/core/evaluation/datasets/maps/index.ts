/** @file The published datasets that Podium recognizes on import. */
import type { KnownSet, Table } from '../../../contract';
import { aime2025 } from './aime-2025';
import { bigCodeBench } from './bigcodebench';
import { gpqaDiamond } from './gpqa-diamond';
import { liveCodeBench } from './livecodebench';
import { math500 } from './math-500';
import { mmlu } from './mmlu';
import { rlpr } from './rlpr';
import type { SetMap } from './set-map';

export const SET_MAPS: Readonly<Record<KnownSet, SetMap>> = {
  'math-500': math500,
  mmlu,
  'gpqa-diamond': gpqaDiamond,
  rlpr,
  livecodebench: liveCodeBench,
  bigcodebench: bigCodeBench,
  'aime-2025': aime2025,
};

/** Recognizes which published dataset a table contains. `null`: none. */
export function recognizeSet(table: Pick<Table, 'source' | 'columns' | 'preview'>): KnownSet | null {
  const names = new Set(table.columns.map(({ name }) => name));
  const found = Object.values(SET_MAPS).find(
    ({ columns, isTable }) => columns.every((column) => names.has(column)) && (isTable?.(table) ?? true),
  );
  return found?.info.set ?? null;
}
