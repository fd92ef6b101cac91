/** @file Sentences about models and machines. */
import type {
  EngineSpeed,
  FitVerdict,
  GpuProbe,
  LoadProgress,
  MachineProbe,
  ModelManifest,
} from '../../../core/contract';
import { count, duration, listed, size, tokenRate } from '../figures';

/** "Apple M2 Pro": the GPU by whatever name the browser gives. */
export function gpuName({ description, vendor, architecture, software }: GpuProbe): string {
  if (software) return 'A GPU emulated on the processor';
  if (description !== '') return description;
  const name = [vendor, architecture].filter((part) => part !== '').join(' ');
  return name === '' ? 'A GPU' : `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** "through WebGPU, 16-bit shaders, up to 2.1 GB in one piece". */
export function gpuFacts({ half, maxBuffer, maxStorageBinding }: GpuProbe): string {
  const largest = size(Math.min(maxBuffer, maxStorageBinding));
  return `through WebGPU, ${half ? '16-bit shaders' : 'no 16-bit shaders'}, up to ${largest} in one piece`;
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

/** What a model takes, where it is known: "about 4.3 GB to download", … */
export function modelFacts({ source, download, memory, context, engine }: ModelManifest): string[] {
  const fetched = download === null ? 'download size unknown' : `about ${size(download)} to download`;
  return [
    source.kind === 'folder' ? `in the folder “${source.name}”` : fetched,
    memory === null ? '' : `${size(memory)} of ${engine === 'webllm' ? 'GPU memory' : 'memory'}`,
    `${count(context)} tokens of context`,
  ].filter((fact) => fact !== '');
}

/** "wrote 38 tok/s here", where that was measured. */
export function speedFact(measured: EngineSpeed | null): string[] {
  const decode = measured?.decode ?? null;
  return decode === null ? [] : [`wrote ${tokenRate(decode)} here`];
}

/** What a load is doing, beside its figures. */
export function phaseSentence(progress: LoadProgress | null): string {
  if (!progress) return 'Looking at what is here already.';
  switch (progress.phase) {
    case 'fetching':
      return progress.cached && progress.loaded !== null && progress.loaded === progress.total
        ? 'Reading what was downloaded before.'
        : 'You can go on using Podium. What has come stays if you stop or close the page, and the next try goes on from there.';
    case 'loading':
      return 'Handing the weights over.';
    case 'compiling':
      return 'Compiling for this GPU. The first time takes longest.';
    case 'warming':
      return 'Writing a first word, to see that it works.';
    default:
      return progress.phase satisfies never;
  }
}

/** Part of the download that is here, 0 to 1; `null` until known. */
export function partDone(progress: LoadProgress | null): number | null {
  if (!progress || progress.loaded === null || progress.total === null || progress.total === 0) return null;
  return Math.min(1, progress.loaded / progress.total);
}

/** "12.4 MB of 24.0 MB, 3.1 MB/s": how far a small download is, or what is done after it. */
export function fetchedFact(progress: LoadProgress | null): string {
  if (!progress) return 'Looking at what is here already.';
  const { phase, loaded, total, speed, cached } = progress;
  if (phase !== 'fetching') return 'Getting it ready.';
  if (!loaded) return 'Asking for it.';
  if (cached && loaded === total) return 'Reading what was downloaded before.';
  const done = total === null ? size(loaded) : `${size(loaded)} of ${size(total)}`;
  return speed === null ? done : `${done}, ${size(speed)}/s`;
}

/** What is lost with a model that can conduct, and what stays. */
export const REMOVED_MODEL =
  'Its weights are deleted. Runs that it played in stay; to use it again it has to be downloaded again.';

/** What is lost with a sentence model, and what stays. */
export const REMOVED_SENTENCE_MODEL =
  'Its files are deleted, and spelling tells again which questions are alike. Runs stay as they are; to use it again it has to be downloaded again.';

/** "37.2 s": what is left at the present speed; `null` where nothing tells. */
export function timeLeft({ loaded, total, speed }: LoadProgress): string | null {
  if (loaded === null || total === null || !speed) return null;
  return duration((1000 * Math.max(0, total - loaded)) / speed);
}

/** How often free plans could be read. */
export function freePlanSentence({ parsed, all }: { readonly parsed: number; readonly all: number }): string {
  if (all === 0) return 'No saved run has a plan that was written without it.';
  const share = Math.round((100 * parsed) / all);
  return `Without it ${count(parsed)} of ${count(all)} plans in saved runs could be read at the first try, ${share} %.`;
}

/** Where a model of the user's comes from. */
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
