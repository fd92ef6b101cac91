/** @file The published datasets that Podium recognizes on import. */
import type { DatasetTable, KnownSet, Table } from '../../../contract';
import { aime } from './aime';
import { bigCodeBench } from './bigcodebench';
import { aqua, gsm8k, humanEval, mbpp, olympiadBench, svamp } from './by-columns';
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
  aime,
  gsm8k,
  svamp,
  aqua,
  olympiadbench: olympiadBench,
  humaneval: humanEval,
  mbpp,
};

/** Recognizes which published dataset a table contains, and its the title of its edition. */
export function recognizeSet(table: Omit<Table, 'read' | 'format'>): Pick<DatasetTable, 'recognized' | 'title'> {
  const names = new Set(table.columns.map(({ name }) => name));
  const found = Object.values(SET_MAPS).find(
    ({ columns, isTable }) =>
      table.preview.length > 0 && columns.every((column) => names.has(column)) && (isTable?.(table) ?? true),
  );
  const title = found?.titleOf?.(table);
  return { recognized: found?.info.set ?? null, ...(title !== undefined && { title }) };
}
