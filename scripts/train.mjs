// `npm run train`: trains the coordination policy from a seed, keeps its record in models/policy/trainings/ and makes the card
// from all records. Options after `--`: --seed=1, --updates=1200, --loss=default|paper, --minutes=30 (it stops there and keeps
// the best so far), --out=folder.
import { spawnSync } from 'node:child_process';
import { build } from 'vite';

const root = new URL('..', import.meta.url).pathname;
const outDir = `${root}node_modules/.cache/podium-train`;
await build({
  configFile: false,
  logLevel: 'warn',
  root,
  publicDir: false,
  build: { ssr: 'scripts/train/main.ts', outDir, emptyOutDir: true, target: 'node20' },
});
const { status } = spawnSync(process.execPath, [`${outDir}/main.js`, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;
