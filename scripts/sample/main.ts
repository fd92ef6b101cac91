/** @file Makes the sample runs and writes them as an archive to `sample/`. `scripts/sample.mjs` starts this file. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { createPolicyConductor } from '../../src/core/conductor/policy';
import { foldEvents } from '../../src/core/contract';
import { makeSample } from './make-sample';
import { sampleFile } from './sample-file';

const FILE = 'sample/archive.podium.bin';

const checkpoint: unknown = JSON.parse(readFileSync('models/policy/checkpoint.json', 'utf8'));
const runs = await makeSample(createPolicyConductor(checkpoint));
const packed = gzipSync(sampleFile(runs), { level: 9 });
mkdirSync('sample', { recursive: true });
writeFileSync(FILE, packed);
for (const events of runs) {
  const run = foldEvents(events);
  if (!run) continue;
  const steps = run.rounds.reduce((sum, round) => sum + round.steps.length, 0);
  const grade = run.grade === null ? 'not graded' : run.grade.correct ? 'right' : 'wrong';
  console.log(
    `${run.id}  ${new Date(run.startedAt).toISOString()}  ${run.status}  ${steps} steps  ${grade}  ${run.conductor.label}`,
  );
}
console.log(`${runs.length} runs, ${Math.ceil(packed.length / 1_000)} kB.`);
