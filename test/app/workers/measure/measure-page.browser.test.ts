import { describe, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import type { MeasuringDesk, Services } from '../../../../src/app/services';
import Measure from '../../../../src/app/workers/measure/MeasurePage.svelte';
import type { WorkerSetup } from '../../../../src/core/contract';
import { memorySetups } from '../../../fixtures/memory-setups';
import { measuredWorker, measuringBrowser, rightReply, TASKS, text } from '../../../core/measurement/session/measured';
import { conductStage } from '../../conduct/conduct-services';
import PageHost from '../../PageHost.svelte';

const ASH: WorkerSetup = {
  id: 'ash',
  name: 'Ash',
  mark: 'As',
  colour: 6,
  baseUrl: 'https://api.example.com/v1',
  model: 'ash-1',
  price: { input: 1, output: 10 },
  description: '',
  needsKey: false,
};

const LAW = { id: 'law', name: 'Law', revision: 'r', isConfidential: true, tasks: 40, tokens: 200 };

function stage(...setups: readonly WorkerSetup[]) {
  const base = conductStage();
  const memory = memorySetups(...setups);
  const browser = measuringBrowser(({ prompt }) => text(rightReply(prompt)));
  const desk: MeasuringDesk = {
    measurer: browser.tab().measurer,
    tasks: TASKS,
    datasets: async () => [LAW],
    logs: {
      list: async () =>
        browser.store.events.flatMap(({ type, id, at }) => (type === 'started' ? [{ id, startedAt: at }] : [])),
      remove: async () => undefined,
    },
  };
  const services: Services = {
    ...base.services,
    setups: memory.setups,
    connections: memory.connections,
    measuring: () => Promise.resolve(desk),
  };
  return { ...base, services, memory, browser, show: () => render(PageHost, { services, page: Measure }) };
}

describe('Measure your workers', () => {
  test('asks for the price of a worker without one, and states no cost before', async () => {
    const screen = await stage({ ...ASH, price: null }).show();
    await expect.element(screen.getByRole('link', { name: 'Enter its price' })).toBeVisible();
    await expect.element(screen.getByText(/would cost about/)).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'Start measuring' })).toBeDisabled();
  });

  test('offers no worker on a server while Private is on', async () => {
    const { services, show, browser } = stage(ASH);
    await services.preferences.write({ isPrivate: true });
    const screen = await show();
    await expect.element(screen.getByText(/^Private is on, so only a model on this page/)).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Start measuring' })).not.toBeInTheDocument();
    expect(browser.calls).toEqual([]);
  });

  test('shows what was measured, and marks it as stale once the price has changed', async () => {
    const { show, memory, services } = stage(ASH);
    const screen = await show();
    await screen.getByRole('button', { name: 'Start measuring' }).click();
    const card = screen.getByRole('article', { name: 'Ash' });
    await expect.element(card.getByText(/^The Conductor will be told: maths \d+ %, code \d+ %/)).toBeVisible();
    await expect.element(card.getByText(/Stale/)).not.toBeInTheDocument();
    await screen.unmount();
    await memory.setups.put({ ...ASH, price: { input: 2, output: 10 } });
    const again = await render(PageHost, { services, page: Measure });
    await expect.element(again.getByText('Stale: its price has changed')).toBeVisible();
  });

  test('says that the figures of a local model can’t be used', async () => {
    const { services } = stage();
    const tools = [measuredWorker('desk', { kind: 'local', origin: null })];
    const screen = await render(PageHost, { services: { ...services, tools }, page: Measure });
    await screen.getByRole('button', { name: 'Start measuring' }).click();
    await expect.element(screen.getByText(/^The figures of a local model can’t be used/)).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Use these figures' })).not.toBeInTheDocument();
  });

  test('plans with the chosen datasets, and stores them in the plan', async () => {
    const { show, browser } = stage(ASH);
    const screen = await show();
    await expect.element(screen.getByText(/^30 tasks in each of five domains/)).toBeVisible();
    await expect.element(screen.getByText('40 tasks, confidential, so answers are not stored')).toBeVisible();
    await screen.getByRole('checkbox', { name: 'Law' }).click();
    await expect.element(screen.getByText(/^30 tasks in each of 6 domains/)).toBeVisible();
    await screen.getByRole('button', { name: 'Start measuring' }).click();
    await expect.element(screen.getByRole('alert')).toHaveTextContent('The dataset Law is no longer in this browser.');
    expect(browser.store.events[0]).toMatchObject({ plan: { datasets: [{ id: 'law', isConfidential: true }] } });
    expect(browser.calls).toEqual([]);
  });

  test('says why a measurement could not start', async () => {
    const { show, browser } = stage(ASH);
    browser.setPrivate();
    const screen = await show();
    await screen.getByRole('button', { name: 'Start measuring' }).click();
    await expect.element(screen.getByRole('alert')).toHaveTextContent('Private is on, and Ash runs on a server.');
  });
});
