import { describe, expect, it } from 'vitest';
import { fault, FaultError } from '../../../../src/core/contract';
import { machineFault, readingFault, sessionFault } from '../../../../src/platform/engine/sentence/sentence-faults';

const NAMED = { label: 'Small', host: 'huggingface.co' };

/** Returns an error with a name, like the `DOMException` that a browser throws. */
function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

const MEMORY = new RangeError('WebAssembly.Memory(): could not allocate memory');
const SECURITY = named('SecurityError', "Failed to execute 'open' on 'CacheStorage'");
const NO_BACKEND = new Error('no available backend found. ERR: [wasm] ReferenceError: WebAssembly is not defined');
const PROTOBUF = new Error(
  "Can't create a session. ERROR_CODE: 7, ERROR_MESSAGE: Failed to load model because protobuf parsing failed.",
);

describe('undamaged files are not reported as damaged', () => {
  it.each([
    ['no memory', MEMORY, 'too-large'],
    ['no memory for the runtime', new Error(`no available backend found. ERR: [wasm] ${String(MEMORY)}`), 'too-large'],
    [
      'no memory for the session',
      new Error("Can't create a session. ERROR_CODE: 6, ERROR_MESSAGE: std::bad_alloc"),
      'too-large',
    ],
    ['no WebAssembly', NO_BACKEND, 'bad-request'],
    ['no storage', SECURITY, 'storage-failed'],
    ['full storage', named('QuotaExceededError', 'Quota exceeded.'), 'storage-full'],
    ['an unknown failure', new TypeError('x is undefined'), 'internal'],
    ['a known fault', new FaultError(fault('offline', 'Offline.')), 'offline'],
  ])('in case of %s', (_what, thrown, code) => {
    expect(sessionFault(thrown, NAMED).code).toBe(code);
    expect(machineFault(thrown, NAMED).code).not.toBe('broken-reply');
  });

  it.each([MEMORY, SECURITY])('when reading fails because of the machine: %s', (thrown) => {
    expect(readingFault(thrown, NAMED).code).not.toBe('broken-reply');
  });
});

describe('damaged files are reported', () => {
  it('when the runtime cannot read the weights', () => {
    expect(sessionFault(PROTOBUF, NAMED)).toMatchObject({ code: 'broken-reply', retryable: false });
  });

  it.each([
    new SyntaxError('Unexpected end of JSON input'),
    new TypeError("Cannot read properties of undefined (reading 'vocab')"),
    new FaultError(fault('broken-reply', 'config.json cannot be read.')),
  ])('when the configuration or tokenizer cannot be read: %s', (thrown) => {
    expect(readingFault(thrown, NAMED)).toMatchObject({
      code: 'broken-reply',
      message: expect.stringContaining('Download it again'),
    });
  });
});
