import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { RUNTIME_BYTES } from '../../../../src/platform/engine/transformers/runtime-file';

test('the size of the runtime is told as it is', () => {
  const path = createRequire(import.meta.url).resolve('onnxruntime-web/ort-wasm-simd-threaded.asyncify.wasm');
  expect(RUNTIME_BYTES).toBe(statSync(path).size);
});
