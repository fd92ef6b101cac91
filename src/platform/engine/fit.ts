/**
 * @file Estimates whether this machine can run a model, so that the user knows before the download. A browser doesn't report a
 * GPU's memory, and it rounds and caps the machine's memory. So a verdict states what is unknown. The verdict is "no" only if the
 * model cannot run, or would take minutes for each sentence.
 */
import type { FitVerdict, GpuProbe, MachineProbe, ModelManifest } from '../../core/contract';

/** Highest memory that browsers report, in GB. For example, they report 8 on a machine with 64 GB. */
const MEMORY_CAP = 8;
/** The share of the machine's memory that an integrated GPU can use. */
const SHARED_PART = 2 / 3;
/**
 * Matches vendors whose GPUs share the machine's memory. AMD and NVIDIA also make GPUs with separate memory, and browsers don't
 * report which kind a GPU is.
 */
const SHARES_MEMORY = /apple|intel|qualcomm|arm|img/i;
/** Assumed free memory of a graphics card, in bytes. Recent cards have 6 GB or more. */
const USUAL_CARD = 5.5e9;
/** Bytes of memory above which phones close a tab, as observed with a 3B model. */
const PHONE_LIMIT = 1.5e9;
/** A model that needs more bytes of memory than this takes minutes for each sentence on an emulated GPU. */
const SOFTWARE_LIMIT = 1e9;
/**
 * The size of the largest tensor (the embedding table) as a share of the model's memory. The shares of all
 * listed models are between these two values.
 */
const LARGEST_TENSOR = { least: 0.04, most: 0.12 };
/** A model that needs more than this share of the estimated memory or the free storage is a tight fit. */
const COMFORTABLE = 0.85;

/**
 * Estimated memory that the GPU can give to a model, in bytes. `null` if the browser reports too little to estimate it. If the
 * browser caps the machine's memory, the true value may be larger.
 */
export function gpuRoom({ gpu, memory }: MachineProbe): number | null {
  if (!gpu || gpu.software || memory === null || !SHARES_MEMORY.test(gpu.vendor)) return null;
  return memory * 1e9 * SHARED_PART;
}

/**
 * The verdict on one model.
 * @param all the models to choose a recommendation from. The list may contain this model
 * @param cached bytes of this model that are already downloaded
 */
export function fitModel(
  manifest: ModelManifest,
  machine: MachineProbe,
  all: readonly ModelManifest[],
  cached = 0,
): FitVerdict {
  const { fit, reasons } = judge(manifest, machine, cached);
  if (fit !== 'no') return { fit, reasons, instead: null };
  const instead = whatWould(manifest, machine, all);
  return { fit, reasons: [...reasons, advice(instead)], instead: instead?.id ?? null };
}

type Judgement = Pick<FitVerdict, 'fit' | 'reasons'>;

function judge(manifest: ModelManifest, machine: MachineProbe, cached: number): Judgement {
  const hindrances = [
    missingGpu(manifest, machine),
    missingHalf(manifest, machine),
    missingLimit(manifest, machine),
    tooBigForPhone(manifest, machine),
    tooSlow(manifest, machine),
    tooBigForMachine(manifest, machine),
    tooBigForBuffers(manifest, machine),
    tooBigForStorage(manifest, machine, cached),
  ].filter((reason) => reason !== null);
  if (hindrances.length > 0) return { fit: 'no', reasons: hindrances };
  const worries = [
    onPhone(machine),
    onCpu(manifest, machine),
    nearMemory(manifest, machine),
    nearBuffers(manifest, machine),
    nearStorage(manifest, machine, cached),
  ].filter((reason) => reason !== null);
  if (worries.length > 0) return { fit: 'tight', reasons: worries };
  return { fit: 'well', reasons: [needs(manifest)] };
}

function missingGpu({ engine }: ModelManifest, { gpu, gpuProblem }: MachineProbe): string | null {
  if (gpu || engine === 'transformers') return null;
  return gpuProblem ?? 'It needs WebGPU, which this browser doesn’t support.';
}

function missingHalf({ needs }: ModelManifest, { gpu }: MachineProbe): string | null {
  if (!gpu || gpu.half || !needs.includes('shader-f16')) return null;
  return 'It needs 16-bit shaders, which this GPU doesn’t support.';
}

