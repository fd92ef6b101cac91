/** @file Finds the runs of a conversation. A follow-up has the id of the conversation's first run in the column `thread`. */
import type { RunSummary } from '../../contract';
import type { RunTable } from './run-table';

/** The code of an empty text. Runs that are not follow-ups have it. */
const NO_THREAD = 0;

/** The rows of a run's conversation in order of their turns, with the run's own row. Empty if it has no other runs. */
export function threadRows(table: RunTable, id: string): number[] {
  const { dictionaries, names } = table;
  const { codes, numbers } = table.runs;
  const own = codes.thread[table.rowOf(id) ?? -1] ?? NO_THREAD;
  const code = own === NO_THREAD ? (dictionaries.thread.find(id) ?? NO_THREAD) : own;
  const first = table.rowOf(names.thread[code] ?? '');
  const live = table.live();
  const isInThread = (row: number) => live[row] === 1 && codes.thread[row] === code;
  const rows = code === NO_THREAD ? [] : [...live.keys()].filter(isInThread);
  const place = (row: number) => [numbers.turn[row] ?? 0, numbers.startedAt[row] ?? 0] as const;
  rows.sort((one, other) => {
    const [a, b] = [place(one), place(other)];
    return a[0] - b[0] || a[1] - b[1];
  });
  return first === null || rows.length === 0 ? rows : [first, ...rows];
}

/**
 * Adds to each run of a conversation its turn, and how many turns the conversation has. Summaries by older versions don't have the turn.
 */
export function withTurns(table: RunTable, summaries: readonly RunSummary[]): readonly RunSummary[] {
  const { codes, numbers } = table.runs;
  const { thread: ids } = table.dictionaries;
  const live = table.live();
  const most = new Map<number, number>();
  for (let row = 0; row < live.length; row++) {
    const code = codes.thread[row] ?? NO_THREAD;
    if (live[row] === 1 && code !== NO_THREAD) most.set(code, Math.max(most.get(code) ?? 0, numbers.turn[row] ?? 0));
  }
  if (most.size === 0) return summaries;
  return summaries.map((summary) => {
    const row = table.rowOf(summary.id) ?? -1;
    const own = codes.thread[row] ?? NO_THREAD;
    const turns = most.get(own === NO_THREAD ? (ids.find(summary.id) ?? NO_THREAD) : own);
    if (turns === undefined) return summary;
    const thread = { id: ids.texts[own] ?? '', turn: numbers.turn[row] ?? 1 };
    return { ...summary, turns, ...(own === NO_THREAD ? {} : { thread }) };
  });
}
