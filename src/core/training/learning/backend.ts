/** @file Selects where tensors are computed. */
import { defaultDevice, init } from '@jax-js/jax';

/** For the small policy network, Wasm is faster: WebGPU spends most of the time on dispatching operations. */
export type Backend = 'wasm' | 'webgpu';

/** Initializes a backend and makes it the default. @returns `false` when the backend is not available */
export async function useBackend(backend: Backend): Promise<boolean> {
  const available = await init(backend);
  if (!available.includes(backend)) return false;
  defaultDevice(backend);
  return true;
}
