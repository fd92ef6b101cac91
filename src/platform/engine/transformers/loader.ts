/**
 * @file Loads a transformers.js model into its own Web Worker and waits until the model is ready. Terminating the Web Worker
 * stops a download. Complete files stay stored, and the next load downloads only the missing ones.
 */
import {
  FaultError,
  type Clock,
  type EngineInfo,
  type EngineLoader,
  type GpuProbe,
  type LocalEngine,
  type ModelManifest,
} from '../../../core/contract';
import { startWorker } from '../../start-worker';
import type { LinkedWorker } from '../../worker-link';
import type { FolderFile } from '../folder';
import { generateCommand } from '../generate-command';
import { ModelLink } from '../model-link';
import { readTextModelReport, type TextReport } from '../reports';
import { ENGINE_PATIENCE, type EnginePatience } from '../watchdog';
import { WorkerEngine } from '../worker-engine';
import { emptyFolderFault, otherEngineFault } from './transformers-faults';
import { HUB_HOST } from './hub-address';
import { namedOf, type Command, type LoadCommand } from './messages';
import program from './worker?worker&url';

export interface TransformersLoaderOptions {
  readonly clock: Clock;
  /**
   * Called before each load, because the GPU may change. If the result is `null` or a software GPU, the model
   * runs on the CPU.
   */
  readonly gpu: () => Promise<Pick<GpuProbe, 'software' | 'half'> | null>;
  /** Returns the files of a manifest whose source is a folder. Loading fails if there are none. */
  readonly folder?: (manifest: ModelManifest) => Promise<readonly FolderFile[]>;
  /** Address of the hub, with a slash at the end. Default: Hugging Face. */
  readonly host?: string;
  readonly patience?: EnginePatience;
  /** Lets tests replace the Web Worker. */
  readonly createWorker?: () => LinkedWorker;
}

export function createTransformersLoader(options: TransformersLoaderOptions): EngineLoader {
  return {
    async load(manifest, onprogress, signal): Promise<LocalEngine> {
      signal.throwIfAborted();
      const { clock, patience = ENGINE_PATIENCE, createWorker = () => startWorker(program) } = options;
      const command = await loadCommand(manifest, options);
      signal.throwIfAborted();
      const link = new ModelLink<Command, TextReport>({
        worker: createWorker(),
        read: readTextModelReport,
        named: namedOf(command),
        clock,
        patience,
      });
      const info = infoOf(manifest, await link.load(command, onprogress, signal));
      return new WorkerEngine({ manifest, info, device: command.device, link, commandFor: generateCommand });
    },
  };
}

/** @param engine names the library, its version and the numeric format */
function infoOf({ label, source }: ModelManifest, engine: string): EngineInfo {
  const revision = source.kind === 'hub' ? source.revision : null;
  return { engine, model: label, origin: null, enforcesGrammar: true, ...(revision === null ? {} : { revision }) };
}

async function loadCommand(manifest: ModelManifest, options: TransformersLoaderOptions): Promise<LoadCommand> {
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
