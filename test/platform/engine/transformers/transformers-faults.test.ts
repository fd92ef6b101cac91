import { describe, expect, it } from 'vitest';
import { fault, FaultError } from '../../../../src/core/contract';
import { crashFault, engineFault, networkFault } from '../../../../src/platform/engine/engine-faults';
import { httpFault } from '../../../../src/platform/engine/transformers/transformers-faults';

const NAMED = { label: 'Tiny', host: 'hub.example' };

describe('engine faults', () => {
  it('distinguish being offline from an unreachable server', () => {
    expect(networkFault(false, new TypeError('Failed to fetch'), NAMED)).toMatchObject({
      code: 'offline',
      retryable: true,
    });
    expect(networkFault(true, new TypeError('Failed to fetch'), NAMED)).toMatchObject({
      code: 'unreachable',
      retryable: true,
      detail: 'TypeError: Failed to fetch',
    });
  });

  it.each([
    [401, 'forbidden', false],
    [403, 'forbidden', false],
    [404, 'not-found', false],
    [429, 'rate-limited', true],
    [503, 'server-error', true],
  ])('name the hub that responded with status %i', (status, code, retryable) => {
    const fault = httpFault(status, 'config.json', NAMED);
    expect(fault).toMatchObject({ code, retryable });
    expect(fault.message).toContain('hub.example');
  });

  it.each([
    [new RangeError('Array buffer allocation failed'), 'too-large'],
    [new Error('std::bad_alloc'), 'too-large'],
    [new DOMException('No room', 'QuotaExceededError'), 'storage-full'],
    [new Error('A valid external Instance reference no longer exists: the device is lost'), 'interrupted'],
    [new Error('Something else'), 'internal'],
  ])('convert the error “%s” to the code “%s”', (thrown, code) => {
    expect(engineFault(thrown, NAMED)).toMatchObject({ code, message: expect.stringContaining('Tiny') });
  });

  it('keep the fault of a FaultError unchanged', () => {
    const known = fault('stalled', 'It is silent.');
    expect(engineFault(new FaultError(known), NAMED)).toBe(known);
  });

  it('distinguish a Web Worker that ran out of memory from one that crashed', () => {
    expect(crashFault(NAMED, 'RangeError: Out of memory')).toMatchObject({ code: 'too-large', retryable: false });
    expect(crashFault(NAMED, 'Uncaught Error')).toMatchObject({ code: 'interrupted', retryable: true });
  });
});
