/**
 * @file The ONNX runtime's WebAssembly, from our own origin and never a CDN. It is kept beside the models and not in the
 * service worker's cache: at 27 MB it is only for those who load such a model.
 */
import { env } from '@huggingface/transformers';
import wasm from 'onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm?url';

/** Name in the Cache API. */
const RUNTIME_CACHE = 'podium-onnx-runtime';

/**
 * Has the library run on it. Without paths to others the runtime takes the script that is in its bundle. Throws whatever `fetch`
 * throws.
 */
export async function useRuntime(): Promise<void> {
  const settings = env.backends.onnx.wasm;
  if (!settings) throw new Error('The ONNX runtime has no WebAssembly settings.');
  settings.wasmPaths = undefined;
  settings.wasmBinary = await loadRuntime();
}

async function loadRuntime(): Promise<ArrayBuffer> {
  const address = new URL(wasm, self.location.href).href;
  const cache = await caches.open(RUNTIME_CACHE);
  const kept = await cache.match(address);
  if (kept) return kept.arrayBuffer();
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The runtime could not be fetched (${response.status}).`);
  const bytes = await response.arrayBuffer();
  // An older version's is of no more use. Where there is no room the network has it again.
  await Promise.all((await cache.keys()).map((key) => cache.delete(key)));
  await cache.put(address, new Response(bytes)).catch(() => undefined);
  return bytes;
}
