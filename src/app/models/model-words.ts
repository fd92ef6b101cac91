/** @file Words for models and machines. */
import type {
  CachedModel,
  EngineSpeed,
  FitVerdict,
  GpuProbe,
  LoadProgress,
  MachineProbe,
  ModelManifest,
  SentenceModel,
} from '../../core/contract';
import { count, duration, listed, percent, size, tokenRate } from '../ui/figures';

/** "Apple M2 Pro": the GPU's name, if the browser reveals it. Otherwise "A GPU". */
export function gpuName({ description, vendor, architecture, software }: GpuProbe): string {
  if (software) return 'A GPU emulated on the CPU';
  if (description !== '') return description;
  const name = [vendor, architecture].filter((part) => part !== '').join(' ');
  return name === '' ? 'A GPU' : `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** "through WebGPU, 16-bit shaders, GPU buffers of up to 2.1 GB". */
export function gpuFacts({ half, maxBuffer, maxStorageBinding }: GpuProbe): string {
  const largest = size(Math.min(maxBuffer, maxStorageBinding));
  return `through WebGPU, ${half ? '16-bit shaders' : 'no 16-bit shaders'}, GPU buffers of up to ${largest}`;
}

/** "61 GB free for this site". */
export function storageFact({ freeStorage }: MachineProbe): string {
  return freeStorage === null ? '' : `${size(freeStorage)} free for this site`;
}

export const FIT_WORDS = { well: 'Fits', tight: 'May be tight', no: 'Won’t run' } as const satisfies Record<
  FitVerdict['fit'],
  string
>;
export const FIT_TONES = { well: 'good', tight: 'warn', no: 'bad' } as const satisfies Record<
  FitVerdict['fit'],
  string
>;

/** Whether Podium downloads nothing for this model, because its files are in a folder or the browser provides it. */
export function needsNoDownload({ source, engine }: Pick<ModelManifest, 'source' | 'engine'>): boolean {
  return source.kind === 'folder' || engine === 'browser';
}

/** A model's requirements, as far as known: "about 4.3 GB to download", … */
export function modelFacts({ source, download, memory, context, engine }: ModelManifest): string[] {
  const fetched = download === null ? 'download size unknown' : `about ${size(download)} to download`;
  if (engine === 'browser') return ['downloaded by the browser', 'free', 'runs on this machine'];
  return [
    source.kind === 'folder' ? `in the folder “${source.name}”` : fetched,
    memory === null ? '' : `${size(memory)} of ${engine === 'webllm' ? 'GPU memory' : 'memory'}`,
    `${count(context)} tokens of context`,
  ].filter((fact) => fact !== '');
}

/** "wrote 38 tok/s here", or no entry if the speed was not measured. */
export function speedFact(measured: EngineSpeed | null): string[] {
  const decode = measured?.decode ?? null;
  return decode === null ? [] : [`wrote ${tokenRate(decode)} here`];
}

/** Whether all files were on this machine already. */
function isRead({ cached, loaded, total }: LoadProgress): boolean {
  return cached && loaded !== null && loaded === total;
}

/** What a loading model is doing, as a sentence. */
export function phaseSentence(progress: LoadProgress | null): string {
  if (!progress) return 'Checking what is already downloaded.';
  switch (progress.phase) {
    case 'fetching':
      if (progress.isShare) return 'The browser downloads its model. You can keep using Podium.';
      return isRead(progress)
        ? 'Reading downloaded files.'
        : 'You can keep using Podium. Downloads resume where they stopped.';
    case 'loading':
      return 'Loading the weights.';
    case 'compiling':
      return 'Compiling for this GPU. The first time takes longest.';
    case 'warming':
      return 'Testing the model.';
    default:
      return progress.phase satisfies never;
  }
}

/**
 * How much of a model has been downloaded so far. `null` if its files are not being downloaded.
 * @param loading `null` if this model is not loading
 */
export function arrivingOf(
  manifestId: string,
  loading: { readonly progress: LoadProgress | null } | null,
): CachedModel | null {
  const progress = loading?.progress;
  if (progress?.phase !== 'fetching' || progress.isShare || isRead(progress)) return null;
  const bytes = progress.loaded ?? 0;
  return { manifestId, bytes, total: progress.total ?? bytes, complete: false };
}

/** Downloaded share, 0 to 1, or `null` until known. */
export function partDone(progress: LoadProgress | null): number | null {
  if (!progress || progress.loaded === null || progress.total === null || progress.total === 0) return null;
  return Math.min(1, progress.loaded / progress.total);
}

/**
 * The progress of downloading a sentence model, such as "12.4 MB of 24.0 MB, 3.1 MB/s". While nothing is being
 * downloaded, a sentence such as "Connecting."
 */
export function fetchedFact(progress: LoadProgress | null): string {
  if (!progress) return 'Checking what is already downloaded.';
  const { phase, loaded, total, speed } = progress;
  if (phase !== 'fetching') return 'Preparing.';
  if (!loaded) return 'Connecting.';
  if (isRead(progress)) return 'Reading downloaded files.';
  const done = total === null ? size(loaded) : `${size(loaded)} of ${size(total)}`;
  return speed === null ? done : `${done}, ${size(speed)}/s`;
}

/**
 * "about 12.0 MB left to download", or "24.0 MB on this machine" if nothing is left to download.
 * @param cached the model's files on this machine. `null`: none
 * @param shared bytes of the files that all sentence models share, as far as these are not downloaded yet
 */
export function sentenceModelSize(
  { download }: Pick<SentenceModel, 'download'>,
  cached: Pick<CachedModel, 'bytes' | 'total' | 'complete'> | null,
  shared: number,
): string {
  if (!cached) return `about ${size(download + shared)} to download`;
  if (cached.complete && shared === 0) return `${size(cached.bytes)} on this machine`;
  return `about ${size(cached.total - cached.bytes + shared)} left to download`;
}

/** What removing a model deletes, and what stays. */
export const REMOVED_MODEL = 'This deletes its weights. Runs that used it stay. To use it again, download it again.';

/** What removing a sentence model deletes, and what stays. */
export const REMOVED_SENTENCE_MODEL =
  'This deletes its files. Similarity is then based on spelling. Runs stay unchanged. To use it again, download it again.';

/** "37.2 s": time left at the current speed, or `null` if unknown. */
export function timeLeft({ loaded, total, speed }: LoadProgress): string | null {
  if (loaded === null || total === null || !speed) return null;
  return duration((1000 * Math.max(0, total - loaded)) / speed);
}

/**
 * Says how many of the plans written without a grammar were valid. The word “it” in this sentence means the
 * grammar, which the sentence before it on the Models page mentions.
 */
export function freePlanSentence({ parsed, all }: { readonly parsed: number; readonly all: number }): string {
  if (all === 0) return 'No saved run has a plan written without it.';
  return `Without it, ${count(parsed)} of ${count(all)} plans in saved runs were valid on the first try (${percent(parsed / all)}).`;
}

/** Where the user's own model comes from. */
export function sourceWords({ source }: ModelManifest): string {
  const at = (revision: string | null) => (revision === null ? [] : [`revision ${revision}`]);
  switch (source.kind) {
    case 'prebuilt':
      return source.id;
    case 'mlc':
      return listed([source.weights, ...at(source.revision)]);
    case 'hub':
      return listed([source.host === undefined ? source.id : `${source.host}${source.id}`, ...at(source.revision)]);
    case 'folder':
      return `folder ${source.name}`;
    default:
      return source satisfies never;
  }
}
