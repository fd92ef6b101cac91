import { describe, expect, it } from 'vitest';
import { probeMachine, type ProbedAdapter, type ProbedNavigator } from '../../../src/platform/engine/probe';

const adapter: ProbedAdapter = {
  info: { vendor: 'apple', architecture: 'metal-3', description: '' },
  features: new Set(['shader-f16']),
  limits: {
    maxBufferSize: 2 ** 32,
    maxStorageBufferBindingSize: 2 ** 31,
    maxComputeWorkgroupStorageSize: 2 ** 15,
    maxStorageBuffersPerShaderStage: 10,
  },
};
const desktop: ProbedNavigator = {
  gpu: { requestAdapter: () => Promise.resolve(adapter) },
  userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
  platform: 'MacIntel',
  maxTouchPoints: 0,
  deviceMemory: 8,
  storage: { estimate: () => Promise.resolve({ usage: 10, quota: 110 }) },
};

describe('the probe', () => {
  it('reports the GPU, memory and storage of the machine from browser APIs', async () => {
    expect(await probeMachine(desktop)).toEqual({
      gpu: {
        vendor: 'apple',
        architecture: 'metal-3',
        description: '',
        software: false,
        half: true,
        maxBuffer: 2 ** 32,
        maxStorageBinding: 2 ** 31,
        maxWorkgroupStorage: 2 ** 15,
        maxStorageBuffers: 10,
      },
      gpuProblem: null,
      isPhone: false,
      memory: 8,
      freeStorage: 100,
    });
  });

  it.each([
    ['no WebGPU', { ...desktop, gpu: undefined }, /WebGPU isn’t available/],
    ['no adapter', { ...desktop, gpu: { requestAdapter: () => Promise.resolve(null) } }, /no usable GPU/],
    [
      'a rejected request',
      { ...desktop, gpu: { requestAdapter: () => Promise.reject(new Error('no')) } },
      /no usable GPU/,
    ],
  ])('reports why there is no GPU: %s', async (_name, navigator, pattern) => {
    const { gpu, gpuProblem } = await probeMachine(navigator);
    expect(gpu).toBeNull();
    expect(gpuProblem).toMatch(pattern);
  });

  it.each([
    ['by name', { vendor: 'google', architecture: 'swiftshader' }],
    ['by description', { description: 'llvmpipe (LLVM 17.0)' }],
    ['by its own report', { vendor: 'x', isFallbackAdapter: true }],
  ])('recognizes a GPU that is emulated on the CPU: %s', async (_name, info) => {
    const gpu = { requestAdapter: () => Promise.resolve({ ...adapter, info }) };
    expect((await probeMachine({ ...desktop, gpu })).gpu?.software).toBe(true);
  });

  it.each([
    ['Android', { userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Mobile' }],
    ['iPhone', { userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' }],
    ['iPad', { maxTouchPoints: 5 }],
    ['by its own report', { userAgentData: { mobile: true } }],
  ])('recognizes a phone or tablet: %s', async (_name, traits) => {
    expect((await probeMachine({ ...desktop, ...traits })).isPhone).toBe(true);
  });

  it('reports null for memory and storage that the browser does not provide', async () => {
    const { memory, freeStorage } = await probeMachine({ userAgent: '' });
    expect({ memory, freeStorage }).toEqual({ memory: null, freeStorage: null });
    const storage = { estimate: () => Promise.reject(new Error('no')) };
    expect((await probeMachine({ ...desktop, storage })).freeStorage).toBeNull();
  });
});
