/** @file Tests that the WebAssembly and WebGPU backends agree in the browser. */
import { tree } from '@jax-js/jax';
import { expect, it } from 'vitest';
import { seededRandom } from '../../../../src/core/contract';
import { drawPlan, logProbabilityOf } from '../../../../src/core/policy/network';
import { initialParameters, PARAMETER_NAMES } from '../../../../src/core/policy/parameters';
import { STEPS } from '../../../../src/core/policy/moves';
import { useBackend, type Backend } from '../../../../src/core/training/learning/backend';
import {
  batchOf,
  choicesOf,
  choiceMask,
  toChoices,
  toNetworkInput,
} from '../../../../src/core/training/learning/batch';
import { DEFAULT_LOSS, stepWeights } from '../../../../src/core/training/learning/grpo';
import { toWeights } from '../../../../src/core/training/learning/learner';
import { tensor } from '../../../../src/core/training/learning/tensors';
import { lossOf } from '../../../../src/core/training/learning/update';
import { compileGradient } from './compile-gradient';
import { drawInputs } from '../../policy/inputs';

const parameters = initialParameters({ width: 8 }, seededRandom(1));
const inputs = drawInputs(3);
const skeletons = inputs.map((input, index) => drawPlan(parameters, input, seededRandom(index)).skeleton);
const choices = choicesOf(skeletons);

/** The loss and the norm of each parameter's gradient. `null`: this browser lacks the backend. */
async function gradientOn(backend: Backend): Promise<readonly number[] | null> {
  if (!(await useBackend(backend))) return null;
  const mask = choiceMask(choices, skeletons.length);
  const [value, slopes] = compileGradient(lossOf, 1)(toWeights(parameters), {
    input: toNetworkInput(batchOf(inputs)),
    choices: toChoices(choices, skeletons.length),
    oldLogProbability: tensor(new Float32Array(skeletons.length * STEPS).fill(-1), skeletons.length, STEPS),
    advantages: tensor(Float32Array.of(1, -0.5, 0.3), skeletons.length, 1),
    stepWeights: tensor(stepWeights(mask, DEFAULT_LOSS), skeletons.length, STEPS),
    settings: tensor(Float32Array.of(0, 0.01, 0.04, 0.8, 1.28, 1, 1), 1, 7),
  });
  const lengths: number[] = [Number((await value.data())[0])];
  for (const name of PARAMETER_NAMES) lengths.push(Math.hypot(...(await slopes[name].ref.data())));
  tree.dispose(slopes);
  return lengths;
}

it('the WebAssembly and WebGPU backends give the same loss and gradient norms', { timeout: 300_000 }, async () => {
  const wasm = await gradientOn('wasm');
  const gpu = await gradientOn('webgpu');
  if (!wasm || !gpu)
    throw new Error('A backend is missing. The engine project starts Chromium with WebGPU in software.');
  expect(Math.abs((wasm[0] ?? 0) - (gpu[0] ?? 1))).toBeLessThan(1e-5);
  for (const [index, length] of wasm.entries()) {
    expect(Math.abs(length - (gpu[index] ?? 0)), `${index}`).toBeLessThan(1e-4 + 1e-3 * Math.abs(length));
  }
});

it('`logProbabilityOf` returns the log-probability with which a plan was sampled', () => {
  for (const [index, input] of inputs.entries()) {
    const { skeleton, logProbability } = drawPlan(parameters, input, seededRandom(index));
    expect(logProbabilityOf(parameters, input, skeleton)).toBeCloseTo(logProbability, 6);
  }
});
