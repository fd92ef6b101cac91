import { describe, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import '../../../src/app/ui/style/tokens.css';
import '../../../src/app/ui/style/base.css';
import Composer from '../../../src/app/conduct/Composer.svelte';
import { fault, type ConductorInfo } from '../../../src/core/contract';
import { POOL } from '../scripted-runs';

const builtIn: ConductorInfo = { id: 'heuristic', label: 'Built in', kind: 'heuristic' };
const debate: ConductorInfo = { id: 'template:debate', label: 'Debate', kind: 'template' };

function props() {
  return {
    question: 'What is 2 + 2?',
    choices: [builtIn, debate].map((info) => ({ info, description: '', instant: true })),
    conductor: 'heuristic',
    workers: POOL,
    chosen: new Set(POOL.map((worker) => worker.id)),
    calls: 'At most 5 calls, free',
    running: false,
    onchoose: vi.fn(),
    onrun: vi.fn(),
    onstop: vi.fn(),
  };
}

describe('Composer', () => {
  test('gives its controls accessible names, and shows the maximum number of calls', async () => {
    const screen = await render(Composer, props());
    await expect.element(screen.getByRole('textbox', { name: 'Question' })).toHaveValue('What is 2 + 2?');
    await expect.element(screen.getByRole('combobox', { name: 'Conductor' })).toHaveValue('heuristic');
    const workers = screen.getByRole('group', { name: 'Workers' });
    await expect.element(workers.getByRole('checkbox', { name: 'Cedar' })).toBeChecked();
    await expect.element(workers.getByText('simulated')).toBeVisible();
    await expect.element(screen.getByText('At most 5 calls, free')).toBeVisible();
  });

  test('lists Conductors in groups, and shows a menu of workers if the chosen baseline accepts a worker', async () => {
    const solo: ConductorInfo = { id: 'template:best-single', label: 'Best single worker', kind: 'template' };
    const choices = [
      { info: builtIn, description: '', instant: true, group: 'built-in' as const },
      { info: solo, description: '', instant: true, group: 'paper' as const, acceptsWorker: true },
    ];
    const screen = await render(Composer, { ...props(), choices });
    const menu = screen.getByRole('combobox', { name: 'Conductor' });
    const groups = [...menu.element().querySelectorAll('optgroup')].map(({ label }) => label);
    expect(groups).toEqual(['Built in', 'Baselines of the paper']);
    await expect.element(screen.getByRole('combobox', { name: 'Worker' })).not.toBeInTheDocument();
    await menu.selectOptions('Best single worker');
    const worker = screen.getByRole('combobox', { name: 'Worker' });
    await expect.element(worker).toHaveValue('template:best-single');
    await worker.selectOptions('Cedar');
    await expect.element(menu).toHaveValue(`template:best-single@${POOL.find(({ name }) => name === 'Cedar')?.id}`);
    await menu.selectOptions('Built in');
    await expect.element(worker).not.toBeInTheDocument();
  });

  test('starts a run when Run is clicked, and when Ctrl+Enter is pressed in the question box', async () => {
    const given = props();
    const screen = await render(Composer, given);
    await screen.getByRole('button', { name: 'Run' }).click();
    await screen.getByRole('textbox', { name: 'Question' }).click();
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    expect(given.onrun).toHaveBeenCalledTimes(2);
  });

  test('ignores the second click of a double click on Run, although the button is now Stop', async () => {
    const given = props();
    const screen = await render(Composer, given);
    const running = { ...given, running: true };
    await screen.getByRole('button', { name: 'Run' }).click();
    await screen.rerender(running);
    const stop = screen.getByRole('button', { name: 'Stop' });
    stop.element().dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 2 }));
    expect(given.onstop).not.toHaveBeenCalled();
    await stop.click();
    expect(given.onstop).toHaveBeenCalledOnce();
    expect(given.onrun).toHaveBeenCalledOnce();
  });

  test('has a question box that grows with its text', async () => {
    const screen = await render(Composer, props());
    const box = screen.getByRole('textbox', { name: 'Question' });
    const before = box.element().getBoundingClientRect().height;
    await box.fill('One\ntwo\nthree\nfour');
    expect(box.element().getBoundingClientRect().height).toBeGreaterThan(before * 3);
  });

  test('shows the error for a missing question, and focuses the question box', async () => {
    const given = props();
    const screen = await render(Composer, {
      ...given,
      question: '',
      refusal: fault('empty-question', 'Write a question first.'),
    });
    await expect.element(screen.getByRole('alert')).toHaveTextContent('Write a question first.');
    const box = screen.getByRole('textbox', { name: 'Question' });
    await expect.element(box).toHaveAccessibleDescription('Write a question first.');
    await expect.element(box).toHaveFocus();
  });

  test('removes a worker from the pool when its chip is clicked', async () => {
    const given = props();
    const screen = await render(Composer, given);
    await screen.getByText('Cedar').click();
    expect(given.onchoose).toHaveBeenCalledWith('sim:cedar', false);
  });

  test('attaches dropped files, but leaves dropped text and exported runs to the page', async () => {
    const given = { ...props(), onattach: vi.fn() };
    const screen = await render(Composer, given);
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
    expect(given.onattach).not.toHaveBeenCalled();
    const picture = new DataTransfer();
    picture.items.add(new File(['x'], 'sign.png', { type: 'image/png' }));
    picture.items.add(new File(['x'], 'table.csv', { type: 'text/csv' }));
    expect(drop(picture)).toBe(true);
    expect(given.onattach.mock.lastCall?.[0]).toMatchObject([{ name: 'sign.png' }, { name: 'table.csv' }]);
  });

  test('shows the earlier question and answer of a follow-up until the user removes them', async () => {
    const context = { runId: 'run-1', question: 'What is 6 × 7?', answer: 'It is **42**.' };
    const given = { ...props(), question: '', oncontext: vi.fn() };
    const screen = await render(Composer, given);
    await screen.rerender({ ...given, context });
    const box = screen.getByRole('textbox', { name: 'Question' });
    await expect.element(box).toHaveFocus();
    await expect.element(box).toHaveAttribute('placeholder', 'Ask a follow-up question');
    const group = screen.getByRole('group', { name: 'Follow-up to an earlier run' });
    await expect.element(group.getByRole('link', { name: 'What is 6 × 7?' })).toHaveAttribute('href', '#/runs/run-1');
    await group.getByText(/about \d+ tokens/).click();
    await expect.element(group.getByText('It is **42**.')).toBeVisible();
    await group.getByRole('button', { name: 'Remove' }).click();
    expect(given.oncontext.mock.calls).toEqual([[null]]);
    await screen.rerender({ ...given, context: null });
    await expect.element(group).not.toBeInTheDocument();
    await expect.element(box).toHaveFocus();
  });

  test('shows the switch for plan approval unless a run is in progress', async () => {
    const given = { ...props(), approval: false, onapproval: vi.fn() };
    const screen = await render(Composer, given);
    await screen.getByRole('switch', { name: 'Ask me first' }).click();
    expect(given.onapproval).toHaveBeenCalledWith(true);
    await screen.rerender({ ...given, running: true });
    await expect.element(screen.getByRole('switch', { name: 'Ask me first' })).not.toBeInTheDocument();
  });
});
