/**
 * @file Tests the training network: it samples only valid workflows, its gradients are correct, and
 * it agrees with the app's network, which plans in the page without a library.
 */
import { grad, jit, tree } from '@jax-js/jax';
import { beforeAll, describe, expect, it } from 'vitest';
import shippedCheckpoint from '../../../../models/policy/checkpoint.json';
import { seededRandom } from '../../../../src/core/contract';
import { drawPlan, logProbabilityOf, planGreedily } from '../../../../src/core/policy/network';
import {
  forEachParameter,
  initialParameters,
  PARAMETER_NAMES,
  type Parameters,
} from '../../../../src/core/policy/parameters';
import { isGrammatical, STEPS, type Skeleton } from '../../../../src/core/policy/moves';
import { readCheckpoint, writeCheckpoint } from '../../../../src/core/policy/checkpoint';
import type { PolicyInput } from '../../../../src/core/policy/features';
import { useBackend } from '../../../../src/core/training/learning/backend';
import {
  batchOf,
  choicesOf,
  skeletonOf,
  choiceMask,
  toChoices,
  toNetworkInput,
} from '../../../../src/core/training/learning/batch';
import { BATCH_ROWS, type GrpoSettings } from '../../../../src/core/training/learning/course-options';
import { advantagesOf, DEFAULT_LOSS, LOSSES, stepWeights } from '../../../../src/core/training/learning/grpo';
import { Learner, toWeights } from '../../../../src/core/training/learning/learner';
import { unroll } from '../../../../src/core/training/learning/network';
import { sigmoid, sumAll, tensor, type Tensor } from '../../../../src/core/training/learning/tensors';
import { imitationLossOf, lossOf, type UpdateInput } from '../../../../src/core/training/learning/update';
import { compileGradient } from './compile-gradient';
import { drawInputs } from '../../policy/inputs';

const WIDTH = 8;
const GROUP = 4;
const initial = initialParameters({ width: WIDTH }, seededRandom(1));
/**
 * All parameters are perturbed, because parameters that start at zero would hide mistakes. A difference
 * quotient would be wrong across the kink of a rectifier. With these seeds, none crosses a kink.
 */
const parameters: Parameters = forEachParameter((name) => {
  const random = seededRandom(name.length + 2);
  return { ...initial[name], values: initial[name].values.map((value) => value + 0.2 * (random() - 0.5)) };
});
const inputs = drawInputs(6);

beforeAll(async () => {
  expect(await useBackend('wasm')).toBe(true);
});

/**
 * The log-probability of each skeleton (a workflow without subtasks) under the training network.
 */
async function scored(own: Parameters, requests: readonly PolicyInput[], skeletons: readonly Skeleton[]) {
  const weights = toWeights(own);
  const choices = toChoices(choicesOf(skeletons), skeletons.length);
  const { logProbability } = unroll(
    weights,
    toNetworkInput(batchOf(requests)),
    skeletons.length / requests.length,
    { choices },
    tensor(Float32Array.of(0), 1),
  );
  const steps = Float32Array.from(await logProbability.data());
  return skeletons.map((_, rollout) =>
    steps.subarray(rollout * STEPS, (rollout + 1) * STEPS).reduce((sum, each) => sum + each, 0),
  );
}

describe('sampling', () => {
  it('returns only workflows that follow the grammar, with their log-probability', async () => {
    const learner = new Learner({ seed: 3, group: GROUP, parameters });
    for (const floor of [0, 0.3]) {
      const drawn = await learner.sample(inputs, floor);
      expect(drawn.skeletons.length).toBe(inputs.length * GROUP);
      for (const [rollout, skeleton] of drawn.skeletons.entries()) {
        const input = inputs[Math.floor(rollout / GROUP)];
        expect(input && isGrammatical(skeleton, input.limits), JSON.stringify(skeleton)).toBe(true);
        const steps = drawn.logProbability.subarray(rollout * STEPS, (rollout + 1) * STEPS);
        const sum = steps.reduce((total, each) => total + each, 0);
        if (floor === 0 && input) expect(sum).toBeCloseTo(logProbabilityOf(parameters, input, skeleton), 3);
      }
    }
    learner.dispose();
  });

  it('converts skeletons to choices and back without changes', () => {
    const skeletons = inputs.map((input, index) => drawPlan(parameters, input, seededRandom(index)).skeleton);
    const choices = choicesOf(skeletons);
    expect(skeletons.map((_, rollout) => skeletonOf(choices, rollout))).toEqual(skeletons.map(withoutHandover));
    const steps = choiceMask(choices, skeletons.length);
    for (const [rollout, skeleton] of skeletons.entries()) {
      const own = steps.subarray(rollout * STEPS, (rollout + 1) * STEPS).filter((each) => each === 1).length;
      const stops = skeleton.length < STEPS && skeleton.at(-1)?.move !== null;
      expect(own).toBe(skeleton.length + Number(stops));
    }
  });
});

