import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bundleReplayViewer } from '../../scripts/replay-viewer.ts';
import { createReplayFileWriter } from '../../src/platform/store/replay-file/write';
import { simulatedRuns } from '../fixtures/simulated-runs';

/** Maximum size of the gzipped viewer, bytes. */
const LARGEST = 120_000;
/** Maximum size of the viewer in each replay file, bytes. */
const LARGEST_PLAIN = 164_000;

// A build sets this variable too. Without it, Svelte adds its messages for developers.
process.env.NODE_ENV = 'production';

test('the replay viewer is at most 164 kB (120 kB gzipped), and uses no network, storage or Web Worker', async () => {
  const { script, style, scriptHash, styleHash } = await bundleReplayViewer();
  const bytes = Buffer.byteLength(script + style);
  const gzipped = gzipSync(script + style).length;
  console.log(`Viewer: ${gzipped} bytes gzipped, ${bytes} in each file.`);
  expect(gzipped).toBeLessThanOrEqual(LARGEST);
  expect(bytes).toBeLessThanOrEqual(LARGEST_PLAIN);
  for (const [text, hash] of [
    [script, scriptHash],
    [style, styleHash],
  ] as const) {
    expect(hash).toBe(`sha256-${createHash('sha256').update(text).digest('base64')}`);
    expect(text).not.toMatch(/<\/(?:script|style)|<!--|\r|\0/i);
  }
  expect(style).not.toMatch(/url\(|@import|@font-face/);
  expect(script).not.toMatch(
    /\bfetch\(|XMLHttpRequest|WebSocket|EventSource|sendBeacon|localStorage|sessionStorage|indexedDB|\bcaches\b|serviceWorker|new (?:Shared)?Worker|importScripts|\beval\(|new Function/,
  );
});

test('a replay file with 30 simulated runs is at most 0.5 MB', async () => {
  const runs = await simulatedRuns(30);
  const viewer = await bundleReplayViewer();
  const writer = createReplayFileWriter({
    store: { read: (id) => Promise.resolve(runs.get(id) ?? []), image: () => Promise.resolve(null) },
    clock: { now: () => 0 },
    viewer: () => Promise.resolve(viewer),
    keyFinder: () => Promise.resolve(() => false),
    confidentiality: () => Promise.resolve(() => Promise.resolve(false)),
  });
  const { file, outputs, ...written } = await writer.write({
    ids: [...runs.keys()],
    attachments: true,
    signal: new AbortController().signal,
  });
  console.log(`30 runs with ${outputs} outputs: ${file.size} bytes.`);
  expect(written).toMatchObject({ runs: 30, simulated: 30, withheld: [], leftOut: [] });
  expect(outputs).toBeGreaterThan(60);
  expect(file.size).toBeLessThanOrEqual(500_000);
});
