/** @file Measures how fast the policy trains and plans, with the compiled network and with the same network in plain arrays. */
import { seededRandom } from '../../../src/core/contract';
import { DEFAULT_SIZE, initialParameters } from '../../../src/core/policy/parameters';
import { drawPlan, logProbabilityOf, planGreedily } from '../../../src/core/policy/network';
import { policyInput } from '../../../src/core/policy/features';
import { drawItems, drawSociety, playSkeleton, trainingReward } from '../../../src/core/training/environment/items';
import { useBackend } from '../../../src/core/training/learning/backend';
import { DEFAULT_LOSS } from '../../../src/core/training/learning/grpo';
import { Learner } from '../../../src/core/training/learning/learner';
import { median, table, type Print } from '../report';

const REQUESTS = 32;
const GROUP = 16;
const TIMES = 9;
/** Number of plans that are timed together, because clocks in pages are coarse. */
const PLANS = 20;

/** Prints medians in ms, and workflows per second. */
export async function benchPolicy(print: Print): Promise<void> {
  await useBackend('wasm');
  const society = drawSociety({ split: 'train', seed: 1, workers: 40, runs: 300, questions: 20 });
  const items = drawItems(society, 1, REQUESTS);
  const inputs = items.map(({ input }) => input);
  const parameters = initialParameters(DEFAULT_SIZE, seededRandom(1));
  const learner = new Learner({ seed: 1, group: GROUP, parameters });
  const elapsed: Record<'draw' | 'play' | 'update' | 'plain' | 'score' | 'plan' | 'features', number[]> = {
    draw: [],
    play: [],
    update: [],
    plain: [],
    score: [],
    plan: [],
    features: [],
  };
  const time = async <T>(kind: keyof typeof elapsed, work: () => T | Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    elapsed[kind].push(performance.now() - start);
    return result;
  };
  for (let round = 0; round < TIMES; round++) {
    const drawn = await time('draw', () => learner.sample(inputs, DEFAULT_LOSS.floor));
    const rewards = await time('play', () =>
      Float32Array.from(drawn.skeletons, (skeleton, rollout) => {
        const item = items[Math.floor(rollout / GROUP)];
        const { correct, calls } = item ? playSkeleton(item, skeleton) : { correct: false, calls: 0 };
        return trainingReward(correct, calls);
      }),
    );
    await time('update', () =>
      learner.learn(drawn, rewards, { settings: DEFAULT_LOSS, learningRate: 1e-3, entropy: 0 }),
    );
    const random = seededRandom(round);
    await time('plain', () =>
      inputs.flatMap((input) => Array.from({ length: GROUP }, () => drawPlan(parameters, input, random))),
    );
    await time('score', () =>
      drawn.skeletons.map((skeleton, rollout) => {
        const input = inputs[Math.floor(rollout / GROUP)];
        return input ? logProbabilityOf(parameters, input, skeleton) : 0;
      }),
    );
    const requests = Array.from({ length: PLANS }, (_, index) => items[index % items.length]).flatMap(
      (item) => item ?? [],
    );
    const seen = await time('features', () => requests.map(({ request }) => policyInput(request)));
    await time('plan', () => seen.map((input) => planGreedily(parameters, input)));
  }
  const rollouts = REQUESTS * GROUP;
  // The first two measurements are left out, because they include compilation.
  const ms = (kind: keyof typeof elapsed) => median(elapsed[kind].slice(2));
  const row = (name: string, kind: keyof typeof elapsed, each: number) => [
    name,
    `${ms(kind).toFixed(1)} ms`,
    `${((1_000 * each) / ms(kind)).toFixed(0)}/s`,
  ];
  table(
    print,
    `The policy, ${REQUESTS} questions × ${GROUP} workflows`,
    ['', 'median', 'workflows'],
    [
      row('draw, jax-js on wasm', 'draw', rollouts),
      row('draw, plain arrays', 'plain', rollouts),
      row('play on simulated workers', 'play', rollouts),
      row('update, jax-js on wasm', 'update', rollouts),
      row('forward pass of the update, plain arrays', 'score', rollouts),
    ],
  );
  const [features, network] = [ms('features') / PLANS, ms('plan') / PLANS];
  table(
    print,
    'One plan in plain arrays, as the page plans (aim: about 10 ms)',
    ['', 'median'],
    [
      ['input features', `${features.toFixed(2)} ms`],
      ['the network', `${network.toFixed(2)} ms`],
      ['both', `${(features + network).toFixed(2)} ms`],
    ],
  );
  learner.dispose();
}
