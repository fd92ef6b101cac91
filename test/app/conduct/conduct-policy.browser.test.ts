/**
 * @file Tests that *Conduct* and the page of a run show which parts of a plan the trained policy made, and which parts a model
 * wrote.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { createRankedByPolicyConductor } from '../../../src/core/conductor/ranked-by-policy';
import { createSkeletonWordsConductor } from '../../../src/core/conductor/skeleton-words';
import { RANKED_CANDIDATES, withPolicyInfo } from '../../../src/core/conductor/with-policy-info';
import { planByPolicy } from '../../../src/core/conductor/policy';
import {
  seededRandom,
  type Conductor,
  type ConductorInfo,
  type EngineEvent,
  type Message,
  type PlanRequest,
  type TextEngine,
} from '../../../src/core/contract';
import { initialParameters } from '../../../src/core/policy/parameters';
import { systemClock } from '../../../src/platform/clock';
import { conductStage } from './conduct-services';
import ConductHost from './ConductHost.svelte';
import RunsHost from '../runs/RunsHost.svelte';

beforeEach(() => sessionStorage.clear());

const QUESTION = 'Use 3, 4, 7, 8, 25 and 50 to reach 537.';
const MODEL: ConductorInfo = { id: 'endpoint:tiny', label: 'Tiny', kind: 'endpoint', model: 'tiny-1', origin: null };
const weights = { parameters: initialParameters({ width: 8 }, seededRandom(1)), revision: 'r1' };

/** A model without grammar support. `answer` returns the text of a call. Calls are counted from 0. */
function engine(answer: (call: number, messages: readonly Message[]) => string): TextEngine {
  let calls = 0;
  return {
    info: { engine: 'scripted', model: 'tiny-1', enforcesGrammar: false },
    async *generate({ messages }): AsyncGenerator<EngineEvent> {
      yield { type: 'delta', channel: 'content', text: answer(calls++, messages) };
      yield { type: 'finished', usage: { input: 20, output: 20 }, cost: 0, finishReason: 'stop' };
    },
  };
}

/** Returns a valid plan. Copies the worker list and the access list from the prompt, and adds subtasks. */
function wording(messages: readonly Message[]): string {
  const prompt = String(messages.at(-1)?.content);
  const [, workers = ''] = /^(model_id = .*)$/m.exec(prompt) ?? [];
  const [, access = ''] = /^(access_list = .*)$/m.exec(prompt) ?? [];
  const words = workers.split(',').map((_, index) => JSON.stringify(`Do part ${index + 1} in Tiny’s words.`));
  return `${workers}\nsubtasks = [${words.join(', ')}]\n${access}`;
}

async function show(conductor: Conductor, sentence: string) {
  const stage = conductStage();
  const choice = { info: conductor.info, description: 'Both.', instant: false };
  const services = { ...stage.services, conductors: () => [choice], conductor: () => conductor };
  const screen = await render(ConductHost, { services, question: QUESTION });
  await expect.element(screen.getByText(sentence)).toBeVisible();
  return { ...stage, services, screen };
}

const words = (model: TextEngine) =>
  createSkeletonWordsConductor({ info: withPolicyInfo('skeleton', MODEL), engine: model, clock: systemClock, weights });

describe('a plan with steps by the policy and subtasks by a model', () => {
  const sentence = 'The policy plans the steps when you press Run, and Tiny writes the subtasks.';

  test('is shown with both authors on Conduct and on the run’s page', async () => {
    const { services, screen } = await show(words(engine((_, messages) => wording(messages))), sentence);
    await screen.getByRole('button', { name: /^Run/ }).click();
    await expect.element(screen.getByText(/steps by the policy, words by Tiny/)).toBeVisible();
    await expect.element(screen.getByText('Do part 1 in Tiny’s words.').first()).toBeVisible();
    await screen.unmount();
    const own = await render(RunsHost, { services, id: 'run-1' });
    await own.getByRole('button', { name: 'Plan', exact: true }).click();
    const line =
      /^Steps, workers and access by the trained policy \(r1, log-probability −\d+\.\d\d\), words by Tiny\.$/;
    await expect.element(own.getByText(line)).toBeVisible();
  });

  test('is described as made by the policy alone if the model fails', async () => {
    const { services, screen } = await show(words(engine(() => 'I cannot.')), sentence);
    await screen.getByRole('button', { name: /^Run/ }).click();
    await expect.element(screen.getByText(/steps and words by the policy, after Tiny failed/)).toBeVisible();
    await screen.unmount();
    const own = await render(RunsHost, { services, id: 'run-1' });
    await own.getByRole('button', { name: 'Plan', exact: true }).click();
    await expect.element(own.getByText(/words also by the policy, because Tiny failed\.$/)).toBeVisible();
  });
});

