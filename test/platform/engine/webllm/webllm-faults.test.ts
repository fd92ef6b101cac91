/** @file Tests how WebLLM's output is parsed: its progress messages, its errors, and the empty thought before its answers. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FaultError, fault } from '../../../../src/core/contract';
import { TokenTexts } from '../../../../src/platform/engine/token-texts';
import { BoundsProcessor } from '../../../../src/platform/engine/webllm/bounds-processor';
import { createPrefixRemover } from '../../../../src/platform/engine/webllm/empty-thought';
import { listenForErrors } from '../../../../src/platform/engine/webllm/printed';
import { callFault, httpFault, loadFault } from '../../../../src/platform/engine/webllm/webllm-faults';
import { readProgress } from '../../../../src/platform/engine/webllm/progress';

const named = { label: 'Qwen2.5 7B', host: 'huggingface.co' };

function errorNamed(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

describe('progress', () => {
  it('is parsed from WebLLM’s messages', () => {
    const text = 'Loading model from cache[3/108]: 120MB loaded. 2% completed, 1 secs elapsed.';
    expect(readProgress({ progress: 0.25, text }, 4000)).toEqual({
      phase: 'loading',
      loaded: 1000,
      total: 4000,
      speed: null,
      cached: true,
    });
    const shaders = 'Loading GPU shader modules[70/84]: 83% completed, 0 secs elapsed.';
    expect(readProgress({ progress: 0.83, text: shaders }, 4000)).toMatchObject({ phase: 'compiling', loaded: null });
  });

  it('is null for unknown messages, and has no byte count if WebLLM reports NaN', () => {
    expect(readProgress({ progress: 0, text: 'Start to fetch params' }, null)).toBeNull();
    expect(readProgress({ progress: Number.NaN, text: 'Loading model from cache[0/0]' }, 10)).toMatchObject({
      loaded: null,
    });
  });
});

describe('a missing file', () => {
  it('is reported as a library if its name ends in .wasm', () => {
    const { message } = httpFault(404, 'https://libraries.example/q/Qwen2.5-7B_cs1k.wasm', named);
    expect(message).toContain('has no library Qwen2.5-7B_cs1k.wasm for Qwen2.5 7B');
    expect(httpFault(404, 'tokenizer.json', named).message).toContain('has no tokenizer.json for Qwen2.5 7B');
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (thrown) {
    return thrown;
  }
}

describe('the error that a library prints', () => {
  it('is returned once, with the lines that follow it', () => {
    const lines: unknown[][] = [];
    const target = { error: (...line: unknown[]) => void lines.push(line), warn: (..._line: unknown[]) => undefined };
    const printed = listenForErrors(target);
    target.error('a warning of the page');
    expect(printed()).toBe('');
    target.error('[FATAL] vm.cc:7: ValueError: no such thing');
    target.warn('Stack trace:');
    expect(printed()).toBe('vm.cc:7: ValueError: no such thing\nStack trace:');
    expect(printed()).toBe('');
    expect(lines).toHaveLength(2);
  });
});

describe('the loading error', () => {
  it.each([
    ['LinkError', 'WebAssembly.instantiate(): Import #0', 'bad-request', /another version of WebLLM/],
    ['CompileError', 'expected magic word', 'bad-request', /not a compiled library/],
    ['IntegrityError', 'hash', 'broken-reply', /doesn’t match its checksum/],
    ['ShaderF16SupportError', 'no f16', 'bad-request', /q4f32_1/],
    ['WebGPUNotAvailableError', 'no', 'bad-request', /needs WebGPU/],
    ['DeviceLostError', 'lost', 'too-large', /more memory/],
    ['Error', 'Unable to find a compatible GPU. This issue', 'bad-request', /needs a GPU/],
    ['Error', 'Cannot initialize runtime because of requested maxBufferSize exceeds limit.', 'too-large', /can’t run/],
    ['Error', 'Cannot find parameter in cache: param_0', 'bad-request', /for other weights/],
    ['Error', 'whatever', 'internal', /engine’s error/],
  ])('%s (%s) is converted to a fault with an explanation', (name, message, code, delta) => {
    const read = loadFault(errorNamed(name, message), named);
    expect(read.code).toBe(code);
    expect(read.message).toMatch(delta);
    expect(read.message).toContain('Qwen2.5 7B');
  });

  /** Emscripten throws such an object when a library ends. It is not an `Error`. */
  const exit = { name: 'ExitStatus', message: 'Program terminated with exit(1)', status: 1 };

  it('is explained by what the library printed before it ended', () => {
    const printed = 'tensor_cache.cc:333: ValueError: Cannot find parameter in cache: lm_head.q_scale';
    const { message, detail } = loadFault(exit, named, printed);
    expect(message).toMatch(/for other weights/);
    expect(detail).toBe(`${printed}\nExitStatus: Program terminated with exit(1)`);
    expect(loadFault(exit, named)).toMatchObject({
      code: 'internal',
      detail: 'ExitStatus: Program terminated with exit(1)',
    });
    expect(loadFault(exit, named, 'RuntimeError: out of memory')).toMatchObject({ code: 'too-large' });
  });

  it('is unchanged if it is already a fault', () => {
    const own = fault('not-found', 'There is none.');
    expect(loadFault(new FaultError(own), named)).toEqual(own);
  });
});

