/** @file Tests that a plan edited before the run survives reloads and changes of the question or the pool. */
import { beforeEach, describe, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { createHeuristicConductor, HEURISTIC_INFO } from '../../../src/core/conductor/heuristic';
import type { Conductor } from '../../../src/core/contract';
import { conductStage } from './conduct-services';
import ConductHost from './ConductHost.svelte';

const QUESTION = 'Use 3, 4, 7, 8, 25 and 50 to reach 537.';
const OTHER = 'What is 12 times 12?';
/** The key of the edited plan in `sessionStorage`. */
const MEMORY = 'podium.plan-draft';

/** Renders the page with the current `sessionStorage`. */
async function show(pool?: readonly string[], question = QUESTION) {
  const stage = conductStage();
  if (pool) await stage.services.preferences.write({ ...stage.preferences(), pool });
  return { ...stage, screen: await render(ConductHost, { services: stage.services, question }) };
}

/** Reduces the plan to two steps: step 1 by Elm, and step 2 by Birch, without a subtask. Closes the page. */
async function leaveTwoSteps(): Promise<void> {
  const { screen } = await show();
  await screen.getByRole('button', { name: 'Edit plan' }).click();
  const remove = screen.getByRole('button', { name: /^Remove step/ });
  await expect.element(remove.first()).toBeVisible();
  for (let left = remove.elements().length; left > 2; left -= 1) {
    await remove.last().click();
    await expect.poll(() => remove.elements().length).toBe(left - 1);
  }
  await screen.getByLabelText('Worker of step 1').selectOptions('Elm');
  await screen.getByLabelText('Subtask of step 1').fill('Answer in one word');
  await screen.getByLabelText('Worker of step 2').selectOptions('Birch');
  await screen.getByRole('group', { name: 'Step 2 sees' }).getByLabelText('step 1').click();
  await screen.getByLabelText('Subtask of step 2').fill('');
  await expect.element(screen.getByText('Step 2 has no instruction.')).toBeVisible();
  await screen.unmount();
}

beforeEach(() => sessionStorage.clear());

describe('the plan editor', () => {
  test('can be opened only after the Conductor has delivered the plan', async () => {
    const stage = conductStage();
    const built = createHeuristicConductor();
    let deliver: () => void = () => undefined;
    const hasArrived = new Promise<void>((resolve) => (deliver = resolve));
    const conductor: Conductor = {
      info: HEURISTIC_INFO,
      async *propose(request, signal) {
        await hasArrived;
        yield* built.propose(request, signal);
      },
    };
    const services = { ...stage.services, conductor: () => conductor };
    const screen = await render(ConductHost, { services, question: QUESTION });
    const edit = screen.getByRole('button', { name: 'Edit plan' });
    await expect.element(edit).toBeDisabled();
    deliver();
    await edit.click();
    await expect.element(screen.getByLabelText('Subtask of step 5')).toBeVisible();
  });

  test.each([
    ['offers the Conductor as a worker if the limits allow two rounds', 2, 1],
    ['does not offer the Conductor as a worker if the limits allow only one round', 1, 0],
  ])('%s', async (_title, rounds, offers) => {
    const stage = conductStage();
    const { caps } = stage.preferences();
    await stage.services.preferences.write({ recursion: true, caps: { ...caps, rounds } });
    const screen = await render(ConductHost, { services: stage.services, question: QUESTION });
    await screen.getByRole('button', { name: 'Edit plan' }).click();
    const worker = screen.getByLabelText('Worker of step 1');
    await expect.element(worker).toBeVisible();
    expect(worker.getByRole('option', { name: 'Hand over to the Conductor' }).elements()).toHaveLength(offers);
  });
});

describe('a plan edited before Run', () => {
  test('is restored after a reload even if it is invalid, and runs after it is fixed', async () => {
    await leaveTwoSteps();
    const { screen, calls } = await show();
    await expect.element(screen.getByText('Edited by you. Nothing has been called yet.')).toBeVisible();
    await expect.element(screen.getByLabelText('Worker of step 1')).toHaveDisplayValue('Elm');
    await expect.element(screen.getByLabelText('Subtask of step 1')).toHaveValue('Answer in one word');
    await expect.element(screen.getByText('Step 2 has no instruction.')).toBeVisible();
    const sees = screen.getByRole('group', { name: 'Step 2 sees' }).getByLabelText('step 1');
    await expect.element(sees).toBeChecked();
    await screen.getByLabelText('Subtask of step 2').fill('Check it');
    await screen.getByRole('button', { name: 'Run' }).click();
    await expect.element(screen.getByRole('button', { name: 'Right' })).toBeVisible();
    expect(calls).toEqual(['Elm', 'Birch']);
  });

  test('is deleted when the user presses “Use the Conductor’s plan”', async () => {
    await leaveTwoSteps();
    const { screen } = await show();
    await screen.getByRole('button', { name: 'Use the Conductor’s plan' }).click();
    await expect.element(screen.getByRole('button', { name: 'Edit plan' })).toBeVisible();
    expect(sessionStorage.getItem(MEMORY)).toBeNull();
  });

  test('shows an error at a step whose worker has left the pool', async () => {
    await leaveTwoSteps();
    const { screen } = await show(['sim:alder', 'sim:birch']);
    await expect.element(screen.getByText('Step 1 has no worker. Choose one.')).toBeVisible();
    await expect.element(screen.getByLabelText('Worker of step 2')).toHaveDisplayValue('Birch');
  });

  test('keeps steps whose workers left the pool, and restores the workers once they are back', async () => {
    await leaveTwoSteps();
    const { screen } = await show(['sim:alder', 'sim:cedar']);
    await expect.element(screen.getByText('Step 1 has no worker. Choose one.')).toBeVisible();
    await expect.element(screen.getByLabelText('Subtask of step 1')).toHaveValue('Answer in one word');
    await screen.unmount();
    const { screen: again } = await show();
    await expect.element(again.getByLabelText('Worker of step 1')).toHaveDisplayValue('Elm');
    await expect.element(again.getByLabelText('Worker of step 2')).toHaveDisplayValue('Birch');
  });

  test('is set aside when the question changes, even across a reload, until the user restores it', async () => {
    await leaveTwoSteps();
    const { screen } = await show();
    await screen.getByRole('textbox', { name: 'Question' }).fill(OTHER);
    await expect.element(screen.getByText('What Run will do. Nothing has been called yet.')).toBeVisible();
    await screen.unmount();
    const { screen: changed } = await show();
    await expect.element(changed.getByRole('textbox', { name: 'Question' })).toHaveValue(OTHER);
    await expect
      .element(changed.getByText(/^Your edited plan is set aside\. You edited it for “Use 3, 4/))
      .toBeVisible();
    await changed.getByRole('button', { name: 'Use your edited plan for this question' }).click();
    await expect.element(changed.getByLabelText('Subtask of step 1')).toHaveValue('Answer in one word');
    await expect.element(changed.getByLabelText('Conductor')).toHaveDisplayValue('Your edited plan');
    expect(changed.getByText('Your edited plan is set aside').query()).toBeNull();
  });

  test('stays in use if only the question’s whitespace changes, and returns when the question is retyped', async () => {
    await leaveTwoSteps();
    const { screen } = await show();
    const question = screen.getByRole('textbox', { name: 'Question' });
    await question.fill(` ${QUESTION}\n`);
    await expect.element(screen.getByLabelText('Subtask of step 1')).toHaveValue('Answer in one word');
    await question.fill(OTHER);
    await expect.element(screen.getByText('What Run will do. Nothing has been called yet.')).toBeVisible();
    await question.fill(QUESTION);
    await expect.element(screen.getByLabelText('Subtask of step 1')).toHaveValue('Answer in one word');
  });

  test('is set aside when the user chooses a Conductor, and can be used again or discarded', async () => {
    await leaveTwoSteps();
    const { screen } = await show();
    await screen.getByLabelText('Conductor').selectOptions(HEURISTIC_INFO.label);
    await expect.element(screen.getByText('What Run will do. Nothing has been called yet.')).toBeVisible();
    await screen.getByRole('button', { name: 'Use your edited plan' }).click();
    await expect.element(screen.getByLabelText('Subtask of step 1')).toHaveValue('Answer in one word');
    await screen.getByLabelText('Conductor').selectOptions(HEURISTIC_INFO.label);
    await screen.getByRole('button', { name: 'Discard' }).click();
    await expect.element(screen.getByText('What Run will do. Nothing has been called yet.')).toBeVisible();
    expect(sessionStorage.getItem(MEMORY)).toBeNull();
  });

  test.each([
    'nonsense',
    '{"steps":[]}',
    JSON.stringify({ question: QUESTION, draft: [{ key: 0, workerId: 7, subtask: 'Solve it', sees: [] }] }),
    JSON.stringify([{ key: 0, workerId: 'sim:elm', subtask: 'Solve it', sees: [] }]),
    JSON.stringify({
      question: QUESTION,
      draft: [0, 1].map(() => ({ key: 0, workerId: 'sim:elm', subtask: 'Solve it', sees: [] })),
    }),
  ])('is not restored from the invalid entry %s', async (text) => {
    sessionStorage.setItem(MEMORY, text);
    const { screen } = await show();
    await expect.element(screen.getByText('What Run will do. Nothing has been called yet.')).toBeVisible();
  });
});
