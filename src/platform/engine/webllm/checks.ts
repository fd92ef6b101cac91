/**
 * @file Before the weights are downloaded, checks whether the installed WebLLM accepts this GPU, and whether it can link a
 * model's library. Both checks run code of WebLLM, so that its requirements are not copied here.
 */
import type { MLCEngine } from '@mlc-ai/web-llm';

/** Thrown to stop WebLLM after it has reported its requirements. */
class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** A function that a library imports and the installed WebLLM does not provide, such as `env.TVMWasmPackedCFunc`. */
export type MissingImport = string;

/**
 * Starts the model up to the point where WebLLM links its library, and compares the library's imports with those that WebLLM
 * provides. Throws WebLLM's own errors, and a `CompileError` if the library is not WebAssembly.
 * @param engine an engine whose model has its configuration and library in the cache
 */
export async function findMissingImports(
  engine: Pick<MLCEngine, 'reload'>,
  modelId: string,
): Promise<readonly MissingImport[]> {
  const { instantiate } = WebAssembly;
  let missing: readonly MissingImport[] = [];
  const compare = async (library: BufferSource, provided: WebAssembly.Imports = {}) => {
    const module = await WebAssembly.compile(library);
    missing = WebAssembly.Module.imports(module)
      .filter((each) => !isProvided(provided[each.module]?.[each.name], each.kind))
      .map((each) => `${each.module}.${each.name}`);
    throw new Stopped();
  };
  Object.assign(WebAssembly, { instantiate: compare });
  try {
    await untilStopped(engine.reload(modelId));
  } finally {
    Object.assign(WebAssembly, { instantiate });
  }
  return missing;
}

/** Whether the GPU has 16-bit shaders. Throws WebLLM's own error if it doesn't accept this browser's GPU. */
export async function checkGpu(
  engine: Pick<MLCEngine, 'getMaxStorageBufferBindingSize'>,
): Promise<{ readonly half: boolean }> {
  if (typeof GPUAdapter === 'undefined') {
    await engine.getMaxStorageBufferBindingSize();
    return { half: false };
  }
  const { requestDevice } = GPUAdapter.prototype;
  let half = false;
  // WebLLM compares the adapter's limits before it requests the device. So the request is rejected, because the device is not
  // needed.
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