describe('an error while generating', () => {
  it('keeps the model loaded if the prompt or the grammar caused it', () => {
    expect(callFault(errorNamed('ContextWindowSizeExceededError', '5000; 4096'), named)).toMatchObject({
      isWell: true,
    });
    expect(callFault(errorNamed('GrammarMatcherInitError', 'x'), named)).toMatchObject({
      isWell: true,
      fault: { code: 'bad-request' },
    });
  });

  it('names scores that are not numbers, and does not suggest to try again', () => {
    const exit = { name: 'ExitStatus', message: 'Program terminated with exit(1)' };
    const found = callFault(exit, named, 'InternalError: Possibly prob distribution contains NAN.');
    expect(found).toMatchObject({ isWell: false, fault: { retryable: false } });
    expect(found.fault.message).toMatch(/not numbers \(NaN\).*q4f32_1 build/);
  });

  it('keeps the model loaded if Podium itself finds scores that are not numbers', () => {
    const processor = new BoundsProcessor(new TokenTexts(() => []));
    processor.begin([]);
    expect(processor.isNeeded).toBe(true);
    const fine = new Float32Array([1, -Infinity]);
    expect(processor.processLogits(fine)).toBe(fine);
    const scores = new Float32Array([1, Number.NaN]);
    const found = callFault(
      thrownBy(() => processor.processLogits(scores)),
      named,
    );
    expect(found).toMatchObject({ isWell: true, fault: { retryable: false } });
    expect(found.fault.message).toMatch(/NaN/);
    processor.processSampledToken(0);
    expect(processor.isNeeded).toBe(false);
  });

  it('discards the model if the prompt or the grammar did not cause it', () => {
    expect(callFault(new Error('Aborted()'), named).isWell).toBe(false);
    expect(callFault('a bare string', named)).toMatchObject({ isWell: false, fault: { detail: 'a bare string' } });
  });
});

describe('the empty thought', () => {
  const thought = '<think>\n\n</think>\n\n';

  it('is removed, and the rest stays unchanged, however the stream is split', () => {
    fc.assert(
      fc.property(fc.string(), fc.boolean(), fc.array(fc.nat({ max: 40 })), (answer, hasThought, cuts) => {
        const whole = hasThought ? thought + answer : `x${answer}`;
        const at = [0, ...cuts.toSorted((one, other) => one - other), whole.length];
        const visible = createPrefixRemover(true);
        const seen = at.slice(1).map((end, index) => visible(whole.slice(at[index], end)));
        expect(seen.join('')).toBe(hasThought ? answer : whole);
      }),
    );
  });

  it('stays if no empty thought is expected', () => {
    expect(createPrefixRemover(false)(thought)).toBe(thought);
  });
});
