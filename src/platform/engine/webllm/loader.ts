/**
 * @file Loads models into WebLLM, each in its own Web Worker. The code of WebLLM is downloaded only when a model is requested.
 */
import { version } from '@mlc-ai/web-llm/package.json';
import type { Clock, EngineLoader, GenerateRequest, ModelManifest } from '../../../core/contract';
import { startWorker } from '../../start-worker';
import type { LinkedWorker } from '../../worker-link';
import type { Named } from '../engine-faults';
import type { FolderFile } from '../folder';
import { generateCommand, type GenerateCommand } from '../generate-command';
import { checkGrammar } from '../grammar-check';
import { ModelLink } from '../model-link';
import { readTextModelReport, type TextReport } from '../reports';
import { ENGINE_PATIENCE, type EnginePatience } from '../watchdog';
import { WorkerEngine } from '../worker-engine';
import { loadXGrammar } from '../xgrammar';
import type { Command } from './messages';
import { weightsBase } from './record';
import program from './worker?worker&url';

export interface WebLlmLoaderOptions {
  readonly clock: Clock;
  /**
   * Returns the files of the folder that is the source of a manifest's model. Empty or `null` if the user has
   * not picked the folder in this session. Then only the cache is used.
   */
  readonly folder?: (manifest: ModelManifest) => Promise<readonly FolderFile[] | null>;
  readonly patience?: EnginePatience;
  /** For tests. */
  readonly createWorker?: () => LinkedWorker;
}

export function createWebLlmLoader(options: WebLlmLoaderOptions): EngineLoader {
  const { clock, folder, patience = ENGINE_PATIENCE, createWorker = () => startWorker(program, 'webllm') } = options;
  return {
    async load(manifest, onprogress, signal) {
      signal.throwIfAborted();
      const files = manifest.source.kind === 'folder' ? ((await folder?.(manifest)) ?? []) : [];
      signal.throwIfAborted();
      const link = new ModelLink<Command, TextReport>({
        worker: createWorker(),
        read: readTextModelReport,
        named: namedOf(manifest),
        clock,
        patience,
      });
      // Loads the grammar engine while the device is online, so that the first plan doesn't have to.
      loadXGrammar().catch(() => undefined);
      const digest = await link.load({ type: 'load', manifest, files: [...files] }, onprogress, signal);
      const info = {
        engine: `webllm ${version}`,
        model: modelName(manifest),
        revision: revisionOf(manifest, digest),
        origin: null,
        enforcesGrammar: true,
      };
      return new WorkerEngine({ manifest, info, device: 'webgpu', link, commandFor });
    },
  };
}

/** Makes the command for a request. Compiles the grammar first, because an invalid grammar would silently stop the engine. */
async function commandFor(request: GenerateRequest): Promise<GenerateCommand> {
  if (request.grammar !== null) await checkGrammar(request.grammar);
  return generateCommand(request);
}

function namedOf({ label, source }: ModelManifest): Named {
  const host = source.kind === 'mlc' ? new URL(weightsBase(source.weights, source.revision)).host : null;
  return { label, host: source.kind === 'prebuilt' ? 'huggingface.co' : host };
}

function modelName({ label, source }: ModelManifest): string {
  return source.kind === 'prebuilt' ? source.id : label;
}

/**
 * Identifies the weights by the start of `digest`, the SHA-256 of the model's list of weight files. A revision is not enough: it
 * can be a branch, which can move.
 */
function revisionOf({ source }: ModelManifest, digest: string): string {
  const weights = `weights ${digest.slice(0, 12)}`;
  return source.kind === 'mlc' && source.revision !== null ? `${source.revision}, ${weights}` : weights;
}
