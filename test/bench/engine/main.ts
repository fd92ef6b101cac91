/**
 * @file Compares text generation through Podium with generation by the library alone, in pairs of
 * measurements. Both measurements of a pair have the same model, prompt, sampling, grammar and maximum
 * number of tokens. `scripts/bench.mjs` opens this page with the hash
 * `#<model folder>,<device>,<pairs>,<tokens>`, and waits for `benchDone`.
 */
import { planBounds, textBounds } from '../../../src/core/conductor/bounds';
import { workflowGrammar } from '../../../src/core/conductor/grammar';
import type { GenerateRequest, ModelManifest } from '../../../src/core/contract';
import { systemClock } from '../../../src/platform/clock';
import type { FolderFile } from '../../../src/platform/engine/folder';
import { createTransformersLoader } from '../../../src/platform/engine/transformers/loader';
import { createWebLlmLoader } from '../../../src/platform/engine/webllm/loader';
import { bare, podium, type Contender } from './contenders';
import { measurePairs, printPairs } from './pairs';
import { benchPlans } from './plans';

declare global {
  var benchDone: boolean | undefined;
}

const LONG = 30 * 60_000;
const PATIENCE = { load: LONG, firstToken: LONG, nextToken: LONG, answer: LONG };
const unstopped = new AbortController().signal;
const [model = '', device = 'wasm', pairs = '20', tokens = '128'] = location.hash.slice(1).split(',');

async function filesOf(folder: string): Promise<FolderFile[]> {
  const paths: string[] = await (await fetch(`./models/${folder}`)).json();
  return Promise.all(
    paths.map(async (path) => {
      const blob = await (await fetch(`./models/${folder}/${path}`)).blob();
      return { path, file: new File([blob], path.split('/').at(-1) ?? path) };
    }),
  );
}

const files = await filesOf(model);
const manifest: ModelManifest = {
  id: 'bench:model',
  label: 'The benchmark’s model',
  engine: device === 'webllm' ? 'webllm' : 'transformers',
  source: { kind: 'folder', name: model },
  download: null,
  memory: null,
  context: 4096,
  licence: null,
  why: 'For benchmarks.',
  needs: [],
  prompt: null,
  showWorkers: 'number',
};
const folder = () => Promise.resolve(files);
const options = { clock: systemClock, patience: PATIENCE, folder };

async function transformers(): Promise<{ podium: Contender; bare: Contender }> {
  const gpu = device === 'webgpu' ? { software: false, half: false } : null;
  const loader = createTransformersLoader({ ...options, gpu: () => Promise.resolve(gpu) });
  const worker = new Worker(new URL('./bare-transformers.ts', import.meta.url), { type: 'module' });
  const { id, label, context } = manifest;
  return {
    podium: podium(await loader.load(manifest, () => undefined, unstopped)),
    bare: await bare(worker, {
      type: 'load',
      manifestId: id,
      label,
      source: { kind: 'folder', files: [...files] },
      device: device === 'webgpu' ? 'webgpu' : 'wasm',
      half: false,
      context,
    }),
  };
}

async function webLlm(): Promise<{ podium: Contender; bare: Contender }> {
  const loader = createWebLlmLoader(options);
  const engine = await loader.load(manifest, () => undefined, unstopped);
  await benchPlans((line) => console.log(line), `Plans of ${model} on ${device}`, engine, Number(pairs));
  const worker = new Worker(new URL('./bare-webllm.ts', import.meta.url), { type: 'module' });
  return {
    podium: podium(engine),
    bare: await bare(worker, { type: 'load', manifest, files: [...files] }),
  };
}

const form = { poolSize: 5, maxSteps: 5, access: 'fine' } as const;
const requestOf = (seed: number): GenerateRequest => ({
  messages: [{ role: 'user', content: 'How many prime numbers are there below 100? Plan who does what.' }],
  grammar: workflowGrammar(form),
  bounds: textBounds(planBounds(form)),
  temperature: 1,
  maxTokens: Number(tokens),
  seed,
});

try {
  const both = device === 'webllm' ? await webLlm() : await transformers();
  const measured = await measurePairs(both, Number(pairs), requestOf);
  printPairs((line) => console.log(line), `Engine: ${model} on ${device}`, measured);
  both.podium.dispose();
  both.bare.dispose();
} catch (thrown) {
  console.error('The engine could not be measured.', thrown);
}
globalThis.benchDone = true;
