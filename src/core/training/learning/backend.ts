/** @file Selects where tensors are computed. */
import { defaultDevice, init } from '@jax-js/jax';

/** Wasm is faster for a network this small: on WebGPU the cost of dispatching operations dominates. */
export type Backend = 'wasm' | 'webgpu';

/** Initializes a backend and makes it the default. @returns `false` when the backend is not available */
export async function useBackend(backend: Backend): Promise<boolean> {
  const available = await init(backend);
  if (!available.includes(backend)) return false;
  defaultDevice(backend);
  return true;
}
