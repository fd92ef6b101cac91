import * as fc from 'fast-check';
import { MLCEngine } from '@mlc-ai/web-llm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { GpuProbe } from '../../../src/core/contract';
import { cardGpu } from './machines';
import { largestTensorOn, missingForWebLlm } from '../../../src/platform/engine/fit';

type Limits = Record<string, number | undefined>;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Returns the limits that the installed WebLLM requests from this GPU. `null` if WebLLM rejects the GPU. */
async function requestedOf(gpu: GpuProbe): Promise<Limits | null> {
  let requested: Limits | null = null;
  const adapter = {
    limits: {
      maxBufferSize: gpu.maxBuffer,
      maxStorageBufferBindingSize: gpu.maxStorageBinding,
      maxComputeWorkgroupStorageSize: gpu.maxWorkgroupStorage,
      maxStorageBuffersPerShaderStage: gpu.maxStorageBuffers,
      maxComputeInvocationsPerWorkgroup: 1024,
    },
    features: new Set<string>(),
    info: {},
    requestDevice({ requiredLimits }: { requiredLimits: Limits }) {
      requested = requiredLimits;
      return Promise.resolve({ limits: requiredLimits });
    },
  };
  vi.stubGlobal('navigator', { gpu: { requestAdapter: () => Promise.resolve(adapter) } });
  await new MLCEngine({ logLevel: 'SILENT' }).getMaxStorageBufferBindingSize().catch((thrown: unknown) => {
    expect(String(thrown)).toMatch(/requested max\w+ exceeds limit/);
  });
  return requested;
}

/** Sizes in bytes: near the powers of two that WebLLM may request, or random. */
const size = fc.oneof(
  fc.integer({ min: 26, max: 32 }).chain((power) => fc.integer({ min: 2 ** power - 1, max: 2 ** power + 1 })),
  fc.integer({ min: 2 ** 26, max: 2 ** 32 }),
);

describe('the GPU limits that Podium checks', () => {
  it('are those that the installed WebLLM requests', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await fc.assert(
      fc.asyncProperty(
        size,
        size,
        fc.integer({ min: 2 ** 14, max: 2 ** 16 }),
        fc.integer({ min: 6, max: 16 }),
        async (maxBuffer, maxStorageBinding, maxWorkgroupStorage, maxStorageBuffers) => {
          const gpu = { ...cardGpu, maxBuffer, maxStorageBinding, maxWorkgroupStorage, maxStorageBuffers };
          const requested = await requestedOf(gpu);
          expect(missingForWebLlm(gpu) === null).toBe(requested !== null);
          if (!requested) return;
          const { maxBufferSize = 0, maxStorageBufferBindingSize = 0 } = requested;
          expect(largestTensorOn(gpu)).toBe(Math.min(maxBufferSize, maxStorageBufferBindingSize));
        },
      ),
      { numRuns: 500 },
    );
  });
});