function missingLimit({ engine }: ModelManifest, { gpu }: MachineProbe): string | null {
  const missing = engine === 'webllm' && gpu ? missingForWebLlm(gpu) : null;
  return missing === null ? null : `WebLLM needs ${missing}, which this GPU doesn’t offer.`;
}

function tooBigForPhone({ memory }: ModelManifest, { isPhone }: MachineProbe): string | null {
  if (!isPhone || memory === null || memory <= PHONE_LIMIT) return null;
  return `It needs about ${gigabytes(memory)} of memory. Phones and tablets close pages that use that much.`;
}

function tooSlow({ memory, engine }: ModelManifest, { gpu }: MachineProbe): string | null {
  if (engine !== 'webllm' || !gpu?.software || memory === null || memory <= SOFTWARE_LIMIT) return null;
  return 'The GPU is emulated on the CPU and would take minutes for each sentence.';
}

function tooBigForMachine({ memory }: ModelManifest, machine: MachineProbe): string | null {
  if (memory === null || machine.memory === null || machine.memory >= MEMORY_CAP) return null;
  if (memory <= machine.memory * 1e9) return null;
  return `It needs about ${gigabytes(memory)} of memory, and this machine has about ${machine.memory} GB.`;
}

function tooBigForBuffers(manifest: ModelManifest, { gpu }: MachineProbe): string | null {
  const most = gpu && manifest.engine === 'webllm' ? largestTensorOn(gpu) : null;
  if (most === null || largestTensor(manifest, LARGEST_TENSOR.least) <= most) return null;
  return `Its largest part doesn’t fit into a GPU buffer. On this GPU, WebLLM can use buffers of up to ${gigabytes(most)}.`;
}

/**
 * Size of the largest tensor in bytes.
 * @param part the assumed share of the model's memory if the size is unknown
 */
function largestTensor({ largestTensor: known, memory }: ModelManifest, part: number): number {
  return known ?? (memory ?? 0) * part;
}

function tooBigForStorage({ download }: ModelManifest, { freeStorage }: MachineProbe, cached: number): string | null {
  if (download === null || freeStorage === null) return null;
  const missing = download - cached;
  if (missing <= freeStorage) return null;
  return `The download is about ${gigabytes(missing)}, and the browser lets Podium keep ${gigabytes(freeStorage)} more. Delete models you no longer need, free some disk space, or use an ordinary window if this is a private one.`;
}

function onPhone({ isPhone }: MachineProbe): string | null {
  return isPhone ? 'A phone or tablet may close the page while the model runs. Keep Podium in the foreground.' : null;
}

function onCpu({ engine }: ModelManifest, { gpu }: MachineProbe): string | null {
  if (gpu && !gpu.software) return null;
  if (engine === 'webllm') return 'The GPU is emulated on the CPU. Expect seconds for each word.';
  return 'It runs on the CPU, which is slow. Expect a minute or more for a plan.';
}

function nearMemory({ memory }: ModelManifest, machine: MachineProbe): string | null {
  if (memory === null) {
    return 'Its memory use is unknown. If it doesn’t fit, loading fails and nothing else is lost.';
  }
  const room = gpuRoom(machine);
  if (room !== null && memory > room * COMFORTABLE) {
    const more = (machine.memory ?? 0) >= MEMORY_CAP ? ' or more' : '';
    return `It needs about ${gigabytes(memory)}, and this GPU can use about ${gigabytes(room)}${more}. Close other pages and programs first.`;
  }
  if (room === null && memory > cardMemory(machine.gpu)) {
    return `It needs a graphics card with about ${gigabytes(memory)} free. The browser doesn’t report how much this one has.`;
  }
  return null;
}

function nearBuffers(manifest: ModelManifest, { gpu }: MachineProbe): string | null {
  const most = gpu && manifest.engine === 'webllm' ? largestTensorOn(gpu) : null;
  if (most === null || largestTensor(manifest, LARGEST_TENSOR.most) <= most) return null;
  return `On this GPU, WebLLM can use buffers of up to ${gigabytes(most)}. The model’s largest part may need more. If it does, loading fails.`;
}