/** Removes the access list of the Conductor's own step, because that list is not sampled. */
const withoutHandover = (skeleton: Skeleton): Skeleton =>
  skeleton.map((step) => (step.move === null ? { ...step, access: [] } : step));

describe('the training network and the app’s network', () => {
  it('give log-probabilities that agree to 1e-3', async () => {
    const skeletons = inputs.flatMap((input, index) =>
      Array.from({ length: GROUP }, (_, draw) => drawPlan(parameters, input, seededRandom(10 * index + draw)).skeleton),
    );
    const trained = await scored(parameters, inputs, skeletons);
    for (const [rollout, skeleton] of skeletons.entries()) {
      const input = inputs[Math.floor(rollout / GROUP)];
      if (!input) throw new Error('An input is missing.');
      expect(Math.abs(logProbabilityOf(parameters, input, skeleton) - (trained[rollout] ?? 0))).toBeLessThan(1e-3);
    }
  });

  it('agree to 1e-3 on the shipped weights, which are exact in half precision', async () => {
    const shipped = readCheckpoint(shippedCheckpoint)?.parameters;
    if (!shipped) throw new Error('The file is not a checkpoint of this network.');
    const requests = drawInputs(12, 100);
    const skeletons = requests.flatMap((input, index) => [
      planGreedily(shipped, input).skeleton,
      ...Array.from(
        { length: GROUP - 1 },
        (_, draw) => drawPlan(shipped, input, seededRandom(10 * index + draw)).skeleton,
      ),
    ]);
    const trained = await scored(shipped, requests, skeletons);
    for (const [rollout, skeleton] of skeletons.entries()) {
      const input = requests[Math.floor(rollout / GROUP)];
      if (!input) throw new Error('An input is missing.');
      expect(Math.abs(logProbabilityOf(shipped, input, skeleton) - (trained[rollout] ?? 0))).toBeLessThan(1e-3);
    }
    // The shipped weights are stored in half precision.
    const again = readCheckpoint(writeCheckpoint(shipped, 'again'))?.parameters;
    for (const name of PARAMETER_NAMES) expect(again?.[name].values).toEqual(shipped[name].values);
  });

  it('tolerate half precision: the app’s log-probabilities change by less than 0.01', () => {
    const halved = readCheckpoint(writeCheckpoint(parameters, 'test'))?.parameters;
    if (!halved) throw new Error('The checkpoint cannot be read.');
    for (const [index, input] of inputs.entries()) {
      const { skeleton, logProbability } = drawPlan(parameters, input, seededRandom(index));
      expect(Math.abs(logProbabilityOf(halved, input, skeleton) - logProbability)).toBeLessThan(0.01);
    }
  });
});

describe('padding', () => {
  it('has no effect, even if it is not zero', async () => {
    const skeletons = inputs.map((input, index) => drawPlan(parameters, input, seededRandom(index)).skeleton);
    const batch = batchOf(inputs);
    const noisy = { ...batch, workers: batch.workers.slice() };
    const width = noisy.workers.length / (inputs.length * BATCH_ROWS);
    for (let row = 0; row < inputs.length * BATCH_ROWS; row++) {
      if (batch.present[row] === 0) noisy.workers.fill(3, row * width, (row + 1) * width);
    }
    const score = async (given: typeof batch) => {
      const choices = toChoices(choicesOf(skeletons), skeletons.length);
      const floor = tensor(Float32Array.of(0), 1);
      const { logProbability } = unroll(toWeights(parameters), toNetworkInput(given), 1, { choices }, floor);
      return [...(await logProbability.data())];
    };
    const [plain, padded] = [await score(batch), await score(noisy)];
    for (const [at, value] of plain.entries()) expect(padded[at]).toBeCloseTo(value, 5);
  });
});

