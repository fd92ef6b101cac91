/** @file Compares two ways to start the sandbox's Python: from its files, and from a memory snapshot of an earlier start. */
import { openRoom } from '../../../src/platform/sandbox/room';
import type { RuntimeFiles } from '../../../src/platform/sandbox/protocol';
import { fetchPython } from '../../../src/platform/sandbox/sandbox';

declare global {
  var benchDone: boolean;
}

const PAIRS = 12;

async function startTime(files: RuntimeFiles): Promise<number> {
  const startedAt = performance.now();
  (await openRoom(files)).close();
  return performance.now() - startedAt;
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}

const files = await fetchPython();
const { snapshot, close } = await openRoom(files);
close();
if (!snapshot) throw new Error('The sandbox sent no snapshot.');
const plain: number[] = [];
const restored: number[] = [];
for (let pair = 0; pair < PAIRS; pair++) {
  plain.push(await startTime(files));
  restored.push(await startTime({ ...files, snapshot }));
}
const ratio = median(plain) / median(restored);
console.log('\nStart of the sandbox’s Python, median of 12');
console.log(`  from its files    ${median(plain).toFixed(0)} ms`);
console.log(`  from a snapshot   ${median(restored).toFixed(0)} ms, ${ratio.toFixed(1)} times as fast`);
console.log(`  the snapshot is   ${(snapshot.size / 2 ** 20).toFixed(0)} MiB`);
globalThis.benchDone = true;
