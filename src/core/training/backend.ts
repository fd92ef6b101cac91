/**
 * @file Where tensors are computed. Wasm by default: the network is small, so what it costs is calling, not computing.
 */
import { defaultDevice, init } from '@jax-js/jax';

export type Backend = 'wasm' | 'webgpu';

/** Readies a backend and makes it the default. @returns `false` where this machine lacks it */
export async function useBackend(backend: Backend): Promise<boolean> {
  const ready = await init(backend);
  if (!ready.includes(backend)) return false;
  defaultDevice(backend);
  return true;
}
