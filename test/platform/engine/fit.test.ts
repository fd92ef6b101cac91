import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FitVerdict, MachineProbe, ModelManifest } from '../../../src/core/contract';
import { fitModel, gpuRoom } from '../../../src/platform/engine/fit';
import { builtInManifests } from '../../../src/platform/engine/manifests';
import { appleGpu, cardGpu, desktop, laptop, noGpu, phone, roomy, softwareGpu } from './machines';

const all = builtInManifests();

function manifest(id: string): ModelManifest {
  const found = all.find((each) => each.id === id);
  if (!found) throw new Error(`no manifest ${id}`);
  return found;
}

const seven = manifest('webllm:Qwen2.5-7B-Instruct-q4f16_1-MLC');
const eight = manifest('webllm:Qwen3-8B-q4f16_1-MLC');
const small = manifest('webllm:Qwen2.5-1.5B-Instruct-q4f16_1-MLC');
const onnx = manifest('transformers:onnx-community/Qwen2.5-0.5B-Instruct');
const own: ModelManifest = { ...seven, id: 'own:1', memory: null, download: null };

const sevenSlow = 'webllm:Qwen2.5-7B-Instruct-q4f32_1-MLC';

interface Row {
  readonly name: string;
  readonly model: ModelManifest;
  readonly machine: MachineProbe;
  readonly fit: FitVerdict['fit'];
  readonly delta: RegExp;
  readonly instead?: string | null;
}

const rows: readonly Row[] = [
  { name: '7B, much memory', model: seven, machine: roomy, fit: 'well', delta: /5\.1 GB.*4\.3 GB/ },
  { name: '7B, a graphics card', model: seven, machine: desktop, fit: 'well', delta: /5\.1 GB/ },
  { name: '8B, a graphics card', model: eight, machine: desktop, fit: 'tight', delta: /doesn’t report/ },
  { name: '7B where the browser caps memory', model: seven, machine: laptop, fit: 'tight', delta: /5\.3 GB or more/ },
  { name: '7B, 4 GB', model: seven, machine: { ...laptop, memory: 4 }, fit: 'no', delta: /about 4 GB/ },
  { name: '1.5B, 4 GB', model: small, machine: { ...laptop, memory: 4 }, fit: 'well', delta: /1\.6 GB/ },
  {
    name: '7B without 16-bit shaders',
    model: seven,
    machine: { ...roomy, gpu: { ...appleGpu, half: false } },
    fit: 'no',
    delta: /16-bit shaders/,
    instead: sevenSlow,
  },
  { name: '7B without WebGPU', model: seven, machine: noGpu, fit: 'no', delta: /no WebGPU/ },
  { name: 'ONNX without WebGPU', model: onnx, machine: noGpu, fit: 'tight', delta: /on the CPU/ },
  { name: '7B on a phone', model: seven, machine: phone, fit: 'no', delta: /phone/i },
  { name: 'ONNX on a phone', model: onnx, machine: phone, fit: 'tight', delta: /phone/i, instead: null },
  {
    name: '1.5B on an emulated GPU',
    model: manifest('webllm:Qwen2.5-1.5B-Instruct-q4f32_1-MLC'),
    machine: { ...laptop, gpu: softwareGpu },
    fit: 'no',
    delta: /emulated/,
  },
  {
    name: '7B where storage bindings may have 512 MB, but WebLLM requests only 128 MB',
    model: seven,
    machine: { ...desktop, gpu: { ...cardGpu, maxStorageBinding: 512 * 2 ** 20 } },
    fit: 'no',
    delta: /buffers of up to 134 MB/,
  },
  {
    name: '1.5B where storage bindings may have 128 MB',
    model: small,
    machine: { ...desktop, gpu: { ...cardGpu, maxStorageBinding: 128 * 2 ** 20 } },
    fit: 'well',
    delta: /1\.6 GB/,
  },
  {
    name: 'a model with an unknown largest tensor, where storage bindings may have 128 MB',
    model: { ...small, largestTensor: undefined },
    machine: { ...desktop, gpu: { ...cardGpu, maxStorageBinding: 128 * 2 ** 20 } },
    fit: 'tight',
    delta: /buffers of up to 134 MB.*may need more/,
  },
  {
    name: '1.5B where workgroups share 16 KB',
    model: small,
    machine: { ...desktop, gpu: { ...cardGpu, maxWorkgroupStorage: 2 ** 14 } },
    fit: 'no',
    delta: /needs 32 KB of memory for each workgroup/,
  },
  {
    name: '1.5B where a shader has 8 storage buffers',
    model: small,
    machine: { ...desktop, gpu: { ...cardGpu, maxStorageBuffers: 8 } },
    fit: 'no',
    delta: /needs 10 storage buffers/,
  },
  { name: '7B, 2 GB of disk', model: seven, machine: { ...roomy, freeStorage: 2e9 }, fit: 'no', delta: /2\.0 GB more/ },
  {
    name: '7B, 4.5 GB of disk',
    model: seven,
    machine: { ...roomy, freeStorage: 4.5e9 },
    fit: 'tight',
    delta: /only 4\.5/,
  },
  { name: 'disk unknown', model: seven, machine: { ...roomy, freeStorage: null }, fit: 'well', delta: /5\.1 GB/ },
  { name: 'size unknown', model: own, machine: roomy, fit: 'tight', delta: /is unknown/ },
];

