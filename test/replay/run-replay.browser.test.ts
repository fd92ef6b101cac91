import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import { type EventBody } from '../../src/core/contract';
import RunReplay from '../../src/replay/RunReplay.svelte';
import { finishedRunBodies, stampEvents } from '../fixtures/run-events';

const show = (bodies: readonly EventBody[]) =>
  render(RunReplay, { props: { events: stampEvents(bodies), images: [] } });

test('a replayed run with a title has the title as the heading, and also shows the question', async () => {
  const screen = await show([...finishedRunBodies(), { type: 'run-annotated', title: 'The easy one' }]);
  await expect.element(screen.getByRole('heading', { level: 1 })).toHaveTextContent('The easy one');
  await expect.element(screen.getByText('Use 3, 4, 7, 8, 25 and 50 to reach 537.')).toBeVisible();
});

test('a replayed run shows where its answers disagree', async () => {
  const disagreement = [{ title: 'Contradictions', items: ['5: Alder', '6: Birch'] }];
  const screen = await render(RunReplay, {
    props: { events: stampEvents(finishedRunBodies()), images: [], disagreement },
  });
  const region = screen.getByRole('region', { name: 'Where they disagree' });
  await expect.element(region).toHaveTextContent('Contradictions');
  await expect.element(region).toHaveTextContent('6: Birch');
});

test('a replayed run without a title has the question as the heading', async () => {
  const screen = await show(finishedRunBodies());
  await expect.element(screen.getByRole('heading', { level: 1 })).toHaveTextContent('reach 537');
  expect(screen.getByText('Use 3, 4, 7, 8, 25 and 50 to reach 537.').elements()).toHaveLength(1);
});

test('a long question can be scrolled with the keyboard, with and without a title', async () => {
  const [started, ...rest] = finishedRunBodies();
  if (started?.type !== 'run-started') throw new Error('The first event is not run-started.');
  const long = { ...started, question: { text: 'Reach 537.\n'.repeat(400) } };
  for (const title of ['', 'The long one']) {
    const screen = await show([long, ...rest, { type: 'run-annotated', title }]);
    const box = screen.getByRole('group', { name: 'Question' });
    const element = box.element();
    if (!(element instanceof HTMLElement)) throw new Error('The question is not an HTML element.');
    element.focus();
    await userEvent.keyboard('{PageDown}');
    await expect.poll(() => element.scrollTop).toBeGreaterThan(0);
    await screen.unmount();
  }
});

test('a replayed run shows the Conductor’s thought for each round', async () => {
  const [started, ...first] = finishedRunBodies().filter(({ type }) => type !== 'run-finished');
  const inRound = (bodies: readonly EventBody[], round: number, thought: string) =>
    bodies.map((body): EventBody => {
      const moved = 'round' in body ? { ...body, round } : body;
      return moved.type === 'plan-finished' ? { ...moved, thought } : moved;
    });
  const rounds = [...inRound(first, 0, 'Two tries.'), ...inRound(first, 1, 'Check them.')];
  const screen = await show([...(started ? [started] : []), ...rounds]);
  await expect.element(screen.getByText('Plan of round 1')).toBeVisible();
  await expect.element(screen.getByText('Two tries.')).toBeVisible();
  await expect.element(screen.getByText('Plan of round 2')).toBeVisible();
  await expect.element(screen.getByText('Check them.')).toBeVisible();
});
