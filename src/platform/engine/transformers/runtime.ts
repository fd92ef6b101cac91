/** @file Makes transformers.js use the ONNX runtime that comes with Podium. The runtime is downloaded only when it is needed. */
import { env } from '@huggingface/transformers';
import { forgetFormerRuntime, isRuntime, openRuntime, RUNTIME_CACHE, runtimeAddress } from './runtime-file';

/**
 * Passes the runtime to transformers.js. The runtime's script needs no path, because the bundle already contains the script.
 * Throws an `Error` if the runtime can't be fetched or is not the expected one.
 * @param onbytes called with the size of each chunk received over the network
 */
export async function useRuntime(onbytes: (count: number) => void = () => undefined): Promise<void> {
  const settings = env.backends.onnx.wasm;
  if (!settings) throw new Error('The ONNX runtime has no WebAssembly settings.');
  settings.wasmPaths = undefined;
  settings.wasmBinary = await loadRuntime(onbytes);
  await forgetFormerRuntime();
}

async function loadRuntime(onbytes: (count: number) => void): Promise<ArrayBuffer> {
  const kept = await (await openRuntime())?.arrayBuffer();
  if (kept && (await isRuntime(kept))) return kept;
  const address = runtimeAddress();
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The runtime could not be fetched (${response.status}).`);
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, controller) {
      onbytes(piece.byteLength);
      controller.enqueue(piece);
    },
  });
  const bytes = await new Response(response.body?.pipeThrough(counter) ?? null).arrayBuffer();
  if (!(await isRuntime(bytes))) throw new Error('The server sent something else in place of the runtime.');
  const cache = await caches.open(RUNTIME_CACHE);
  // If there is not enough storage, the file is downloaded again next time.
  await cache.put(address, new Response(bytes)).catch(() => undefined);
  await forgetOthers(cache, address);
  return bytes;
}

/** Deletes the runtimes of older versions of Podium. If no service worker runs, nothing else deletes them. */
async function forgetOthers(cache: Cache, address: string): Promise<void> {
  const others = (await cache.keys()).filter(({ url }) => url !== address && /\/ort-wasm[^/]*\.wasm$/.test(url));
  await Promise.all(others.map((key) => cache.delete(key)));
}
