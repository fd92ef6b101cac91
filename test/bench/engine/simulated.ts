/**
 * @file Runs `benchPlans` in Node with WebLLM's own engine. The engine runs a simulated model, which gives random scores to
 * tokens. The times are not realistic, because the simulated model needs almost no time per token.
 */
import { systemClock } from '../../../src/platform/clock';
import { generateCommand } from '../../../src/platform/engine/generate-command';
import { ModelLink } from '../../../src/platform/engine/model-link';
import { readTextModelReport, type TextReport } from '../../../src/platform/engine/reports';
import { ENGINE_PATIENCE } from '../../../src/platform/engine/watchdog';
import type { Command } from '../../../src/platform/engine/webllm/messages';
import { WorkerEngine } from '../../../src/platform/engine/worker-engine';
import { launched, LocalWorker, scriptedManifest as manifest } from '../../platform/engine/webllm/scripted-engine';
import { simulatedEngine } from '../../platform/engine/webllm/simulated-library';
import { benchPlans } from './plans';

const count = Number(process.argv[2] ?? 20);
const { engine, bounds, prompts, templated } = await simulatedEngine({ context: 12_288 });
const link = new ModelLink<Command, TextReport>({
  worker: new LocalWorker(launched(engine, { bounds, prompts, templated })),
  read: readTextModelReport,
  named: { label: 'The simulated model', host: null },
  clock: systemClock,
  patience: ENGINE_PATIENCE,
});
const unstopped = new AbortController().signal;
await link.load({ type: 'load', manifest, files: [] }, () => undefined, unstopped);
const info = { engine: 'webllm', model: 'simulated', origin: null, enforcesGrammar: true };
const local = new WorkerEngine({ manifest, info, device: 'webgpu', link, commandFor: generateCommand });
await benchPlans((line) => console.log(line), 'Plans of WebLLM over a simulated model', local, count);
await local.dispose();
process.exit();
