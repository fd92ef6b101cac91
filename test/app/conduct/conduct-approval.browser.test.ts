import { beforeEach, describe, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import type { StoredEvent } from '../../../src/core/contract';
import { conductStage, type ConductStage } from './conduct-services';
import ConductHost from './ConductHost.svelte';

const QUESTION = 'Use 3, 4, 7, 8, 25 and 50 to reach 537.';
/** The `sessionStorage` key of the user's edits to plans that wait for approval. */
const MEMORY = 'podium.held-plans';
const show = (stage: ConductStage) => render(ConductHost, { services: stage.services, question: QUESTION });

async function waiting(stage: ConductStage) {
  const screen = await show(stage);
  await screen.getByRole('switch', { name: 'Ask me first' }).click();
  await screen.getByRole('button', { name: 'Run' }).click();
  await expect
    .element(screen.getByText('The plan is waiting for your approval. No worker has been called yet.').first())
    .toBeVisible();
  return screen;
}

function typesOf(events: readonly StoredEvent[]): string[] {
  return events.map(({ type }) => type).filter((type) => type.startsWith('plan-') && type !== 'plan-step-known');
}

beforeEach(() => sessionStorage.clear());

describe('a plan that waits for the user', () => {
  test('runs when approved, and calls no worker before that', async () => {
    const stage = conductStage();
    const screen = await waiting(stage);
    await expect.element(screen.getByText('At most 5 calls, free')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Stop' })).toBeVisible();
    expect(stage.calls).toEqual([]);
    await screen.getByRole('button', { name: 'Run this plan' }).click();
    await expect.element(screen.getByRole('button', { name: 'Right' })).toBeVisible();
    expect(stage.calls).toHaveLength(5);
    expect(typesOf(await stage.store.read('run-1'))).toEqual([
      'plan-started',
      'plan-finished',
      'plan-held',
      'plan-approved',
    ]);
    expect(stage.preferences().approval).toBe(true);
  });

  test('runs with the edited worker, subtask and access, and without the removed steps', async () => {
    const stage = conductStage();
    const screen = await waiting(stage);
    await screen.getByRole('button', { name: 'Remove step 4' }).click();
    await screen.getByRole('button', { name: 'Remove step 3' }).click();
    await screen.getByLabelText('Worker of step 3').selectOptions('Elm');
    await screen.getByLabelText('Subtask of step 3').fill('Answer in one word');
    const sees = screen.getByRole('group', { name: 'Step 3 sees' });
    await sees.getByLabelText('step 1').click();
    await expect.element(screen.getByText('At most 3 calls, free')).toBeVisible();
    await screen.getByRole('button', { name: 'Run this plan' }).click();
    await expect.element(screen.getByRole('region', { name: 'Answer' }).getByText('Elm says four.')).toBeVisible();
    expect(stage.calls).toHaveLength(3);
    const opened = await stage.services.runs.open('run-1');
    const plan = opened?.run.rounds[0]?.plan;
    expect(plan).toMatchObject({ edited: true, approved: true, source: 'conductor' });
    expect(plan?.proposed?.steps).toHaveLength(5);
    expect(plan?.workflow?.steps.at(-1)).toMatchObject({ subtask: 'Answer in one word', access: [0] });
    await expect.element(screen.getByText(/edited by you/)).toBeVisible();
  });

  test('shows why each worker was chosen, before and after the run, except for edited steps', async () => {
    const stage = conductStage();
    const screen = await waiting(stage);
    await screen.getByText('Why these workers').click();
    const [first, second] = [1, 2].map((number) => screen.getByText(new RegExp(`^Step ${number}: .* chosen because`)));
    if (!first || !second) throw new Error('There are two steps.');
    const leftOut = screen.getByText('Steps that were changed, added or removed later are left out.');
    await expect.element(first).toBeVisible();
    expect(leftOut.all()).toHaveLength(0);
    await screen.getByLabelText('Subtask of step 1').fill('Try with care');
    await expect.element(leftOut).toBeVisible();
    expect(first.all()).toHaveLength(0);
    await expect.element(second).toBeVisible();
    await screen.getByRole('button', { name: 'Run this plan' }).click();
    await expect.element(screen.getByRole('button', { name: 'Right' })).toBeVisible();
    await screen.getByText('Why these workers').click();
    await expect.element(second).toBeVisible();
    await expect.element(leftOut).toBeVisible();
    expect(first.all()).toHaveLength(0);
  });

  test('cannot run while it is invalid, and shows the problem', async () => {
    const stage = conductStage();
    const screen = await waiting(stage);
    await screen.getByLabelText('Subtask of step 2').fill(' ');
    await expect.element(screen.getByText('Step 2 has no instruction.')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Run this plan' })).toBeDisabled();
    await screen.getByRole('button', { name: 'Use the Conductor’s plan' }).click();
    await expect.element(screen.getByRole('button', { name: 'Run this plan' })).toBeEnabled();
    expect(stage.calls).toEqual([]);
  });

  test('calls no worker if the user presses Stop', async () => {
    const stage = conductStage();
    const screen = await waiting(stage);
    await screen.getByRole('button', { name: 'Stop' }).click();
    await expect.element(screen.getByText('Stopped. Finished steps are kept.')).toBeVisible();
    expect(stage.calls).toEqual([]);
  });

  test('is restored with its edits after the page was closed', async () => {
    const stage = conductStage();
    const firstPage = await waiting(stage);
    await firstPage.getByLabelText('Subtask of step 1').fill('Try with care');
    await expect.poll(async () => typesOf(await stage.store.read('run-1')).at(-1)).toBe('plan-edited');
    const events = await stage.store.read('run-1');
    await firstPage.unmount();

    const next = conductStage();
    for (const event of events) await next.store.put(event);
    const screen = await show(next);
    await expect.element(screen.getByText(/A plan waits for you/)).toBeVisible();
    await screen.getByRole('button', { name: 'Resume' }).click();
    await expect.element(screen.getByLabelText('Subtask of step 1')).toHaveValue('Try with care');
    expect(next.calls).toEqual([]);
    await screen.getByRole('button', { name: 'Run this plan' }).click();
    await expect.element(screen.getByRole('button', { name: 'Right' })).toBeVisible();
    expect(next.calls).toHaveLength(5);
  });

  test('is restored with an invalid edit, runs after its correction, and then leaves sessionStorage empty', async () => {
    const stage = conductStage();
    const firstPage = await waiting(stage);
    await firstPage.getByLabelText('Subtask of step 2').fill('');
    await firstPage.getByLabelText('Subtask of step 1').fill('Try with care');
    await expect.element(firstPage.getByText('Step 2 has no instruction.')).toBeVisible();
    const events = await stage.store.read('run-1');
    expect(typesOf(events)).not.toContain('plan-edited');
    await firstPage.unmount();

    const next = conductStage();
    for (const event of events) await next.store.put(event);
    const screen = await show(next);
    await screen.getByRole('button', { name: 'Resume' }).click();
    await expect.element(screen.getByLabelText('Subtask of step 1')).toHaveValue('Try with care');
    await expect.element(screen.getByLabelText('Subtask of step 2')).toHaveValue('');
    await expect.element(screen.getByText('Step 2 has no instruction.')).toBeVisible();
    await screen.getByLabelText('Subtask of step 2').fill('Try again');
    await screen.getByRole('button', { name: 'Run this plan' }).click();
    await expect.element(screen.getByRole('button', { name: 'Right' })).toBeVisible();
    await expect.poll(() => sessionStorage.getItem(MEMORY)).toBeNull();
    const { workflow } = (await next.services.runs.open('run-1'))?.run.rounds[0]?.plan ?? {};
    expect(workflow?.steps.slice(0, 2)).toMatchObject([{ subtask: 'Try with care' }, { subtask: 'Try again' }]);
  });

  test('uses the newest edit, even if sessionStorage has an older one', async () => {
    const stage = conductStage();
    const firstPage = await waiting(stage);
    await firstPage.getByLabelText('Subtask of step 2').fill('');
    await firstPage.getByLabelText('Subtask of step 1').fill('Older');
    const duplicate = sessionStorage.getItem(MEMORY) ?? '';
    expect(duplicate).toContain('Older');
    await firstPage.getByLabelText('Subtask of step 1').fill('Newer');
    await firstPage.getByLabelText('Subtask of step 2').fill('Try again');
    await expect.poll(async () => typesOf(await stage.store.read('run-1')).at(-1)).toBe('plan-edited');
    const events = await stage.store.read('run-1');
    await firstPage.unmount();
    sessionStorage.setItem(MEMORY, duplicate);

    const next = conductStage();
    for (const event of events) await next.store.put(event);
    const screen = await show(next);
    await screen.getByRole('button', { name: 'Resume' }).click();
    await expect.element(screen.getByLabelText('Subtask of step 2')).toHaveValue('Try again');
    await expect.element(screen.getByLabelText('Subtask of step 1')).toHaveValue('Newer');
  });

  test('is restored with an edit that could not be stored in the database', async () => {
    const stage = conductStage();
    const firstPage = await waiting(stage);
    const events = await stage.store.read('run-1');
    stage.store.intercept = (event) => {
      if (event.type === 'plan-edited') throw new Error('The disk is full.');
    };
    await firstPage.getByLabelText('Subtask of step 1').fill('Try with care');
    await expect.element(firstPage.getByText(/This run is not saved/).first()).toBeVisible();
    await firstPage.unmount();

    const next = conductStage();
    for (const event of events) await next.store.put(event);
    const screen = await show(next);
    await screen.getByRole('button', { name: 'Resume' }).click();
    await expect.element(screen.getByLabelText('Subtask of step 1')).toHaveValue('Try with care');
    await expect.poll(async () => typesOf(await next.store.read('run-1')).at(-1)).toBe('plan-edited');
  });

  test('leaves no edit in sessionStorage if its run no longer exists', async () => {
    const stage = conductStage();
    const firstPage = await waiting(stage);
    await firstPage.getByLabelText('Subtask of step 2').fill('');
    await expect.poll(() => sessionStorage.getItem(MEMORY)).toContain('run-1');
    await firstPage.unmount();
    await show(conductStage());
    await expect.poll(() => sessionStorage.getItem(MEMORY)).toBeNull();
  });
});
