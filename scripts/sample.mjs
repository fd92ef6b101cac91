// `npm run sample`: makes the sample archive, `sample/archive.podium.bin`. Run this command after a
// change to the executor, the simulated workers, or a Conductor that has runs in the archive, such
// as the trained policy. A test fails if the archive is out of date.
import { spawnSync } from 'node:child_process';
import { build } from 'vite';

const root = new URL('..', import.meta.url).pathname;
const outDir = `${root}node_modules/.cache/podium-sample`;
await build({
  configFile: false,
  logLevel: 'warn',
  root,
  publicDir: false,
  build: { ssr: 'scripts/sample/main.ts', outDir, emptyOutDir: true, target: 'node20' },
});
const { status } = spawnSync(process.execPath, [`${outDir}/main.js`], { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;
