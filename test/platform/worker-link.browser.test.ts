import { expect, it } from 'vitest';
import { WorkerLink } from '../../src/platform/worker-link';
import { workerOf } from '../fixtures/scripted-worker';

const { signal } = new AbortController();

/** Calls a Web Worker that runs `script`. Returns all reports, and the error that was thrown after them, if any. */
async function gather(script: string) {
  const link = new WorkerLink({
    start: workerOf(script),
    read: (data) => data,
    errorOf: ({ kind, detail }) => new Error(`${kind}: ${detail}`),
  });
  const all: unknown[] = [];
  try {
    for await (const report of link.call('start', signal)) all.push(report);
  } catch (thrown) {
    return { all, error: thrown instanceof Error ? thrown : null };
  }
  return { all, error: null };
}

it('yields all reports before it throws the error that follows them', async () => {
  const { all, error } = await gather(
    'oncall = (call) => { report(call, 1); report(call, 2); setTimeout(() => { throw new Error("gone"); }); }',
  );
  expect(all).toEqual([1, 2]);
  expect(error?.message).toMatch(/^crashed: .*gone/);
});

it.each([
  ['a script that fails before its first message', 'throw new Error("gone")', /^not-loaded: .*gone/],
  [
    'a script that fails at its first call',
    'postMessage({ type: "ready" }); oncall = () => { throw new Error("memory"); }',
    /^crashed: .*memory/,
  ],
  ['an invalid message', 'oncall = () => postMessage("what?")', /^crashed: A message could not be read/],
  ['an error with a very long message', 'throw new Error("x".repeat(2 ** 20))', /^not-loaded: .{0,500}$/],
])('throws the error from `errorOf` after %s', async (_, script, message) => {
  const { all, error } = await gather(script);
  expect(all).toEqual([]);
  expect(error?.message).toMatch(message);
});
