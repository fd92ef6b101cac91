import { expect, test } from 'vitest';
import { RawEvents } from '../../../src/app/run/raw-events.svelte';
import type { ChooseTarget } from '../../../src/app/state/save-file';

const runs = { open: () => Promise.resolve(null) };

test('a failed save is reported as a fault, and an aborted save is not', async () => {
  const closing = new AbortController();
  const choose: ChooseTarget = () =>
    Promise.resolve({
      write: (_stream, signal) => {
        closing.abort();
        return Promise.reject<void>(signal.reason);
      },
    });
  const stopped = new RawEvents(runs, 'run', choose);
  await stopped.save(closing.signal);
  expect(stopped.fault).toBeNull();

  const full: ChooseTarget = () => Promise.resolve({ write: () => Promise.reject(new Error('disk full')) });
  const failed = new RawEvents(runs, 'run', full);
  await failed.save(new AbortController().signal);
  expect(failed.fault).not.toBeNull();
});
