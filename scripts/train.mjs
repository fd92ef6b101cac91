// `npm run train`: trains the policy from a seed, writes the record of the training run to models/policy/trainings/,
// and generates the learning curve and the model card from the records of all training runs.
// Options after `--`, with their defaults:
//   --seed=1
//   --updates=1200
//   --loss=default       or `paper`, the loss of arXiv 2512.04388
//   --cost=0.02          the cost of a call in the reward of the default loss
//   --rate=0.002         the base learning rate
//   --start=FILE         starts from the weights of a checkpoint. Default: random weights
//   --minutes=30         time limit. When it is over, the best weights so far are used
//   --out=models/policy  the folder of the records, the weights and the model card
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
