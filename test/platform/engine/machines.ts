/** @file Machines for tests, as the probe (the check of the GPU, the memory and the storage) describes them. */
import type { GpuProbe, MachineProbe } from '../../../src/core/contract';

export const appleGpu: GpuProbe = {
  vendor: 'apple',
  architecture: 'metal-3',
  description: 'Apple M2 Pro',
  software: false,
  half: true,
  maxBuffer: 4 * 2 ** 30,
  maxStorageBinding: 4 * 2 ** 30,
  maxWorkgroupStorage: 2 ** 15,
  maxStorageBuffers: 10,
};
export const cardGpu: GpuProbe = { ...appleGpu, vendor: 'nvidia', architecture: 'ada', description: '' };
export const softwareGpu: GpuProbe = {
  ...appleGpu,
  vendor: 'google',
  architecture: 'swiftshader',
  description: '',
  software: true,
  half: false,
};

export const laptop: MachineProbe = { gpu: appleGpu, gpuProblem: null, isPhone: false, memory: 8, freeStorage: 60e9 };
export const roomy: MachineProbe = { ...laptop, memory: 16 };
export const desktop: MachineProbe = { ...laptop, gpu: cardGpu };
export const noGpu: MachineProbe = { ...laptop, gpu: null, gpuProblem: 'This browser offers no WebGPU to this page.' };
export const phone: MachineProbe = { ...laptop, isPhone: true, memory: 4 };
