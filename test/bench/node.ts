/** @file Benchmarks the executor and its peers in Node: their speed, and the heap of an open run. */
import { aiSdk } from './contenders/ai-sdk';
import { graphai } from './contenders/graphai';
import { langGraph } from './contenders/langgraph';
import { podium } from './contenders/podium';
import { promises } from './contenders/promises';
import { benchExecutor } from './executor';
import { table } from './report';
import { chain, type BenchWorkers, type Contender } from './workflows';

const peers = [langGraph, graphai, aiSdk];
console.log(`\nNode ${process.version}`);
await benchExecutor(peers, (line) => console.log(line));
await heapPerOpenRun([promises, podium, ...peers]);

/**
 * Prints how much heap each contender uses for an open run, in which the first worker hasn't answered yet. The heap is measured
 * before 200 runs are started and while they are open, each time after a garbage collection.
 */
async function heapPerOpenRun(contenders: readonly Contender[]): Promise<void> {
  const collect = globalThis.gc;
  if (!collect) return;
  const workflow = chain(0);
  const rows: string[][] = [];
  for (const contender of contenders) {
    await contender.run(workflow, { call: async () => 'output', stream: async function* () {} });
    let release = () => {};
    const gate = new Promise<string>((resolve) => (release = () => resolve('output')));
    const workers: BenchWorkers = { call: () => gate, stream: async function* () {} };
    collect();
    const before = process.memoryUsage().heapUsed;
    const open = Array.from({ length: 200 }, () => contender.run(workflow, workers));
    await new Promise((done) => setTimeout(done, 300));
    collect();
    const held = (process.memoryUsage().heapUsed - before) / 200 / 1000;
    release();
    await Promise.all(open);
    rows.push([contender.name, `${held.toFixed(1)} kB`]);
  }
  table((line) => console.log(line), 'Heap of an open run (aim: at most 20 kB)', ['', 'a run'], rows);
}
