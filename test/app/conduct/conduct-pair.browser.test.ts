import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import type { Preferences } from '../../../src/core/contract';
import { conductStage } from './conduct-services';
import ConductHost from './ConductHost.svelte';

const QUESTION = 'Use 3, 4, 7, 8, 25 and 50 to reach 537.';

/** The page with every question drawn, once Run was pressed. */
async function started(held = false, answers: Preferences['aloneAnswers'] = 'once', price = 'At most 6 calls, free') {
  const stage = conductStage({ held });
  await stage.services.preferences.write({ aloneShare: 100, aloneWorker: null, aloneAnswers: answers });
  const screen = await render(ConductHost, { services: stage.services, question: QUESTION });
  await expect.element(screen.getByText(price)).toBeVisible();
  await screen.getByRole('button', { name: 'Run' }).click();
  const typesOf = async () => (await stage.store.read('run-1')).map(({ type }) => type);
  const workflow = screen.getByRole('region', { name: 'Workflow' });
  return { stage, screen, typesOf, workflow };
}

test('shows two answers without their writers, and the run after the vote', async () => {
  const { stage, screen, typesOf, workflow } = await started();
  const pair = screen.getByRole('region', { name: 'Two answers to compare' });
  await expect.element(pair.getByRole('article', { name: 'Answer B' })).toBeVisible();
  expect(stage.calls).toHaveLength(6);
  expect(workflow.elements()).toHaveLength(0);
  expect(screen.getByRole('region', { name: 'Answer', exact: true }).elements()).toHaveLength(0);
  await pair.getByRole('button', { name: 'Both bad' }).click();
  const told = screen.getByRole('region', { name: 'Comparison with one worker alone' });
  await expect.element(told).toHaveTextContent('You found both answers bad.');
  await expect.element(told).toHaveTextContent(`${stage.calls.at(-1)} alone`);
  await expect.element(workflow).toBeVisible();
  expect((await typesOf()).at(-1)).toBe('pair-compared');
});

test('lets the worker alone answer as often as the run has called workers, if both are free', async () => {
  const { stage, screen } = await started(false, 'equal-cost', 'At most 16 calls, free');
  const pair = screen.getByRole('region', { name: 'Two answers to compare' });
  await expect.element(pair.getByRole('article', { name: 'Answer B' })).toBeVisible();
  const again = stage.calls.slice(5);
  expect(again.length).toBeGreaterThanOrEqual(5);
  expect(new Set(again).size).toBe(1);
  await pair.getByRole('button', { name: 'Equal' }).click();
  const told = screen.getByRole('region', { name: 'Comparison with one worker alone' });
  await expect.element(told).toHaveTextContent(`${again[0]} alone at equal cost ${again.length} calls`);
});

test('shows a run in progress without a vote if the user wants to, and makes no second call', async () => {
  const { stage, screen, typesOf, workflow } = await started(true);
  await screen.getByRole('button', { name: 'Show without voting' }).click();
  await expect.element(workflow).toBeVisible();
  stage.release();
  await expect.poll(async () => (await typesOf()).at(-1)).toBe('pair-compared');
  expect(await typesOf()).not.toContain('alone-answered');
  expect(stage.calls).toHaveLength(5);
});
