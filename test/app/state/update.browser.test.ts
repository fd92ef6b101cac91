import { expect, test } from 'vitest';
import { AppState } from '../../../src/app/state/app-state.svelte';
import { UpdateState } from '../../../src/app/state/update.svelte';
import type { AppUpdates } from '../../../src/core/contract';
import { conductStage } from '../conduct/conduct-services';

test('a page can subscribe to updates while a check for updates runs, and the check continues', async () => {
  let finishCheck: (found: boolean) => void = () => undefined;
  let subscribers = 0;
  const updates: AppUpdates = {
    isReady: false,
    subscribe: () => {
      subscribers += 1;
      return () => undefined;
    },
    check: () => new Promise((resolve) => (finishCheck = resolve)),
    whenIdle: () => Promise.resolve(),
    isIdle: () => Promise.resolve(true),
    apply: () => Promise.resolve(),
  };
  const { services } = conductStage();
  const update = new UpdateState(
    { app: { ...services.app, updates: () => Promise.resolve(updates) } },
    new AppState(services, ''),
  );
  const early = update.watch();
  const checked = update.check();
  await early;
  expect(update.doing).toBe('checking');
  await update.watch();
  expect(subscribers).toBe(2);
  expect(update.doing).toBe('checking');
  finishCheck(false);
  await checked;
  expect(update.doing).toBeNull();
  expect(update.isNewest).toBe(true);
});