describe('gradients', () => {
  const skeletons = inputs.flatMap((input, index) =>
    Array.from({ length: GROUP }, (_, draw) => drawPlan(parameters, input, seededRandom(7 * index + draw)).skeleton),
  );
  const rollouts = skeletons.length;
  const random = seededRandom(4);
  const rewards = Float32Array.from({ length: rollouts }, () => random());

  function lesson(settings: GrpoSettings): UpdateInput {
    const choices = choicesOf(skeletons);
    const row = [0, 0.05, settings.floor, 1 - settings.clipLow, 1 + settings.clipHigh, 1, 1];
    return {
      input: toNetworkInput(batchOf(inputs)),
      choices: toChoices(choices, rollouts),
      // Some old log-probabilities are far from the current ones, so that the loss is clipped on
      // both sides.
      oldLogProbability: tensor(
        Float32Array.from({ length: rollouts * STEPS }, (_, at) => -1 - (at % 7) / 3),
        rollouts,
        STEPS,
      ),
      advantages: tensor(advantagesOf(rewards, GROUP, settings), rollouts, 1),
      stepWeights: tensor(stepWeights(choiceMask(choices, rollouts), settings), rollouts, STEPS),
      settings: tensor(Float32Array.from(row), 1, row.length),
    };
  }

  it.each([
    ['the clipped surrogate', lossOf],
    ['imitation', imitationLossOf],
  ] as const)('of %s agree with finite differences', async (_, loss) => {
    const gradient = compileGradient(loss, GROUP);
    const valueAt = async (own: Parameters) => {
      const [value, slopes] = gradient(toWeights(own), lesson(DEFAULT_LOSS));
      tree.dispose(slopes);
      return Number((await value.data())[0]);
    };
    const [value, slopes] = gradient(toWeights(parameters), lesson(DEFAULT_LOSS));
    // `rounding` is the largest rounding error of a difference quotient of two 32-bit losses.
    const step = 1e-3;
    const rounding = (2 ** -21 * Math.abs(Number((await value.data())[0]))) / step;
    // Checks the slope of each tensor in the direction of its gradient.
    for (const name of PARAMETER_NAMES) {
      const slope = Float32Array.from(await slopes[name].data());
      const length = Math.hypot(...slope);
      if (length < 1e-5) continue;
      const moved = (by: number): Parameters => ({
        ...parameters,
        [name]: {
          ...parameters[name],
          values: parameters[name].values.map((each, at) => each + (by * (slope[at] ?? 0)) / length),
        },
      });
      const difference = ((await valueAt(moved(step))) - (await valueAt(moved(-step)))) / (2 * step);
      expect(Math.abs(difference - length), `${name}: ${difference} beside ${length}`).toBeLessThan(
        0.03 * length + 1e-4 + rounding,
      );
    }
  });
});

describe('learning', () => {
  it('is bitwise reproducible with the same seed', async () => {
    const course = async () => {
      const learner = new Learner({ seed: 5, group: GROUP, size: { width: WIDTH } });
      for (let update = 0; update < 3; update++) {
        const drawn = await learner.sample(inputs, 0.04);
        const rewards = Float32Array.from(drawn.skeletons, ({ length }) => (length % 2) / 2);
        await learner.learn(drawn, rewards, { settings: DEFAULT_LOSS, learningRate: 1e-2, entropy: 0.01, epochs: 2 });
      }
      const learned = await learner.parameters();
      learner.dispose();
      return learned;
    };
    const [one, other] = [await course(), await course()];
    expect(one).toEqual(other);
    expect(one.moveOut.values).not.toEqual(initialParameters({ width: WIDTH }, seededRandom(5)).moveOut.values);
  });

  it.each(['paper', 'default'] as const)(
    'with the loss “%s” increases the share of rewarded workflows',
    async (name) => {
      const learner = new Learner({ seed: 6, group: 8, size: { width: WIDTH } });
      const isShort = (skeletons: readonly Skeleton[]) => skeletons.map(({ length }) => Number(length === 2));
      const share = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
      const settings = LOSSES[name];
      const before = share(isShort((await learner.sample(inputs, settings.floor)).skeletons));
      for (let update = 0; update < 25; update++) {
        const drawn = await learner.sample(inputs, settings.floor);
        const rewards = Float32Array.from(isShort(drawn.skeletons));
        await learner.learn(drawn, rewards, { settings, learningRate: 3e-2, entropy: 0 });
      }
      const after = share(isShort((await learner.sample(inputs, settings.floor)).skeletons));
      expect(after).toBeGreaterThan(before + 0.3);
      learner.dispose();
    },
  );

  it('halves the loss of imitated workflows within 20 updates', async () => {
    const learner = new Learner({ seed: 7, group: 1, size: { width: WIDTH } });
    const shown = inputs.map((): Skeleton => [{ row: 0, move: 'solve', access: [] }]);
    const losses: number[] = [];
    for (let step = 0; step < 20; step++) losses.push((await learner.imitate(inputs, shown, 2e-2)).loss);
    expect(losses.at(-1)).toBeLessThan((losses[0] ?? 0) / 2);
    learner.dispose();
  });
});

describe('sigmoid', () => {
  it('has a finite gradient for extreme inputs', async () => {
    const slope = jit(grad((values: Tensor) => sumAll(sigmoid(values))));
    const slopes = [...(await slope(tensor(Float32Array.of(-200, -89, 0, 89, 200), 5)).data())];
    expect(slopes).toEqual([0, 0, 0.25, 0, 0]);
  });
});
