/**
 * @file Runs two checks before the weights are downloaded: whether WebLLM accepts this GPU, and
 * whether it can start the model's library. Both checks run WebLLM's own code up to the point where it
 * needs the weights.
 */
import type { MLCEngine } from '@mlc-ai/web-llm';
import { libraryProblem } from './library';

/** Thrown to stop WebLLM after a check. */
class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** A compiled library, and why WebLLM can't start it. */
export interface CheckedLibrary {
  /** `null` if WebLLM did not read the library. */
  readonly bytes: Uint8Array | null;
  /** A sentence. `null`: no reason was found. */
  readonly problem: string | null;
}

/**
 * Loads the model until WebLLM links the model's library. At that point, compares the library's imports with the imports that
 * WebLLM provides, and its functions with the functions that WebLLM calls. Throws WebLLM's own errors, and a `CompileError` if the
 * library is not WebAssembly.
 * @param engine an engine for the model. The model's configuration and library must be in the cache
 */
export async function checkLibrary(engine: Pick<MLCEngine, 'reload'>, modelId: string): Promise<CheckedLibrary> {
  const { instantiate } = WebAssembly;
  let checked: CheckedLibrary = { bytes: null, problem: null };
  const compare = async (library: BufferSource, provided: WebAssembly.Imports = {}) => {
    const module = await WebAssembly.compile(library);
    const missing = WebAssembly.Module.imports(module)
      .filter((each) => !isProvided(provided[each.module]?.[each.name], each.kind))
      .map((each) => `${each.module}.${each.name}`);
    const bytes = ArrayBuffer.isView(library)
      ? new Uint8Array(library.buffer, library.byteOffset, library.byteLength)
      : new Uint8Array(library);
    const problem =
      missing.length > 0 ? `WebLLM doesn’t provide ${missing.join(', ')}.` : libraryProblem(module, bytes);
    checked = { bytes, problem };
    throw new Stopped();
  };
  Object.assign(WebAssembly, { instantiate: compare });
  try {
    await untilStopped(engine.reload(modelId));
  } finally {
    Object.assign(WebAssembly, { instantiate });
  }
  return checked;
}

/**
 * Checks whether the GPU has 16-bit shaders (`half`). If WebLLM doesn't accept the GPU, throws
 * WebLLM's own error.
 */
export async function checkGpu(
  engine: Pick<MLCEngine, 'getMaxStorageBufferBindingSize'>,
): Promise<{ readonly half: boolean }> {
  if (typeof GPUAdapter === 'undefined') {
    await engine.getMaxStorageBufferBindingSize();
    return { half: false };
  }
  const { requestDevice } = GPUAdapter.prototype;
  let half = false;
  // WebLLM checks the adapter's limits before it requests a device. The check needs no device, so
  // the request is rejected.
  GPUAdapter.prototype.requestDevice = function (this: GPUAdapter) {
    half = this.features.has('shader-f16');
    return Promise.reject(new Stopped());
  };
  try {
    await untilStopped(engine.getMaxStorageBufferBindingSize());
  } finally {
    GPUAdapter.prototype.requestDevice = requestDevice;
  }
  return { half };
}

async function untilStopped(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (thrown) {
    if (!(thrown instanceof Stopped)) throw thrown;
  }
}

function isProvided(value: WebAssembly.ImportValue | undefined, kind: WebAssembly.ImportExportKind): boolean {
  switch (kind) {
    case 'function':
      return typeof value === 'function';
    case 'memory':
      return value instanceof WebAssembly.Memory;
    case 'table':
      return value instanceof WebAssembly.Table;
    case 'global':
      return value instanceof WebAssembly.Global || typeof value === 'number';
    default:
      return value !== undefined;
  }
}
