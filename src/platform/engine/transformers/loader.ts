/**
 * @file Loads a transformers.js model into a worker of its own and waits until it can be asked. To stop a download is to end
 * the worker; the files that were whole by then stay, and the next load goes on from there.
 */
import {
  FaultError,
  toFault,
  type Clock,
  type EngineLoader,
  type GpuProbe,
  type LocalEngine,
  type ModelManifest,
} from '../../../core/contract';
import type { FolderFile } from '../folder';
import { ENGINE_PATIENCE, type EnginePatience } from '../watchdog';
import { TransformersEngine } from './engine';
import { emptyFolderFault, otherEngineFault } from './faults';
import { HUB_HOST } from './hub-address';
import { namedOf, type LoadCommand } from './messages';
import { WorkerLink } from './worker-link';

export interface TransformersLoaderOptions {
  readonly clock: Clock;
  /** Asked before each load: a GPU may come and go. `null`, or one in software, means the processor. */
  readonly gpu: () => Promise<Pick<GpuProbe, 'software' | 'half'> | null>;
  /** The files of a manifest whose source is a folder. */
  readonly folder?: (manifest: ModelManifest) => Promise<readonly FolderFile[]>;
  /** Ends with a slash. Default: Hugging Face. */
  readonly host?: string;
  readonly patience?: EnginePatience;
  /** For tests that need a hand on the worker. */
  readonly createWorker?: () => Worker;
}

export function createTransformersLoader(options: TransformersLoaderOptions): EngineLoader {
  return {
    async load(manifest, onprogress, signal): Promise<LocalEngine> {
      signal.throwIfAborted();
      const { clock, patience = ENGINE_PATIENCE, createWorker = startWorker } = options;
      const command = await commandFor(manifest, options);
      signal.throwIfAborted();
      const link = new WorkerLink(createWorker(), { named: namedOf(command), clock, patience });
      try {
        const engine = await link.load(command, onprogress, signal);
        return new TransformersEngine(manifest, { link, device: command.device, engine });
      } catch (thrown) {
        link.close(toFault(thrown));
        throw thrown;
      }
    },
  };
}

function startWorker(): Worker {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
}

async function commandFor(manifest: ModelManifest, options: TransformersLoaderOptions): Promise<LoadCommand> {
  const gpu = await options.gpu();
  const { id, label, context } = manifest;
  return {
    type: 'load',
    manifestId: id,
    label,
    source: await sourceOf(manifest, options),
    device: gpu && !gpu.software ? 'webgpu' : 'wasm',
    half: gpu?.half ?? false,
    context,
  };
}

async function sourceOf(
  manifest: ModelManifest,
  { host = HUB_HOST, folder }: TransformersLoaderOptions,
): Promise<LoadCommand['source']> {
  const { source, label } = manifest;
  switch (source.kind) {
    case 'hub':
      return { kind: 'hub', host: source.host ?? host, id: source.id, revision: source.revision };
    case 'folder': {
      const files = (await folder?.(manifest)) ?? [];
      if (files.length === 0) throw new FaultError(emptyFolderFault(label));
      return { kind: 'folder', files: [...files] };
    }
    case 'prebuilt':
    case 'mlc':
      throw new FaultError(otherEngineFault(label));
    default:
      return source satisfies never;
  }
}
