/** @file The compared pairs of answers as files: CSV, or JSON lines. They have no texts, only figures. */
import { CSV_START, csvLine } from '../../analysis/exports/csv';
import type { CollectedPair } from './collected-pairs';

/** One row of the files. */
function rowOf(pair: CollectedPair) {
  return {
    at: new Date(pair.at).toISOString(),
    run: pair.runId,
    series: pair.series,
    conductor: pair.conductorName,
    worker: pair.workerName,
    alone_answers: pair.isEqualCost ? 'equal-cost' : 'once',
    preferred: pair.preferred,
    first: pair.isConductorFirst ? 'conductor' : 'alone',
    conductor_characters: pair.conductor.length,
    alone_characters: pair.alone.length,
    conductor_usd: pair.conductor.usd,
    alone_usd: pair.alone.usd,
  };
}

export function pairsAsCsv(pairs: readonly CollectedPair[]): string {
  const rows = pairs.map(rowOf);
  const [first] = rows;
  return (
    CSV_START +
    (first ? [Object.keys(first), ...rows.map(Object.values<string | number | null>)] : []).map(csvLine).join('')
  );
}

export function pairsAsJsonLines(pairs: readonly CollectedPair[]): string {
  return pairs.map((pair) => `${JSON.stringify(rowOf(pair))}\n`).join('');
}
