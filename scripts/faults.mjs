// Writes docs/fault-matrix.md from what happens in the tests of faults. Run `npm run faults`.
import { spawnSync } from 'node:child_process';

/** @param {readonly string[]} command */
function run([program, ...args]) {
  const { status } = spawnSync(process.execPath, [program, ...args], {
    stdio: 'inherit',
    env: { ...process.env, FAULTS: 'write' },
  });
  if (status !== 0) process.exit(status ?? 1);
}

// One after the other, because each test writes its row into the same file.
for (const project of ['long', 'browser']) {
  run(['node_modules/vitest/vitest.mjs', 'run', '--project', project, '--maxWorkers=1', 'test/composition/faults']);
}
run(['node_modules/@playwright/test/cli.js', 'test', 'fault-matrix', '--workers=1']);
