/**
 * @file Loads models into WebLLM: a worker for each, ended with it. Nothing of WebLLM is fetched before a model is asked for.
 */
import { version } from '@mlc-ai/web-llm/package.json';
import type { Clock, EngineLoader, ModelManifest } from '../../../core/contract';
import { checkGrammar } from '../grammar-check';
import type { FolderFile } from '../folder';
import { ENGINE_PATIENCE, type EnginePatience } from '../watchdog';
import { WebLlmEngine } from './engine';
import type { Named } from '../faults';
import { weightsBase } from './record';
import { Session, type WorkerPort } from './session';

export interface WebLlmLoaderOptions {
  readonly clock: Clock;
  /** The files of a manifest whose source is a folder; none if it was not picked in this session, and then the cache must do. */
  readonly folder?: (manifest: ModelManifest) => Promise<readonly FolderFile[] | null>;
  readonly patience?: EnginePatience;
  /** For tests that need a hand on the worker. */
  readonly createWorker?: () => WorkerPort;
}

export function createWebLlmLoader(options: WebLlmLoaderOptions): EngineLoader {
  const { clock, folder, patience = ENGINE_PATIENCE, createWorker = startWorker } = options;
  return {
    async load(manifest, onprogress, signal) {
      signal.throwIfAborted();
      const files = manifest.source.kind === 'folder' ? ((await folder?.(manifest)) ?? []) : [];
      signal.throwIfAborted();
      const session = new Session({ port: createWorker(), named: namedOf(manifest), clock, patience });
      const digest = await session.load(manifest, files, onprogress, signal);
      const info = {
        engine: `webllm ${version}`,
        model: modelName(manifest),
        revision: revisionOf(manifest, digest),
        origin: null,
        enforcesGrammar: true,
      };
      return new WebLlmEngine({ manifest, info, session, checkGrammar });
    },
  };
}

function startWorker(): WorkerPort {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'webllm' });
}

function namedOf({ label, source }: ModelManifest): Named {
  const host = source.kind === 'mlc' ? new URL(weightsBase(source.weights, source.revision)).host : null;
  return { label, host: source.kind === 'prebuilt' ? 'huggingface.co' : host };
}

function modelName({ label, source }: ModelManifest): string {
  return source.kind === 'prebuilt' ? source.id : label;
}

/** A branch may move, so the weights are named by what they are: the first digits of their list's SHA-256. */
function revisionOf({ source }: ModelManifest, digest: string): string {
  const weights = `weights ${digest.slice(0, 12)}`;
  return source.kind === 'mlc' && source.revision !== null ? `${source.revision}, ${weights}` : weights;
}
