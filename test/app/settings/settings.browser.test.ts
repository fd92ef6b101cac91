import { describe, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-svelte';
import Prompt from '../../../src/app/settings/PromptPage.svelte';
import Settings from '../../../src/app/settings/SettingsPage.svelte';
import type { Archive, Services } from '../../../src/app/services';
import {
  DEFAULT_PREFERENCES,
  fault,
  FaultError,
  NOTHING_IMPORTED,
  type BackupContents,
  type RestoreMode,
} from '../../../src/core/contract';
import { newRunOf } from '../new-runs';
import { conductStage, scriptedArchive } from '../conduct/conduct-services';
import PageHost from '../PageHost.svelte';

function stage(more: Partial<Services> = {}, held = false) {
  const base = conductStage({ held });
  const services = { ...base.services, ...more };
  return { ...base, services, show: () => render(PageHost, { services, page: Settings }) };
}

describe('Settings', () => {
  test('stores the limits per run and the temperature', async () => {
    const { preferences, show } = stage();
    const screen = await show();
    await screen.getByLabelText('Calls', { exact: true }).fill('7');
    await screen.getByLabelText('Budget per run (USD)', { exact: true }).fill('0.5');
    await screen.getByLabelText('Tokens', { exact: true }).fill('5000');
    await screen.getByLabelText('Temperature', { exact: true }).fill('0');
    // A field is saved when it loses focus.
    await screen.getByLabelText('Budget per run (USD)', { exact: true }).click();
    await expect.poll(() => preferences().temperature).toBe(0);
    expect(preferences().caps).toEqual({ ...DEFAULT_PREFERENCES.caps, calls: 7, usd: 0.5, tokens: 5000 });
    await screen.getByLabelText('Budget per run (USD)', { exact: true }).fill('');
    await screen.getByLabelText('Calls', { exact: true }).click();
    await expect.poll(() => preferences().caps.usd).toBeNull();
  });

  test('stores the settings for plans', async () => {
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

  test('reports an invalid value, and keeps the last valid one', async () => {
    const { preferences, show } = stage();
    const screen = await show();
    await screen.getByLabelText('Calls', { exact: true }).fill('0');
    await screen.getByLabelText('Budget per run (USD)', { exact: true }).click();
    await expect.element(screen.getByText('Enter a whole number from 1 to 200.')).toBeVisible();
    expect(preferences().caps.calls).toBe(DEFAULT_PREFERENCES.caps.calls);
  });

  test('restores the defaults, except the theme', async () => {
    const { services, preferences, show } = stage();
    await services.preferences.write({ ...preferences(), theme: 'dark', recursion: true, maxTokens: 99 });
    const screen = await show();
    await screen.getByRole('button', { name: 'Restore defaults' }).click();
    await expect.poll(() => preferences()).toEqual({ ...DEFAULT_PREFERENCES, theme: 'dark' });
  });

  test('shows why a change could not be stored', async () => {
    const full = new FaultError(fault('storage-full', 'The disk is full.'));
    const base = conductStage();
    const preferences = { ...base.services.preferences, write: () => Promise.reject(full) };
    const screen = await stage({ preferences }).show();
    await screen.getByRole('group', { name: 'Theme' }).getByText('Dark').click();
    await expect.element(screen.getByRole('alert').getByText('The disk is full.')).toBeVisible();
  });

  test('deletes all runs after confirmation', async () => {
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

  test('deletes nothing while a run is live', async () => {
    const { services, store, release, show } = stage({}, true);
    const live = await services.runs.start(newRunOf(services));
    const screen = await show();
    await screen.getByRole('button', { name: 'Delete all runs' }).click();
    await screen.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click();
    await expect.element(screen.getByRole('alert').getByText(/^A run is still running/)).toBeVisible();
    expect(await store.count()).toBe(1);
    release();
    expect((await live.done).status).toBe('finished');
  });

  test('asks the browser for persistent storage, and shows the browser’s answer', async () => {
    let persisted = false;
    let answer: boolean | null = null;
    const storage = {
      estimate: () => Promise.resolve({ used: 2_500_000, quota: 3_000_000_000, persisted }),
      persist: () => Promise.resolve(answer === null ? null : (persisted = answer)),
      use: () => Promise.resolve({ runs: 1_200_000, models: 1_000_000, app: 300_000 }),
      persistsSilently: () => true,
    };
    const screen = await stage({ storage }).show();
    await expect.element(screen.getByText('2.5 MB of 3.0 GB')).toBeVisible();
    await expect.element(screen.getByText('1.2 MB')).toBeVisible();
    const keep = screen.getByRole('button', { name: 'Keep my data' });
    await keep.click();
    await expect.element(screen.getByText(/doesn’t support this/)).toBeVisible();
    answer = false;
    await keep.click();
    await expect.element(screen.getByText(/declined for now/)).toBeVisible();
    answer = true;
    await keep.click();
    await expect.element(screen.getByText('Kept until you delete it')).toBeVisible();
  });

  test('lists the largest runs and deletes one', async () => {
    const base = conductStage();
    const live = await base.services.runs.start(newRunOf(base.services, { question: 'A large one' }));
    await live.done;
    const archive = scriptedArchive({
      largestRuns: () => Promise.resolve([{ id: live.id, question: 'A large one', startedAt: 5, bytes: 2_000_000 }]),
    });
    const services = { ...base.services, archive: () => Promise.resolve(archive) };
    const screen = await render(PageHost, { services, page: Settings });
    await screen.getByRole('button', { name: 'Find the largest runs' }).click();
    await expect.element(screen.getByText('2.0 MB')).toBeVisible();
    await screen.getByRole('button', { name: 'Delete: A large one' }).click();
    await expect.element(screen.getByText('0 runs', { exact: true })).toBeVisible();
    await expect.element(screen.getByText('A large one')).not.toBeInTheDocument();
  });
});

const contents: BackupContents = {
  madeAt: 1_760_000_000_000,
  app: '0.1.0',
  parts: [
    { name: 'workers', one: 'worker', many: 'workers', promised: 2, whole: 2 },
    { name: 'runs', one: 'run', many: 'runs', promised: 120, whole: 117 },
  ],
  damage: ['3 of 120 runs are damaged: lines 9, 10 and 11. This content was not written by Podium.'],
};

describe('Backup', () => {
  const file = new File(['x'], 'my.podium-backup.jsonl.gz');

  function backupStage(archive: Partial<Archive>) {
    const all = stage({ archive: () => Promise.resolve(scriptedArchive(archive)) });
    const choose = async (screen: Awaited<ReturnType<typeof all.show>>) => {
      await expect.element(screen.getByRole('button', { name: 'Restore a backup' })).toBeVisible();
      const input = screen.container.querySelector<HTMLInputElement>('input[type=file]');
      const held = new DataTransfer();
      held.items.add(file);
      if (input) input.files = held.files;
      input?.dispatchEvent(new Event('change', { bubbles: true }));
    };
    return { ...all, choose };
  }

  test('shows the content of a file first, and offers to add only the items that are missing', async () => {
    const modes: RestoreMode[] = [];
    const { show, choose, services } = backupStage({
      inspect: () => Promise.resolve(contents),
      async *restore(_file, { mode }) {
        modes.push(mode);
        await services.preferences.write({ ...DEFAULT_PREFERENCES, maxTokens: 777 });
        const counts = { ...NOTHING_IMPORTED, added: 100, present: 17 };
        yield { read: 1, of: 1, parts: [{ name: 'runs', one: 'run', many: 'runs', counts }], damage: contents.damage };
      },
    });
    const screen = await show();
    await choose(screen);
    const panel = screen.getByRole('region', { name: file.name });
    await expect.element(panel.getByText('2 workers and 117 runs.')).toBeVisible();
    await expect.element(panel.getByText(/3 of 120 runs are damaged/)).toBeVisible();
    await panel.getByRole('button', { name: 'Replace everything' }).click();
    await screen.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
    expect(modes).toEqual([]);
    await panel.getByRole('button', { name: 'Add missing items' }).click();
    await expect.element(screen.getByText('100 runs added.')).toBeVisible();
    await expect.element(screen.getByText('17 runs were already here.')).toBeVisible();
    await expect.element(screen.getByLabelText('Max output tokens')).toHaveValue('777');
    expect(modes).toEqual(['merge']);
    // Another file replaces the result.
    await choose(screen);
    await expect.element(panel).toBeVisible();
    await expect.element(screen.getByText('100 runs added.')).not.toBeInTheDocument();
  });

  test('replaces everything after confirmation, and the restore can be stopped', async () => {
    const modes: RestoreMode[] = [];
    const { show, choose } = backupStage({
      inspect: () => Promise.resolve({ ...contents, damage: [] }),
      async *restore(_file, { mode }, signal) {
        modes.push(mode);
        yield { read: 1, of: 2, parts: [], damage: [] };
        await new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError'))),
        );
      },
    });
    const screen = await show();
    await choose(screen);
    await screen.getByRole('button', { name: 'Replace everything' }).click();
    await screen.getByRole('dialog').getByRole('button', { name: 'Replace everything' }).click();
    await expect.element(screen.getByRole('progressbar', { name: 'Restoring' })).toBeVisible();
    await screen.getByRole('button', { name: 'Stop' }).click();
    await expect.element(screen.getByText(/^Stopped\. Everything restored so far is kept/)).toBeVisible();
    expect(modes).toEqual(['replace']);
  });

  const removed = (modes: Partial<typeof NOTHING_IMPORTED>) => [
    { name: 'runs', one: 'run', many: 'runs', counts: { ...NOTHING_IMPORTED, ...modes } },
  ];

  test.each([
    [{ added: 3, removed: 4 }, /^Stopped\. .*Some items that aren’t in the file were removed/],
    [{ added: 3, updated: 4 }, /^Stopped\. .*Items that aren’t in the file are still here/],
    [{ added: 3 }, /^Stopped\. .*Nothing was removed/],
  ])('shows what a stopped replacement changed: %j', async (counts, sentence) => {
    const { show, choose } = backupStage({
      inspect: () => Promise.resolve(contents),
      async *restore(_file, _mode, signal) {
        yield { read: 1, of: 2, parts: [], damage: [] };
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        yield { read: 2, of: 2, parts: removed(counts), damage: [] };
        signal.throwIfAborted();
      },
    });
    const screen = await show();
    await choose(screen);
    await screen.getByRole('button', { name: 'Replace everything' }).click();
    await screen.getByRole('dialog').getByRole('button', { name: 'Replace everything' }).click();
    await screen.getByRole('button', { name: 'Stop' }).click();
    await expect.element(screen.getByText(sentence)).toBeVisible();
    await expect.element(screen.getByText('3 runs added.')).toBeVisible();
    if ('removed' in counts) {
      await expect.element(screen.getByText('4 runs removed, because they aren’t in the file.')).toBeVisible();
    }
  });

  test('says that no file was saved if the user stops a backup', async () => {
    const { show } = backupStage({ backup: () => new ReadableStream() });
    const picker = () =>
      Promise.resolve({
        createWritable: () => Promise.resolve(new WritableStream()),
      });
    const before: unknown = Reflect.get(window, 'showSaveFilePicker');
    Reflect.set(window, 'showSaveFilePicker', picker);
    try {
      const screen = await show();
      await screen.getByRole('button', { name: 'Back up' }).click();
      await screen.getByRole('button', { name: 'Stop' }).click();
      await expect.element(screen.getByText('Stopped. No file was saved.')).toBeVisible();
    } finally {
      Reflect.set(window, 'showSaveFilePicker', before);
    }
  });

  test('keeps the restored settings when the user changes another setting during the restore', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const { show, choose, services, preferences } = backupStage({
      inspect: () => Promise.resolve({ ...contents, damage: [] }),
      async *restore() {
        await services.preferences.write({ caps: { ...DEFAULT_PREFERENCES.caps, tokens: 4321 } });
        const counts = { ...NOTHING_IMPORTED, updated: 1 };
        const parts = [{ name: 'preferences', one: 'set of settings', many: 'sets of settings', counts }];
        yield { read: 1, of: 2, parts, damage: [] };
        await gate;
        yield { read: 2, of: 2, parts, damage: [] };
      },
    });
    const screen = await show();
    await choose(screen);
    await screen.getByRole('button', { name: 'Add missing items' }).click();
    await expect.element(screen.getByLabelText('Tokens', { exact: true })).toHaveValue('4321');
    await screen.getByLabelText('Calls', { exact: true }).fill('7');
    await screen.getByLabelText('Budget per run (USD)', { exact: true }).click();
    await expect.poll(() => preferences().caps).toMatchObject({ calls: 7, tokens: 4321 });
    release();
    await expect.element(screen.getByText('Restored.')).toBeVisible();
    expect(preferences().caps).toMatchObject({ calls: 7, tokens: 4321 });
  });

  test('shows why a file is rejected', async () => {
    const refused = new FaultError(fault('bad-request', 'This is no backup of Podium. Choose another file.'));
    const { show, choose } = backupStage({ inspect: () => Promise.reject(refused) });
    const screen = await show();
    await choose(screen);
    await expect.element(screen.getByRole('alert').getByText(/no backup of Podium/)).toBeVisible();
  });

  test('offers to include encrypted keys only if there is a vault', async () => {
    const { show, services } = backupStage({});
    const screen = await show();
    const keys = screen.getByRole('checkbox', { name: 'Include encrypted keys' });
    await expect.element(screen.getByRole('button', { name: 'Back up' })).toBeVisible();
    await expect.element(keys).not.toBeInTheDocument();
    await services.vault.create('four words of a phrase');
    await expect.element(keys).not.toBeChecked();
  });
});

test('the Conductor’s prompt counts as saved only once it is stored', async () => {
  const { services } = stage();
  let fail = (_because: Error) => {};
  const write = vi.fn(() => new Promise<void>((_stored, reject) => void (fail = reject)));
  const held = { ...services, preferences: { ...services.preferences, write } };
  const screen = await render(PageHost, { services: held, page: Prompt });
  await screen.getByLabelText('System message', { exact: true }).fill('Plan in rhymes. {{access}} {{examples}}');
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => write.mock.calls.length).toBe(1);
  await expect.element(screen.getByText('Saved.')).not.toBeInTheDocument();
  fail(new FaultError(fault('storage-full', 'The storage is full.')));
  await expect.element(screen.getByText('The storage is full.')).toBeVisible();
  write.mockResolvedValueOnce();
  await screen.getByRole('button', { name: 'Save' }).click();
  await expect.element(screen.getByText('Saved.')).toBeVisible();
});
