import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import '../../../src/app/ui/style/tokens.css';
import '../../../src/app/ui/style/base.css';
import TopBar from '../../../src/app/frame/TopBar.svelte';

const pages = [
  { path: '/', name: 'Conduct' },
  { path: '/runs', name: 'Runs' },
  { path: '/settings', name: 'Settings', aside: true },
];

test('the top bar marks Runs as the current page while a single run is open', async () => {
  await page.viewport(1200, 800);
  const screen = await render(TopBar, { pages, current: '/runs/run-1', onskip: vi.fn() });
  await expect.element(screen.getByRole('link', { name: 'Runs' })).toHaveAttribute('aria-current', 'page');
  await expect.element(screen.getByRole('link', { name: 'Conduct' })).not.toHaveAttribute('aria-current');
});

test('the top bar is a menu on narrow screens, and Escape closes the open menu', async () => {
  await page.viewport(390, 800);
  const screen = await render(TopBar, { pages, current: '/', onskip: vi.fn() });
  expect(screen.getByRole('link', { name: 'Settings' }).elements()).toHaveLength(0);
  await screen.getByRole('button', { name: 'Pages, Conduct' }).click();
  await expect.element(screen.getByRole('link', { name: 'Settings' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  expect(screen.getByRole('link', { name: 'Settings' }).elements()).toHaveLength(0);
});

test('the first tab stop of the top bar is a skip link, which does not change the address', async () => {
  const onskip = vi.fn();
  await render(TopBar, { pages, current: '/runs', onskip });
  await userEvent.keyboard('{Tab}{Enter}');
  expect(onskip).toHaveBeenCalledOnce();
  expect(location.hash).toBe('');
});
