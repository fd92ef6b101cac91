import { beforeEach, describe, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { POLICY_INFO } from '../../../src/core/conductor/policy-info';
import { createPolicyConductor } from '../../../src/core/conductor/policy';
import {
  foldEvents,
  seededRandom,
  type Conductor,
  type ConductorInfo,
  type PlanEvent,
  type StepChoice,
  type Workflow,
} from '../../../src/core/contract';
import { initialParameters } from '../../../src/core/policy/parameters';
import { writeCheckpoint } from '../../../src/core/policy/checkpoint';
import { step } from '../../fixtures/run-events';
import { conductStage } from './conduct-services';
import ConductHost from './ConductHost.svelte';
import RunsHost from '../runs/RunsHost.svelte';

beforeEach(() => sessionStorage.clear());

const INFO: ConductorInfo = { id: 'endpoint:writer', label: 'Writer', kind: 'endpoint', model: 'writer', origin: null };
const ALONE: Workflow = { steps: [step(3, 'Solve it alone.')] };
const PAIR: Workflow = { steps: [step(1, 'Solve it.'), step(2, 'Check it.', [0])] };
const SAME: Workflow = { steps: [step(1, 'In other words.'), step(2, 'Check.', [0])] };
const UNREAD = { code: 'not-found', message: 'There are no lists in it.', at: 0 } as const;

/**
 * What three plans report about the choice of their workers. The first plan reports nothing. In the second plan, a language model
 * chose the workers, so the plan reports facts about them but no reasons. The third plan reports why its worker was chosen.
 */
const REASONS: readonly (readonly StepChoice[] | null)[] = [
  null,
  PAIR.steps.map(({ worker }) => ({ ...known(worker), by: 'model', role: 'solve' })),
  [known(3)],
];

function known(right: number): StepChoice {
  return { basis: 'history', expected: 0.5, graded: 9, right, inRole: true, runs: [] };
}

/** A Conductor that writes the given plans. `null`: a plan that can't be parsed. */
function drawing(
  workflows: readonly (Workflow | null)[],
  reasons: readonly (readonly StepChoice[] | null)[] = [],
): Conductor {
  return {
    info: INFO,
    async *propose(): AsyncGenerator<PlanEvent> {
      yield { type: 'plan-started', conductor: INFO, messages: [] };
      for (const [candidate, workflow] of workflows.entries()) {
        const choices = reasons[candidate];
        const result = { problem: workflow ? null : UNREAD, text: 'so it wrote', ...(choices ? { choices } : {}) };
        yield { type: 'plan-candidate', candidate, workflow, ...result, usage: null, cost: null };
      }
    },
  };
}

async function show(workflows: readonly (Workflow | null)[], reasons?: typeof REASONS) {
  const stage = conductStage({ effort: 'balanced' });
  const conductor = drawing(workflows, reasons);
  const services = {
    ...stage.services,
    conductors: () => [{ info: INFO, description: 'Writes.', instant: false }],
    conductor: () => conductor,
  };
  await services.preferences.write({ ...stage.preferences(), candidates: workflows.length, choice: 'person' });
  const screen = await render(ConductHost, { services, question: 'Use 3, 4, 7, 8, 25 and 50 to reach 537.' });
  await expect.element(screen.getByText(`Writer writes ${workflows.length} plans when you press Run`)).toBeVisible();
  await screen.getByRole('button', { name: /^Run/ }).click();
  const plans = screen.getByRole('region', { name: 'Choose a plan' });
  await expect.element(plans).toBeVisible();
  return { ...stage, services, screen, plans };
}

describe('plans to choose from', () => {
  test('are shown with notes about agreement and parse errors, and the chosen plan runs', async () => {
    const { screen, plans, calls } = await show([ALONE, PAIR, null, SAME]);
    await expect
      .element(plans)
      .toHaveTextContent('4 plans, 1 could not be read. 2 of them have the same workers and access.');
    const planAt = (number: number) => plans.getByRole('listitem').filter({ hasText: new RegExp(`Plan ${number}`) });
    await expect.element(plans.getByText('same workers and access as plan 4')).toBeVisible();
    await expect.element(plans.getByText('There are no lists in it.')).toBeVisible();
    await expect.element(planAt(1)).toHaveTextContent('Solve it alone.');
    await expect.element(planAt(2)).toHaveTextContent('Check it.');
    await expect.element(planAt(3)).toHaveTextContent('There are no lists in it.');
    await expect.element(plans.getByRole('radio', { name: 'Plan 2' })).toBeChecked();
    expect(plans.getByRole('radio').all()).toHaveLength(3);
    await expect.element(screen.getByText('No worker has been called yet.').first()).toBeVisible();
    expect(calls).toEqual([]);

    await plans.getByRole('radio', { name: 'Plan 1' }).click();
    await expect.element(screen.getByRole('img', { name: /^Step 1, .*Dogwood, planned/ })).toBeVisible();
    await plans.getByRole('button', { name: 'Run plan 1' }).click();
    await expect.element(screen.getByRole('region', { name: 'Answer' })).toHaveTextContent('Dogwood says four.');
    expect(calls).toEqual(['Dogwood']);
    await expect.element(screen.getByText('chosen by you')).toBeVisible();
  });

  test('show why their workers were chosen, also after the run', async () => {
    const { services, screen, plans } = await show([ALONE, PAIR, ALONE], REASONS);
    const why = (place: number) => plans.getByText(`Why these workers: plan ${place}`);
    await expect.element(why(2)).toBeVisible();
    await expect.element(why(3)).toBeVisible();
    expect(why(1).all()).toHaveLength(0);
    await why(2).click();
    await expect.element(plans.getByText(/^A language model chose and gives no reasons/)).toBeVisible();
    const birch = 'Step 1: Birch. Known about it: 1 of its 9 graded runs as solver was right.';
    await expect.element(plans.getByText(birch)).toBeVisible();
    await plans.getByRole('radio', { name: 'Plan 2' }).click();
    await plans.getByRole('button', { name: 'Run plan 2' }).click();
    await expect.element(screen.getByRole('button', { name: 'Right' })).toBeVisible();
    await screen.getByText('Why these workers', { exact: true }).click();
    await expect.element(screen.getByText(birch)).toBeVisible();

    await screen.unmount();
    const own = await render(RunsHost, { services, id: 'run-1' });
    await own.getByRole('button', { name: 'Plan', exact: true }).click();
    await own.getByText('Why these workers', { exact: true }).click();
    await expect.element(own.getByText(birch)).toBeVisible();
    await expect.element(own.getByText('Why these workers: plan 3')).toBeVisible();
    expect(own.getByText('Why these workers: plan 2').all()).toHaveLength(0);
  });

  test('can also be chosen on the run’s own page', async () => {
    const { services, screen, plans, calls } = await show([ALONE, PAIR]);
    await expect.element(plans).toBeVisible();
    await screen.unmount();
    const own = await render(RunsHost, { services, id: 'run-1' });
    const region = own.getByRole('region', { name: 'Choose a plan' });
    await region.getByRole('radio', { name: 'Plan 2' }).click();
    await region.getByRole('button', { name: 'Run plan 2' }).click();
    await expect.element(own.getByRole('button', { name: 'Right' })).toBeVisible();
    expect(calls).toEqual(['Birch', 'Cedar']);
    await own.getByRole('button', { name: 'Plan', exact: true }).click();
    await expect.element(own.getByText('2 plans. No two have the same workers and access.')).toBeVisible();
    await expect.element(own.getByText('chosen by you')).toBeVisible();
  });

  test('are offered again if the run is stopped without a choice and then resumed', async () => {
    const { screen, plans, calls } = await show([PAIR, ALONE]);
    await screen.getByRole('button', { name: 'Stop' }).click();
    await expect.element(screen.getByText(/^Stopped\./)).toBeVisible();
    expect(calls).toEqual([]);
    await screen.getByRole('button', { name: 'Resume' }).click();
    await expect.element(plans).toBeVisible();
    await plans.getByRole('button', { name: 'Run plan 1' }).click();
    await expect.element(screen.getByRole('region', { name: 'Answer' })).toHaveTextContent('Cedar says four.');
    expect(calls).toEqual(['Birch', 'Cedar']);
  });
});

describe('the trained policy', () => {
  test('samples the requested number of plans, which are not all the same', async () => {
    const policy = createPolicyConductor(writeCheckpoint(initialParameters({ width: 8 }, seededRandom(1)), 'test'));
    const stage = conductStage();
    const services = {
      ...stage.services,
      conductors: () => [{ info: POLICY_INFO, description: 'Draws.', instant: true }],
      conductor: () => policy,
    };
    await services.preferences.write({ candidates: 4, choice: 'person', seed: 5 });
    const screen = await render(ConductHost, { services, question: 'Use 3, 4, 7, 8, 25 and 50 to reach 537.' });
    await expect.element(screen.getByText('The trained policy samples 4 plans when you press Run')).toBeVisible();
    await screen.getByRole('button', { name: /^Run/ }).click();
    const plans = screen.getByRole('region', { name: 'Choose a plan' });
    await expect.element(plans.getByRole('radio', { name: 'Plan 4' })).toBeVisible();
    await plans.getByRole('radio', { name: 'Plan 2' }).click();
    await plans.getByRole('button', { name: 'Run plan 2' }).click();
    await expect.element(screen.getByText('chosen by you')).toBeVisible();
    const run = foldEvents(await stage.store.read('run-1'));
    const plan = run?.rounds[0]?.plan;
    expect(new Set(plan?.candidates.map(({ workflow }) => JSON.stringify(workflow))).size).toBeGreaterThan(1);
    expect(plan?.logProbability).toBeLessThan(0);
    expect(plan?.logProbability).toBe(plan?.candidates[1]?.logProbability);
    expect(plan?.choices).toHaveLength(plan?.workflow?.steps.length ?? -1);
    await expect.element(screen.getByText('Why these workers', { exact: true })).toBeVisible();
  });
});
