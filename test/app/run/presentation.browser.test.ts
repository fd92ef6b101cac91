import { afterEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-svelte';
import Presentation from '../../../src/app/run/Presentation.svelte';
import { finishedRunBodies, stampEvents } from '../../fixtures/run-events';

const root = document.documentElement;
afterEach(() => delete root.dataset.theme);

async function present() {
  let closed = 0;
  const screen = await render(Presentation, {
    props: { events: stampEvents(finishedRunBodies()), onclose: () => (closed += 1) },
  });
  return { screen, closed: () => closed };
}
const scene = () => page.getByRole('region', { name: 'Now' });

test('the arrow keys, Home and End move a presentation between the plan, the steps and the answer', async () => {
  await present();
  await expect.element(scene().getByRole('heading')).toHaveTextContent('Plan');
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(scene().getByRole('heading')).toHaveTextContent(/^Step \d,/);
  await userEvent.keyboard('{End}');
  await expect.element(scene().getByRole('heading')).toHaveTextContent('Answer');
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(scene().getByRole('heading')).toHaveTextContent(/^Step \d,/);
  await userEvent.keyboard('{Home}');
  await expect.element(scene()).toHaveTextContent(/has not started|is planning|Plan/);
});

test('Space plays and pauses a presentation, and the Play button plays it to the end', async () => {
  const { screen } = await present();
  await userEvent.keyboard(' ');
  await expect.element(screen.getByRole('button', { name: 'Pause' })).toBeVisible();
  await userEvent.keyboard(' ');
  await expect.element(screen.getByRole('button', { name: 'Play' })).toBeVisible();
  await screen.getByRole('button', { name: 'Speed 1 times' }).click();
  await expect.element(screen.getByRole('button', { name: 'Speed 4 times' })).toBeVisible();
  await screen.getByRole('button', { name: 'Play' }).click();
  await expect.element(scene().getByRole('heading')).toHaveTextContent('Answer');
  await expect.element(screen.getByRole('button', { name: 'Play' })).toBeVisible();
});

test('a presentation can change the theme of the page, and restores the earlier theme when it closes', async () => {
  root.dataset.theme = 'light';
  const { screen, closed } = await present();
  await screen.getByRole('button', { name: 'Dark theme' }).click();
  expect(root.dataset.theme).toBe('dark');
  await userEvent.keyboard('{Escape}');
  // Escape also leaves full screen, which closes the presentation too. So `onclose` may be called twice.
  expect(closed()).toBeGreaterThan(0);
  await screen.unmount();
  expect(root.dataset.theme).toBe('light');
});
