/**
 * @file Downloads the missing files of a model and starts WebLLM. Runs in the model's Web Worker. The package of WebLLM (6.8 MB)
 * is loaded only here.
 */
import type { MLCEngineConfig, ModelRecord } from '@mlc-ai/web-llm';
import { version } from '@mlc-ai/web-llm/package.json';
import { FaultError, type ModelManifest, type ModelPin } from '../../../core/contract';
import { codeFault } from '../code-fault';
import type { Named } from '../engine-faults';
import type { FolderFile } from '../folder';
import { TokenTexts } from '../token-texts';
import { BoundsProcessor, skipWhileUnneeded } from './bounds-processor';
import { checkGpu, checkLibrary } from './checks';
import { downloadModel, type DownloadRequest, type LibraryPlace } from './download';
import { loadFault, noHalf, noLibrary, otherGeneration, otherWeights } from './webllm-faults';
import { folderSource, serverSource, type FileSource } from './file-source';
import { emptyThoughtTokens } from './empty-thought';
import { KeptPrompt } from './kept-prompt';
import { readMetadata, weightsProblem } from './library';
import { needsHalf, sameShape, tensorsIn, thinksByDefault, type ModelConfig, type Shard } from './model-files';
import { listenForErrors } from './printed';
import { pipelineOf, templatedRoles, textsOf } from './pipeline';
import { readProgress } from './progress';
import { Reading } from './reading';
import { folderBase, FOLDER_LIBRARY, libraryAt, modelRecord, weightsBase } from './record';
import type { Launch } from './serve';
import { modelPinSchema } from '../../../core/contract/model/model-pin-schema';

export const launch: Launch = async ({ manifest, files }, report) => {
  const printed = listenForErrors();
  const withFaults = async <T>(named: Named, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (thrown) {
      throw new FaultError(loadFault(thrown, named, printed()));
    }
  };
  const { MLCEngine, prebuiltAppConfig } = await import('@mlc-ai/web-llm').catch((thrown: unknown) => {
    throw new FaultError(codeFault(manifest, navigator.onLine, thrown));
  });
  const list = prebuiltAppConfig.model_list;
  const pin = await pinOf(manifest);
  const revision = pin?.revision ?? null;
  const source = sourceOf(manifest, list, files, revision);
  const { named } = source;
  const engineFor = (record: ModelRecord | null, more: MLCEngineConfig = {}) =>
    new MLCEngine({
      appConfig: { model_list: record ? [record] : [], cacheBackend: 'cache' },
      logLevel: 'SILENT',
      ...more,
    });
  const recordWith = (library: string) => modelRecord(manifest, list, { library, revision });
  const request = { ...downloadRequest(manifest, list, source, files, pin), pin };
  const { half } = await withFaults(named, checkGpu(engineFor(null)));
  const check = async ({ url, path }: LibraryPlace, config: ModelConfig, shards: readonly Shard[]) => {
    if (!half && (needsHalf(config) || manifest.needs.includes('shader-f16'))) throw new FaultError(noHalf(named));
    const record = recordWith(url);
    const { bytes, problem } = await withFaults(named, checkLibrary(engineFor(record), record.model_id));
    const file = path.split('/').at(-1) ?? path;
    if (problem !== null) throw new FaultError(otherGeneration(file, named, `${problem} (WebLLM ${version})`));
    const metadata = bytes && readMetadata(bytes);
    const tensors = tensorsIn(shards);
    const difference = metadata && tensors && weightsProblem(metadata, tensors);
    if (difference !== null) throw new FaultError(otherWeights(file, named, difference));
  };
  // Nothing aborts this signal, because the page stops a download by terminating the Web Worker.
  const unstopped = new AbortController().signal;
  let total: number | null = null;
  const { library, digest, config } = await downloadModel(
    { ...request, check },
    (progress) => {
      total = progress.total;
      report({ type: 'progress', progress });
    },
    unstopped,
  );
  const record = recordWith(library);
  const device = watchDevice();
  const bounds: BoundsProcessor = new BoundsProcessor(
    new TokenTexts(() => textsOf(pipelineOf(engine, record.model_id))),
  );
  const engine = engineFor(record, {
    logitProcessorRegistry: new Map([[record.model_id, bounds]]),
    initProgressCallback: (loading) => {
      const progress = readProgress(loading, total);
      if (progress) report({ type: 'progress', progress });
    },
  });
  await withFaults(named, engine.reload(record.model_id));
  const pipeline = pipelineOf(engine, record.model_id);
  skipWhileUnneeded(pipeline, bounds);
  const prompts = KeptPrompt.attach(pipeline);
  const reading = new Reading(pipeline);
  return {
    engine,
    digest,
    emptyThought: thinksByDefault(config) ? emptyThoughtTokens(pipeline) : 0,
    lost: device.lost,
    named,
    printed,
    bounds,
    context: manifest.context,
    prompts,
    reading,
    templated: templatedRoles(pipeline),
  };
};

