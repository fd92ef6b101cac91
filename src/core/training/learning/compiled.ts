/** @file Compiles the functions that training runs on tensors. */
import { defaultDevice, jit } from '@jax-js/jax';
import { unroll } from './network';
import type { Choices } from './network-choices';
import type { NetworkInput, Weights } from './network-encoder';
import type { Tensor } from './tensors';
import { compileUpdate, imitationLossOf, lossOf } from './update';

export interface CompiledFunctions {
  /** Samples workflows. Takes ownership of its argument tensors, so the caller must not use them again. */
  readonly sample: (
    weights: Weights,
    input: NetworkInput,
    noise: Choices,
    floor: Tensor,
  ) => Record<'logProbability' | 'worker' | 'move' | 'access', Tensor>;
  readonly update: ReturnType<typeof compileUpdate>;
  readonly imitate: ReturnType<typeof compileUpdate>;
}

/** Keys: device and `group`. */
const compiled = new Map<string, CompiledFunctions>();

/**
 * The functions for the current device. All learners with the same `group` share them, because compiling takes seconds. A
 * function is compiled at its first call, and again for each new shape of tensors.
 * @param group number of workflows sampled for each request
 */
export function compiledFor(group: number): CompiledFunctions {
  const key = `${defaultDevice()} ${group}`;
  let functions = compiled.get(key);
  if (!functions) {
    functions = {
      sample: jit((weights: Weights, input: NetworkInput, noise: Choices, floor: Tensor) => {
        const { logProbability, worker, move, access } = unroll(weights, input, group, { noise }, floor);
        return { logProbability, worker, move, access };
      }),
      update: compileUpdate(lossOf, group),
      imitate: compileUpdate(imitationLossOf, group),
    };
    compiled.set(key, functions);
  }
  return functions;
}
