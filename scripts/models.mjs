// `npm run models`: updates the model manifests in `models/` from the model list of the installed
// WebLLM. Also pins the models' files to commits. Run this command after an update of WebLLM. To
// draft manifests for new models, pass their ids in WebLLM's list:
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
