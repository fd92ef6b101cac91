import { describe, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import Settings from '../../../src/app/pages/Settings.svelte';
import type { Services } from '../../../src/app/services';
import { DEFAULT_PREFERENCES, fault, FaultError } from '../../../src/core/contract';
import { newRunOf } from '../new-runs';
import { conductStage } from './conduct-services';
import PageHost from './PageHost.svelte';

function stage(more: Partial<Services> = {}, held = false) {
  const base = conductStage({ held });
  const services = { ...base.services, ...more };
  return { ...base, services, show: () => render(PageHost, { services, page: Settings }) };
}

describe('Settings', () => {
  test('keeps what a run may spend', async () => {
    const { preferences, show } = stage();
    const screen = await show();
    await screen.getByLabelText('Calls', { exact: true }).fill('7');
    await screen.getByLabelText('US dollars').fill('0.5');
    await screen.getByLabelText('Tokens', { exact: true }).fill('5000');
    await screen.getByLabelText('Temperature', { exact: true }).fill('0');
    // A field is taken over when it is left.
    await screen.getByLabelText('US dollars').click();
    await expect.poll(() => preferences().temperature).toBe(0);
    expect(preferences().caps).toEqual({ ...DEFAULT_PREFERENCES.caps, calls: 7, usd: 0.5, tokens: 5000 });
    await screen.getByLabelText('US dollars').fill('');
    await screen.getByLabelText('Calls', { exact: true }).click();
    await expect.poll(() => preferences().caps.usd).toBeNull();
  });

  test('keeps how plans are written', async () => {
    const { preferences, show } = stage();
    const screen = await show();
    await screen.getByLabelText('Plans to choose from').fill('3');
    await screen.getByLabelText('Plan temperature').fill('0.6');
    await screen.getByLabelText('Seed').fill('42');
    await screen.getByLabelText('Plans to choose from').click();
    await expect.poll(() => preferences()).toMatchObject({ candidates: 3, planTemperature: 0.6, seed: 42 });
    await screen.getByLabelText('Plan temperature').fill('');
    await screen.getByLabelText('Seed').fill('');
    await screen.getByLabelText('Plans to choose from').click();
    await expect.poll(() => preferences()).toMatchObject({ planTemperature: null, seed: null });
  });

  test('says what does not fit, and keeps the last good value', async () => {
    const { preferences, show } = stage();
    const screen = await show();
    await screen.getByLabelText('Calls', { exact: true }).fill('0');
    await screen.getByLabelText('US dollars').click();
    await expect.element(screen.getByText('Enter a whole number from 1 to 200.')).toBeVisible();
    expect(preferences().caps.calls).toBe(DEFAULT_PREFERENCES.caps.calls);
  });

  test('goes back to the defaults, and leaves the look alone', async () => {
    const { services, preferences, show } = stage();
    await services.preferences.write({ ...preferences(), theme: 'dark', recursion: true, maxTokens: 99 });
    const screen = await show();
    await screen.getByRole('button', { name: 'Back to the defaults' }).click();
    await expect.poll(() => preferences()).toEqual({ ...DEFAULT_PREFERENCES, theme: 'dark' });
  });

  test('says that a change was not kept', async () => {
    const full = new FaultError(fault('storage-full', 'The disk is full.'));
    const base = conductStage();
    const preferences = { ...base.services.preferences, write: () => Promise.reject(full) };
    const screen = await stage({ preferences }).show();
    await screen.getByRole('group', { name: 'Theme' }).getByText('Dark').click();
    await expect.element(screen.getByRole('alert').getByText('The disk is full.')).toBeVisible();
  });

  test('deletes all runs, once that was confirmed', async () => {
    const { services, store, show } = stage();
    await (
      await services.runs.start(newRunOf(services))
    ).done;
    const screen = await show();
    await expect.element(screen.getByText('1 run', { exact: true })).toBeVisible();
    await screen.getByRole('button', { name: 'Delete all runs' }).click();
    await screen.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
    expect(await store.count()).toBe(1);
    await screen.getByRole('button', { name: 'Delete all runs' }).click();
    await screen.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click();
    await expect.element(screen.getByText('0 runs', { exact: true })).toBeVisible();
    expect(await store.count()).toBe(0);
  });

  test('deletes nothing while a run is at work', async () => {
    const { services, store, letGo, show } = stage({}, true);
    const live = await services.runs.start(newRunOf(services));
    const screen = await show();
    await screen.getByRole('button', { name: 'Delete all runs' }).click();
    await screen.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click();
    await expect.element(screen.getByRole('alert').getByText(/^A run is at work/)).toBeVisible();
    expect(await store.count()).toBe(1);
    letGo();
    expect((await live.done).status).toBe('finished');
  });

  test('asks the browser to keep what is stored', async () => {
    let persisted = false;
    const storage = {
      estimate: () => Promise.resolve({ used: 2_500_000, quota: 3_000_000_000, persisted }),
      persist: () => Promise.resolve((persisted = true)),
    };
    const screen = await stage({ storage }).show();
    await expect.element(screen.getByText('2.5 MB of 3.0 GB')).toBeVisible();
    await screen.getByRole('button', { name: 'Ask to keep it' }).click();
    await expect.element(screen.getByText('Kept until you delete it')).toBeVisible();
  });
});
