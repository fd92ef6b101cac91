import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import LazyFigure from '../../../src/app/analyze/LazyFigure.svelte';
import { ALL_RUNS, type RunFilter } from '../../../src/core/contract';
import { conductStage } from '../conduct/conduct-services';
import { MemoryIndex } from '../memory-index';

const half = { mean: 0.5, interval: null, n: 20 };
const FIGURE = { isEnough: true, data: { plans: 20, rows: [{ shape: 'chain', plans: 20, share: half, right: half }] } };

test('the links of a plot keep the old filter until the plot of the new filter is shown', async () => {
  const { store, otherTab } = conductStage();
  const index = new MemoryIndex(store, otherTab);
  const ready: (() => void)[] = [];
  index.figures = () => new Promise((resolve) => ready.push(() => resolve(FIGURE)));
  const propsOf = (filter: RunFilter) => ({
    ...{
      name: 'shapes' as const,
      index,
      filter,
      linkFilter: filter,
      version: 0,
      markOf: () => undefined,
      planted: new Map(),
    },
  });
  const screen = await render(LazyFigure, propsOf({ ...ALL_RUNS, grades: ['right'] }));
  await expect.poll(() => ready.length).toBe(1);
  ready[0]?.();
  const link = screen.getByRole('link', { name: /chain/i }).first();
  await expect.element(link).toHaveAttribute('href', expect.stringContaining('grade=right'));
  await screen.rerender(propsOf({ ...ALL_RUNS, grades: ['none'] }));
  await expect.poll(() => ready.length).toBe(2);
  await expect.element(link).toHaveAttribute('href', expect.stringContaining('grade=right'));
  ready[1]?.();
  await expect.element(link).toHaveAttribute('href', expect.stringContaining('grade=none'));
});
