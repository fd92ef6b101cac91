/**
 * @file Measures how long each figure takes to compute, compared with a plain loop over objects. Posts a
 * table of the times.
 */
import { RunTable } from '../../../src/core/analysis/columns/run-table';
import { FIGURES, type FigureName } from '../../../src/core/analysis/figures';
import { median, table } from '../report';
import { PLAIN } from './plain';
import { madeRuns } from './runs';

const TIMES = 15;
const AIM = 50;

self.addEventListener('message', ({ data }: MessageEvent<number>) => {
  measure(data);
  self.postMessage(null);
});

function measure(count: number): void {
  const runs = madeRuns(count);
  const columns = new RunTable();
  for (const [index, run] of runs.entries()) columns.add(run, index);
  const selection = columns.live();
  const names = Object.keys(FIGURES) as FigureName[];
  const rows = names.map((name) => {
    const [ours, plain]: [number[], number[]] = [[], []];
    for (let time = 0; time < TIMES; time++) {
      ours.push(timeOf(() => FIGURES[name](columns, selection)));
      plain.push(timeOf(() => PLAIN[name](runs)));
    }
    const [own, other] = [median(ours), median(plain)];
    return [name, ms(own), ms(Math.max(...ours)), ms(other), `${(own / other).toFixed(2)} ×`];
  });
  const title = `Figures of ${count.toLocaleString('en')} runs and ${columns.steps.length.toLocaleString('en')} steps, in a Web Worker (aim: ${AIM} ms)`;
  const head = ['figure', 'columns, median', 'columns, slowest', 'plain loop, median', 'ratio of medians'];
  table((line) => self.postMessage(line), title, head, rows);
}

function timeOf(work: () => unknown): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}
