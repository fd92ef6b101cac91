/**
 * @file Runs the benchmarks that need a browser. `scripts/bench.mjs` opens this page, prints its console output, and waits
 * for `benchDone`.
 */
import { aiSdk } from '../contenders/ai-sdk';
import { graphai } from '../contenders/graphai';
import { langGraph } from '../contenders/langgraph';
import { benchExecutor } from '../executor';
import { benchJournal } from './journal';
import { benchLists } from './lists';
import { benchPlanning } from './planning';
import { benchStreams } from './streams';

declare global {
  var benchDone: boolean | undefined;
}

const print = (line: string) => console.log(line);
/** The parts to run, from the URL's hash, such as `#journal,lists`. Empty: all parts. */
const only = location.hash.slice(1).split(',').filter(Boolean);
const parts = {
  executor: () => benchExecutor([langGraph, graphai, aiSdk], print),
  journal: () => benchJournal(print),
  lists: () => benchLists(print),
  streams: () => benchStreams(print),
  planning: () => benchPlanning(print),
};
for (const [name, bench] of Object.entries(parts)) {
  if (only.length > 0 && !only.includes(name)) continue;
  try {
    await bench();
  } catch (thrown) {
    console.error(`The part "${name}" could not be measured.`, thrown);
  }
}
globalThis.benchDone = true;
