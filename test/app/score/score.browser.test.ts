import { describe, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import '../../../src/app/ui/style/tokens.css';
import '../../../src/app/ui/style/base.css';
import MiniScore from '../../../src/app/score/MiniScore.svelte';
import Score from '../../../src/app/score/Score.svelte';
import { scoreOf } from '../../../src/app/score/view';
import { summarize } from '../../../src/core/contract';
import { finishedRun } from '../scripted-runs';

const view = scoreOf(finishedRun(), { mode: 'time' });
const href = ({ round, step }: { round: number; step: number }) => `#/runs/run-1?step=${round}.${step}`;

describe('Score', () => {
  test('draws every step as a link with an accessible name', async () => {
    const screen = await render(Score, { view, label: 'The run', href });
    const links = screen.getByRole('group', { name: 'The run' }).getByRole('link');
    await expect.element(links.nth(2)).toHaveAttribute('href', '#/runs/run-1?step=0.2');
    await expect.element(links.nth(2)).toHaveAccessibleName('Step 3, Verify, Cedar, finished, sees 1 and 2');
    expect(links.elements()).toHaveLength(4);
  });

  test('selects a step when its link is clicked without modifier keys, and does not follow the link', async () => {
    const onselect = vi.fn();
    const screen = await render(Score, { view, label: 'The run', href, onselect });
    await screen.getByRole('link', { name: /Verify/ }).click();
    expect(onselect).toHaveBeenCalledWith({ round: 0, step: 2 });
    expect(location.hash).toBe('');
  });

  test('draws a step as an image with an accessible name if there are no links', async () => {
    const screen = await render(Score, { view, label: 'The plan' });
    await expect.element(screen.getByRole('img', { name: 'Step 1, Solve, Birch, finished' })).toBeInTheDocument();
    expect(screen.getByRole('link').elements()).toHaveLength(0);
  });

  test('draws the bar of each step with the position and width from the view, on the line of its worker', async () => {
    const screen = await render(Score, { view, label: 'The run', href });
    const lanes = screen.container.querySelector('.lanes')?.getBoundingClientRect();
    const bars = [...screen.container.querySelectorAll('.note > .bar')].map((bar) => bar.getBoundingClientRect());
    if (!lanes) throw new Error('no lanes');
    for (const [index, note] of view.notes.entries()) {
      const bar = bars[index];
      expect(((bar?.left ?? 0) - lanes.left) / lanes.width).toBeCloseTo(note.left / 100, 2);
      expect((bar?.width ?? 0) / lanes.width).toBeCloseTo(note.width / 100, 2);
    }
    expect(bars.map(({ top, height }) => Math.floor((top + height / 2 - lanes.top) / 46))).toEqual([1, 2, 3, 4]);
  });

  test('shows the time up to which the run is drawn', async () => {
    const screen = await render(Score, {
      view: scoreOf(finishedRun(), { mode: 'time', upTo: 10_800 }),
      label: 'The run',
    });
    await expect.element(screen.getByText('10.8 s')).toBeVisible();
  });
});

test('MiniScore draws one bar for the plan, and one for each call', async () => {
  const { glyph } = summarize(finishedRun());
  const screen = await render(MiniScore, { glyph, label: '4 steps, 15.0 s' });
  const image = screen.getByRole('img', { name: '4 steps, 15.0 s' });
  await expect.element(image).toBeVisible();
  expect(image.element().querySelectorAll('path:not(.line)')).toHaveLength(5);
});