describe('the verdict on running a model', () => {
  it.each(rows)('$name: $fit', ({ model, machine, fit, delta, instead }) => {
    const verdict = fitModel(model, machine, all);
    expect(verdict.fit).toBe(fit);
    expect(verdict.reasons[0]).toMatch(delta);
    if (instead !== undefined) expect(verdict.instead).toBe(instead);
  });

  it('requires no storage for files that are already downloaded', () => {
    const machine = { ...roomy, freeStorage: 1e9 };
    expect(fitModel(seven, machine, all).fit).toBe('no');
    expect(fitModel(seven, machine, all, 4.2e9).fit).toBe('well');
  });

  it('recommends a server or the built-in Conductor if no listed model can run on the machine', () => {
    const verdict = fitModel(seven, { ...noGpu, freeStorage: 0 }, all);
    expect(verdict.instead).toBeNull();
    expect(verdict.reasons.at(-1)).toMatch(/server as the Conductor, or the built-in Conductor/);
  });

  it('recommends a model that runs on the CPU if there is no WebGPU', () => {
    expect(fitModel(seven, noGpu, all).instead).toMatch(/^transformers:/);
  });

  const machines = fc.record({
    gpu: fc.option(
      fc.record({
        vendor: fc.constantFrom('apple', 'nvidia', 'amd', 'intel', ''),
        architecture: fc.string(),
        description: fc.string(),
        software: fc.boolean(),
        half: fc.boolean(),
        maxBuffer: fc.integer({ min: 2 ** 27, max: 2 ** 31 }),
        maxStorageBinding: fc.integer({ min: 2 ** 26, max: 2 ** 31 }),
        maxWorkgroupStorage: fc.constantFrom(2 ** 14, 2 ** 15),
        maxStorageBuffers: fc.constantFrom(8, 10, 44),
      }),
    ),
    gpuProblem: fc.constant('No GPU.'),
    isPhone: fc.boolean(),
    memory: fc.option(fc.constantFrom(0.5, 1, 2, 4, 8, 16, 32)),
    freeStorage: fc.option(fc.integer({ min: 0, max: 1e11 })),
  });

  it('recommends only models that can run, and gives its reasons in sentences', () => {
    fc.assert(
      fc.property(machines, fc.constantFrom(...all), (machine, model) => {
        const { fit, reasons, instead } = fitModel(model, machine, all);
        expect(reasons.length).toBeGreaterThan(0);
        for (const reason of reasons) expect(reason).toMatch(/^[A-Z].*\.$/);
        if (fit !== 'no') expect(instead).toBeNull();
        else expect(reasons.at(-1)).toMatch(/built-in Conductor/);
        if (instead !== null) expect(fitModel(manifest(instead), machine, all).fit).not.toBe('no');
      }),
    );
  });

  it('never gets worse with more free storage', () => {
    const order = ['no', 'tight', 'well'];
    fc.assert(
      fc.property(machines, fc.constantFrom(...all), fc.integer({ min: 0, max: 1e11 }), (machine, model, more) => {
        const freeStorage = (machine.freeStorage ?? 0) + more;
        const before = fitModel(model, { ...machine, freeStorage: machine.freeStorage ?? 0 }, all).fit;
        expect(order.indexOf(fitModel(model, { ...machine, freeStorage }, all).fit)).toBeGreaterThanOrEqual(
          order.indexOf(before),
        );
      }),
    );
  });
});

describe('the GPU memory for a model', () => {
  it('is unknown if the machine’s memory is unknown, or is not shared with the GPU', () => {
    expect(gpuRoom(roomy)).toBeCloseTo(10.67e9, -8);
    expect(gpuRoom(desktop)).toBeNull();
    expect(gpuRoom(noGpu)).toBeNull();
    expect(gpuRoom({ ...roomy, memory: null })).toBeNull();
  });
});
