/** @file Compiles a loss and its gradient, to compare them with other backends and with finite differences. */
import { jit, tree, valueAndGrad } from '@jax-js/jax';
import type { lossOf, UpdateInput } from '../../../../src/core/training/learning/update';
import type { Weights } from '../../../../src/core/training/learning/network-encoder';

export function compileGradient(loss: typeof lossOf, group: number) {
  return jit((weights: Weights, update: UpdateInput) =>
    valueAndGrad((own: Weights, given: UpdateInput) => loss(own, group, given))(tree.ref(weights), tree.ref(update)),
  );
}
