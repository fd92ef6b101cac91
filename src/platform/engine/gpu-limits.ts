/**
 * @file The limits that WebLLM requests from a GPU before it loads a model. WebLLM doesn't export these numbers. A test compares
 * them with the installed package.
 */
import type { GpuProbe } from '../../core/contract';

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
