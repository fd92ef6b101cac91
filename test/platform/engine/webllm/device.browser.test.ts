import { describe, expect, it } from 'vitest';
import { probeMachine } from '../../../../src/platform/engine/probe';
import { watchDevice } from '../../../../src/platform/engine/webllm/launch';

describe('the GPU of the test browser', () => {
  it('is detected as emulated on the CPU, without 16-bit shaders', async () => {
    const { gpu, gpuProblem, freeStorage } = await probeMachine();
    expect(gpuProblem).toBeNull();
    expect(gpu).toMatchObject({ software: true, half: false });
    expect(gpu?.maxBuffer).toBeGreaterThan(2 ** 27);
    expect(freeStorage).toBeGreaterThan(0);
  });

  it('is reported as lost when its device is lost', async () => {
    const { lost } = watchDevice();
    const adapter = await navigator.gpu.requestAdapter();
    const device = await adapter?.requestDevice();
    device?.destroy();
    expect(await lost).not.toBe('');
  });

  it('is reported as out of memory when an out-of-memory error occurs', async () => {
    const { lost } = watchDevice();
    const adapter = await navigator.gpu.requestAdapter();
    const device = await adapter?.requestDevice();
    const error = new GPUOutOfMemoryError('No room.');
    device?.dispatchEvent(new GPUUncapturedErrorEvent('uncapturederror', { error }));
    expect(await lost).toMatch(/Out of GPU memory\. No room\./);
    device?.destroy();
  });
});