/**
 * The assumed free memory of a graphics card, in bytes. Without a GPU, the value is infinite, so that no warning about a graphics
 * card is shown.
 */
function cardMemory(gpu: GpuProbe | null): number {
  return gpu ? USUAL_CARD : Infinity;
}

function nearStorage({ download }: ModelManifest, { freeStorage }: MachineProbe, cached: number): string | null {
  if (download === null || freeStorage === null || download - cached <= freeStorage * COMFORTABLE) return null;
  return `The download is about ${gigabytes(download - cached)}, and the browser lets Podium keep only ${gigabytes(freeStorage)} more.`;
}

function needs({ memory, download, engine }: ModelManifest): string {
  const what = engine === 'webllm' ? 'GPU memory' : 'memory';
  const size = memory === null ? '' : `Needs about ${gigabytes(memory)} of ${what}`;
  return download === null ? `${size}.` : `${size} and a download of about ${gigabytes(download)}.`;
}

/**
 * The model to recommend instead. First choice: the same model without 16-bit shaders, if it runs here. Second choice: the
 * largest model that fits well. Third choice: the largest model that runs at all. `null`: no model runs.
 */
function whatWould(
  manifest: ModelManifest,
  machine: MachineProbe,
  all: readonly ModelManifest[],
): ModelManifest | null {
  const others = all.filter(({ id }) => id !== manifest.id);
  const runs = others.map((other) => ({ other, fit: judge(other, machine, 0).fit })).filter(({ fit }) => fit !== 'no');
  const same = runs.find(({ other }) => other.id === manifest.withoutHalf);
  if (same) return same.other;
  const well = runs.filter(({ fit }) => fit === 'well');
  const candidates = (well.length > 0 ? well : runs).map(({ other }) => other);
  return candidates.sort((one, other) => (other.memory ?? 0) - (one.memory ?? 0))[0] ?? null;
}

function advice(instead: ModelManifest | null): string {
  const others = 'a server as the Conductor, or the built-in Conductor';
  if (!instead) return `No listed model runs on this device. Use ${others}, which need no local model.`;
  return `${instead.label} runs on this device. Or use ${others}.`;
}

/** `5.1 GB`, or `480 MB` below a gigabyte. */
function gigabytes(bytes: number): string {
  if (bytes < 0.95e9) return `${Math.max(1, Math.round(bytes / 1e6))} MB`;
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

/**
 * The limits that WebLLM requests from a GPU before it loads a model. WebLLM doesn't export these numbers. A test compares
 * them with the installed package.
 */
const MB = 2 ** 20;
/** Sizes of buffers and of storage bindings, in bytes. WebLLM requests the first size in each list that the GPU offers. */
const BUFFER_SIZES = [1024 * MB, 256 * MB];
const BINDING_SIZES = [1024 * MB, 128 * MB];
const WORKGROUP_STORAGE = 32 * 2 ** 10;
const STORAGE_BUFFERS = 10;

/**
 * Bytes of the largest tensor that a WebLLM model can have on this GPU. If the GPU offers less than 1 GB for a binding, WebLLM
 * uses only 128 MB, even if the GPU offers, for example, 512 MB. `null`: the GPU offers too little for WebLLM.
 */
export function largestTensorOn({ maxBuffer, maxStorageBinding }: GpuProbe): number | null {
  const buffer = BUFFER_SIZES.find((size) => size <= maxBuffer);
  const binding = BINDING_SIZES.find((size) => size <= maxStorageBinding);
  return buffer === undefined || binding === undefined ? null : Math.min(buffer, binding);
}

/** What every WebLLM model needs but the GPU lacks, as part of a sentence. `null` if the GPU lacks nothing. */
export function missingForWebLlm(gpu: GpuProbe): string | null {
  const { maxWorkgroupStorage, maxStorageBuffers } = gpu;
  if (largestTensorOn(gpu) === null) return 'buffers of 256 MB and storage bindings of 128 MB';
  if (maxWorkgroupStorage < WORKGROUP_STORAGE) return '32 KB of memory for each workgroup';
  return maxStorageBuffers < STORAGE_BUFFERS ? `${STORAGE_BUFFERS} storage buffers for each shader` : null;
}
