import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { isRuntime, RUNTIME_BYTES } from '../../../../src/platform/engine/transformers/runtime-file';

test('the pinned size and digest are those of the installed runtime, and do not match a changed file', async () => {
  const path = createRequire(import.meta.url).resolve('onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm');
  const bytes = new Uint8Array(readFileSync(path));
  expect(RUNTIME_BYTES).toBe(bytes.byteLength);
  expect(await isRuntime(bytes.buffer)).toBe(true);
  bytes[1_000] = (bytes[1_000] ?? 0) ^ 1;
  expect(await isRuntime(bytes.buffer)).toBe(false);
});