function sourceOf(
  manifest: ModelManifest,
  list: readonly ModelRecord[],
  files: readonly FolderFile[],
  revision: string | null,
): FileSource {
  const { source, label } = manifest;
  if (source.kind === 'folder') return folderSource(files, label);
  if (source.kind === 'mlc') return serverSource(weightsBase(source.weights, source.revision), label);
  return serverSource(modelRecord(manifest, list, { revision }).model, label);
}

function downloadRequest(
  manifest: ModelManifest,
  list: readonly ModelRecord[],
  source: FileSource,
  files: readonly FolderFile[],
  pin: ModelPin | null,
): DownloadRequest {
  const { id: manifestId, label, source: from } = manifest;
  if (from.kind !== 'folder') {
    const { model: base, model_lib: url } = modelRecord(manifest, list, { revision: pin?.revision ?? null });
    const newest = from.kind === 'mlc' ? from.library : url;
    const address = pin ? libraryAt(newest, pin.library.revision) : newest;
    const library = { url, path: address, source: serverSource(address, label) };
    return {
      manifestId,
      base,
      source,
      integrity: from.kind === 'mlc' ? from.integrity : undefined,
      library: () => library,
    };
  }
  return {
    manifestId,
    base: folderBase(manifestId),
    source,
    library: (config) => folderLibrary(config, { manifestId, list, source, files }),
  };
}

/** The folder's own library (compiled WebAssembly), or else the library of a WebLLM model with weights of the same shape. */
function folderLibrary(config: ModelConfig, { manifestId, list, source, files }: FolderContext): LibraryPlace {
  const own = files.find(({ path }) => path.endsWith('.wasm'));
  const url = `${folderBase(manifestId)}${FOLDER_LIBRARY}`;
  if (own) return { url, path: own.path, source };
  const same = list.find(({ model_id }) => model_id === sameShape(config));
  if (same) {
    const { model_lib } = same;
    return { url: model_lib, path: model_lib, source: serverSource(model_lib, source.named.label) };
  }
  // The folder is not open, but its library may be in the cache. If the library is not cached, reading it from the source
  // throws a fault.
  if (files.length === 0) return { url, path: FOLDER_LIBRARY, source };
  throw new FaultError(noLibrary(source.named));
}

interface FolderContext {
  readonly manifestId: string;
  readonly list: readonly ModelRecord[];
  readonly source: FileSource;
  readonly files: readonly FolderFile[];
}

/**
 * Lazy-loads the pins of prebuilt models (`models/pins/*.json`). A pin has the commit of a model's weights, and the
 * sizes and digests of its files.
 */
const files = import.meta.glob('../../../../models/pins/*.json', { import: 'default' });

/** The pin of a model, or `null` if it has none. Throws if the pin's file does not match the schema. */
async function pinOf({ source }: Pick<ModelManifest, 'source'>): Promise<ModelPin | null> {
  if (source.kind !== 'prebuilt') return null;
  const content = await files[`../../../../models/pins/${source.id}.json`]?.();
  return content === undefined ? null : modelPinSchema.parse(content);
}

// Detects that the GPU is lost. WebLLM logs the loss and unloads the model, but it neither
// reports the loss nor exposes the device. Therefore this code intercepts the request for the
// device. Nothing else in the Web Worker requests a device.

/**
 * Watches the device that WebLLM will request. `lost` resolves with the reason if the device is
 * lost or out of memory.
 */
export function watchDevice(): { readonly lost: Promise<string> } {
  const lost = new Promise<string>((resolve) => {
    const { requestDevice } = GPUAdapter.prototype;
    GPUAdapter.prototype.requestDevice = async function (this: GPUAdapter, descriptor) {
      const device = await requestDevice.call(this, descriptor);
      void device.lost.then(({ reason, message }) => resolve(message === '' ? reason : message));
      // If the GPU can't allocate a buffer, the model is incomplete, so this error counts as a loss.
      device.addEventListener('uncapturederror', ({ error }) => {
        if (error instanceof GPUOutOfMemoryError) resolve(`Out of GPU memory. ${error.message}`);
      });
      return device;
    };
  });
  return { lost };
}
