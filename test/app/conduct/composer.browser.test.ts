import { beforeEach, describe, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import type { ConductorChoice, Services } from '../../../src/app/services';
import { HEURISTIC_INFO } from '../../../src/core/conductor/heuristic';
import { CONDUCTOR_MAX_STEPS } from '../../../src/core/contract';
import { POOL } from '../scripted-runs';
import { conductStage } from './conduct-services';
import ConductHost from './ConductHost.svelte';

const QUESTION = 'Use 3, 4, 7, 8, 25 and 50 to reach 537.';
const show = (services: Services, question = QUESTION) => render(ConductHost, { services, question });

beforeEach(() => sessionStorage.clear());

describe('Composer', () => {
  test('gives its controls accessible names, and shows the maximum number of calls', async () => {
    const screen = await show(conductStage().services);
    await expect.element(screen.getByRole('textbox', { name: 'Question' })).toHaveValue(QUESTION);
    await expect.element(screen.getByRole('combobox', { name: 'Conductor' })).toHaveValue('');
    const workers = screen.getByRole('group', { name: 'Workers' });
    await expect.element(workers.getByRole('checkbox', { name: 'Cedar' })).toBeChecked();
    await expect.element(workers.getByText('simulated')).toBeVisible();
    await expect.element(screen.getByText(`At most ${CONDUCTOR_MAX_STEPS} calls, free`)).toBeVisible();
  });

  test('lists Conductors in groups, and shows a menu of workers if the chosen baseline accepts a worker', async () => {
    const { services } = conductStage();
    const solo = { id: 'template:best-single', label: 'Best single worker', kind: 'template' } as const;
    const choices: readonly ConductorChoice[] = [
      { info: HEURISTIC_INFO, description: '', instant: true, group: 'built-in' },
      { info: solo, description: '', instant: true, group: 'paper', acceptsWorker: true },
    ];
    const screen = await show({ ...services, conductors: () => choices });
    const menu = screen.getByRole('combobox', { name: 'Conductor' });
    await expect.element(menu).toBeVisible();
    const groups = [...menu.element().querySelectorAll('optgroup')].map(({ label }) => label);
    expect(groups).toEqual(['Built in', 'Baselines of the paper']);
    await expect.element(screen.getByRole('combobox', { name: 'Worker' })).not.toBeInTheDocument();
    await menu.selectOptions('Best single worker');
    const worker = screen.getByRole('combobox', { name: 'Worker' });
    await expect.element(worker).toHaveValue('template:best-single');
    await worker.selectOptions('Cedar');
    await expect.element(menu).toHaveValue(`template:best-single@${POOL.find(({ name }) => name === 'Cedar')?.id}`);
    await menu.selectOptions(HEURISTIC_INFO.label);
    await expect.element(worker).not.toBeInTheDocument();
  });

  test('starts a run when Ctrl+Enter is pressed in the question box', async () => {
    const { services, store } = conductStage();
    const screen = await show(services);
    await screen.getByRole('textbox', { name: 'Question' }).click();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    await expect.element(screen.getByRole('button', { name: 'Right' })).toBeVisible();
    expect(await store.summary('run-1')).toMatchObject({ status: 'finished' });
  });

  test('ignores the second click of a double click on Run, although the button is now Stop', async () => {
    const { services, store } = conductStage({ held: true });
    const screen = await show(services);
    await screen.getByRole('button', { name: 'Run' }).click();
    const stop = screen.getByRole('button', { name: 'Stop' });
    await expect.element(stop).toBeVisible();
    stop.element().dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 2 }));
    await expect.element(screen.getByText('Birch says four.').first()).toBeVisible();
    await stop.click();
    await expect.element(screen.getByRole('button', { name: 'Run' })).toBeVisible();
    expect(await store.summary('run-1')).toMatchObject({ status: 'cancelled' });
  });

  test('has a question box that grows with its text', async () => {
    const screen = await show(conductStage().services, 'One');
    const box = screen.getByRole('textbox', { name: 'Question' });
    await expect.element(box).toBeVisible();
    const before = box.element().getBoundingClientRect().height;
    await box.fill('One\ntwo\nthree\nfour');
    expect(box.element().getBoundingClientRect().height).toBeGreaterThan(before * 3);
  });

  test('shows the error for a missing question, and focuses the question box', async () => {
    const screen = await show(conductStage().services, '');
    await screen.getByRole('button', { name: 'Run' }).click();
    await expect.element(screen.getByRole('alert').first()).toHaveTextContent('Write a question first.');
    const box = screen.getByRole('textbox', { name: 'Question' });
    await expect.element(box).toHaveAccessibleDescription('Write a question first.');
    await expect.element(box).toHaveFocus();
  });

  test('attaches dropped files, but leaves dropped text and exported runs to the page', async () => {
    const { services } = conductStage();
    const prepareImage = vi.fn(services.prepareImage);
    const readFile = vi.fn(services.readFile);
    const screen = await show({ ...services, prepareImage, readFile });
    await expect.element(screen.getByRole('form', { name: 'Ask' })).toBeVisible();
    const form = screen.getByRole('form', { name: 'Ask' }).element();
    const drop = (transfer: DataTransfer) => {
      const event = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true });
      form.dispatchEvent(event);
      return event.defaultPrevented;
    };
    const words = new DataTransfer();
    words.setData('text/plain', 'hello');
    expect(drop(words)).toBe(false);
    const runs = new DataTransfer();
    runs.items.add(new File(['x'], 'tasks.csv', { type: 'text/csv' }));
    runs.items.add(new File(['x'], 'five.podium.jsonl'));
    expect(drop(runs)).toBe(false);
    const picture = new DataTransfer();
    picture.items.add(new File(['x'], 'sign.png', { type: 'image/png' }));
    picture.items.add(new File(['y'], 'table.csv', { type: 'text/csv' }));
    expect(drop(picture)).toBe(true);
    await expect.element(screen.getByRole('img', { name: 'sign.png' })).toBeInTheDocument();
    await expect.element(screen.getByRole('list', { name: 'Attached files' })).toHaveTextContent('table.csv');
    expect(prepareImage).toHaveBeenCalledOnce();
    expect(readFile).toHaveBeenCalledOnce();
  });

  test('shows the earlier question and answer of a follow-up until the user removes them', async () => {
    const screen = await show(conductStage().services);
    await screen.getByRole('button', { name: 'Run' }).click();
    await screen.getByRole('button', { name: 'Ask a follow-up' }).click();
    const box = screen.getByRole('textbox', { name: 'Question' });
    await expect.element(box).toHaveFocus();
    await expect.element(box).toHaveAttribute('placeholder', 'Ask a follow-up question');
    await expect.element(box).toHaveValue('');
    const group = screen.getByRole('group', { name: 'Follow-up to an earlier run' });
    await expect.element(group.getByRole('link', { name: QUESTION })).toHaveAttribute('href', '#/runs/run-1');
    await group.getByText(/about \d+ tokens/).click();
    await expect.element(group.getByText(/says four/)).toBeVisible();
    await group.getByRole('button', { name: 'Remove' }).click();
    await expect.element(group).not.toBeInTheDocument();
    await expect.element(box).toHaveFocus();
  });

  test('shows the switch for plan approval unless a run is in progress', async () => {
    const stage = conductStage({ held: true });
    const screen = await show(stage.services);
    const approval = screen.getByRole('switch', { name: 'Ask me first' });
    await approval.click();
    expect(stage.preferences().approval).toBe(true);
    await approval.click();
    await screen.getByRole('button', { name: 'Run' }).click();
    await expect.element(screen.getByRole('button', { name: 'Stop' })).toBeVisible();
    await expect.element(approval).not.toBeInTheDocument();
  });
});
