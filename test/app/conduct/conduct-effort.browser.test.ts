import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { conductStage, type ConductStage } from './conduct-services';
import ConductHost from './ConductHost.svelte';

const QUESTION = 'Use 3, 4, 7, 8, 25 and 50 to reach 537.';
const show = (stage: ConductStage) => render(ConductHost, { services: stage.services, question: QUESTION });

test('the Effort setting changes the displayed maximum number of calls, and applies to the run', async () => {
  const stage = conductStage({ effort: 'balanced' });
  const screen = await show(stage);
  const effort = screen.getByRole('group', { name: 'Effort' });
  await expect.element(effort.getByRole('radio', { name: 'Balanced' })).toBeChecked();
  await expect.element(screen.getByText('At most 3 calls, free')).toBeVisible();
  await effort.getByText('Thorough').click();
  await expect.element(screen.getByText('At most 5 calls, free')).toBeVisible();
  await effort.getByText('Quick').click();
  await expect.element(screen.getByText('At most 1 call, free')).toBeVisible();
  expect(stage.preferences().effort).toBe('quick');
  await screen.getByRole('button', { name: 'Run' }).click();
  await expect.element(screen.getByRole('button', { name: 'Right' })).toBeVisible();
  expect(stage.calls).toHaveLength(1);
  const [started] = await stage.store.read('run-1');
  expect(started).toMatchObject({ effort: 'quick', maxSteps: 1, sampling: { reasoning: 'low' } });
});

test('the Effort setting is hidden while the user edits the plan', async () => {
  const screen = await show(conductStage({ effort: 'balanced' }));
  const effort = screen.getByRole('group', { name: 'Effort' });
  await expect.element(effort).toBeVisible();
  await screen.getByRole('button', { name: 'Edit plan' }).click();
  await expect.element(screen.getByRole('button', { name: 'Add step' })).toBeVisible();
  expect(effort.elements()).toHaveLength(0);
});
