/**
 * @file Runs two checks before the weights are downloaded: whether WebLLM accepts this GPU, and
 * whether it can link the model's library. Both checks run WebLLM's own code, so that its
 * requirements are not duplicated here.
 */
import type { MLCEngine } from '@mlc-ai/web-llm';

/** Thrown to stop WebLLM after a check. */
class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * The name of an import that a model's library needs and WebLLM does not provide, such as
 * `env.TVMWasmPackedCFunc`.
 */
export type MissingImport = string;

/**
 * Loads the model until WebLLM links the model's library. At that point, compares the library's
 * imports with the imports that WebLLM provides. Throws WebLLM's own errors, and a `CompileError`
 * if the library is not WebAssembly.
 * @param engine an engine for the model. The model's configuration and library must be in the cache
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
