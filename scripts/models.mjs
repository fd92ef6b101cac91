// `npm run models`: updates the manifests in `models/` from the list of models in the installed version of WebLLM, and pins the
// files of these models. Run it after an update of WebLLM. Each id after `--` must be the id of a model in that list. For each id
// without a manifest, the command adds a draft:
//   npm run models -- Qwen3-8B-q4f16_1-MLC
import { spawnSync } from 'node:child_process';
import { build } from 'vite';

const root = new URL('..', import.meta.url).pathname;
const outDir = `${root}node_modules/.cache/podium-models`;
await build({
  configFile: false,
  logLevel: 'warn',
  root,
  publicDir: false,
  build: { ssr: 'scripts/models/main.ts', outDir, emptyOutDir: true, target: 'node20' },
});
const { status } = spawnSync(process.execPath, [`${outDir}/main.js`, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