describe('plans written by a model and ranked by the policy', () => {
  const plan = (workers: string, subtasks: string, access: string) =>
    `model_id = [${workers}]\nsubtasks = [${subtasks}]\naccess_list = [${access}]`;
  const texts = [
    plan('0', '"Solve it."', '[]'),
    plan('0, 1', '"Solve it.", "Check it."', '[], [0]'),
    plan('0, 1', '"Solve it.", "Correct what is wrong."', '[], [0]'),
    'Nothing.',
  ];
  const ranked = () =>
    createRankedByPolicyConductor({
      info: withPolicyInfo('ranking', MODEL),
      engine: engine((call) => texts[call] ?? ''),
      clock: systemClock,
      weights,
    });

  test('are shown with ranks and scores, and the policy’s choice is marked', async () => {
    const sentence = `Tiny writes ${RANKED_CANDIDATES} plans when you press Run, and the policy chooses one.`;
    const { services, screen } = await show(ranked(), sentence);
    await screen.getByRole('button', { name: /^Run/ }).click();
    await expect.element(screen.getByText('chosen by the policy')).toBeVisible();
    await expect.element(screen.getByText('policy rank 2')).toBeVisible();
    await expect.element(screen.getByText('ranked last: The last step gives no answer.')).toBeVisible();
    await expect.element(screen.getByText(/the policy’s first choice/)).toBeVisible();
    await screen.unmount();
    const own = await render(RunsHost, { services, id: 'run-1' });
    await own.getByRole('button', { name: 'Plan', exact: true }).click();
    await expect.element(own.getByText('Written by Tiny, ranked by the trained policy (r1).')).toBeVisible();
    expect(own.getByText(/^−\d+\.\d\d per choice, log-probability −\d+\.\d\d$/).all()).toHaveLength(2);
  });

  test('can be chosen by the user, with the policy’s first choice preselected', async () => {
    const stage = conductStage();
    const conductor = ranked();
    const choice = { info: conductor.info, description: 'Both.', instant: false };
    const services = { ...stage.services, conductors: () => [choice], conductor: () => conductor };
    await services.preferences.write({ ...stage.preferences(), choice: 'person' });
    const screen = await render(ConductHost, { services, question: QUESTION });
    await expect.element(screen.getByText(/the policy ranks them and you choose one/)).toBeVisible();
    await screen.getByRole('button', { name: /^Run/ }).click();
    const plans = screen.getByRole('region', { name: 'Choose a plan' });
    await expect.element(plans.getByText('the policy’s first choice')).toBeVisible();
    expect(plans.getByRole('radio', { checked: true }).all()).toHaveLength(1);
    const favourite = plans.getByRole('listitem').filter({ hasText: 'the policy’s first choice' }).first();
    await expect.element(favourite.getByRole('radio')).toBeChecked();
    await plans.getByRole('radio', { name: 'Plan 2' }).click();
    await plans.getByRole('button', { name: 'Run plan 2' }).click();
    await expect.element(screen.getByText('chosen by you')).toBeVisible();
  });
});

test('the policy in these tests plans more than one step', () => {
  const prompt: PlanRequest = {
    question: QUESTION,
    pool: conductStage().services.simulated,
    maxSteps: 5,
    effort: 'thorough',
    access: 'fine',
    recursion: false,
    round: 0,
    earlier: [],
    seed: 1,
    candidates: 1,
    choice: 'vote',
    planRetries: 1,
  };
  const plan = planByPolicy(prompt, weights.parameters);
  expect('workflow' in plan && plan.workflow.steps.length).toBeGreaterThan(1);
});
