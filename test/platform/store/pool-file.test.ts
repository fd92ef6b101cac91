import { describe, expect, it } from 'vitest';
import { FaultError } from '../../../src/core/contract';
import { readPoolFile } from '../../../src/platform/store/pool-file';

const worker = { id: 'one', baseUrl: 'http://localhost:8000/v1', model: 'small' };

/** Reads a pool file with one worker. `fields` is JSON, because numbers such as 1e999 have no other text. */
function read(fields: string) {
  const text = JSON.stringify({ format: 'podium-pool', version: 1, workers: [worker] });
  return readPoolFile(text.replace('"id":"one"', `"id":"one"${fields}`));
}

function refusal(fields: string): string {
  try {
    read(fields);
    return '';
  } catch (thrown) {
    return thrown instanceof FaultError ? thrown.fault.message : '';
  }
}

describe('the workers of a pool file', () => {
  it('keep valid values', () => {
    const fields =
      ',"price":{"input":0,"output":2.5},"firstByteSeconds":600,"limits":{"concurrent":4},"sampling":{"topP":0.9},"system":"Be terse."';
    expect(read(fields).workers).toMatchObject([
      { price: { input: 0, output: 2.5 }, firstByteSeconds: 600, limits: { concurrent: 4 }, sampling: { topP: 0.9 } },
    ]);
    expect(read(fields).workers).toMatchObject([{ system: 'Be terse.' }]);
    expect(read(',"price":null').workers).toMatchObject([{ price: null }]);
  });

  it.each([
    '{"input":-1,"output":1}',
    '{"input":1,"output":1e999}',
    '{"input":"NaN","output":1}',
    '{"input":1}',
    '"free"',
  ])('are refused with the price %s', (price) => {
    expect(refusal(`,"price":${price}`)).toContain('“price” of worker 1 has an invalid value');
  });

  it('are refused with an infinite price, which the message shows', () => {
    expect(refusal(',"price":{"input":1e999,"output":1}')).toContain('"input":"Infinity"');
  });

  it.each([
    '"firstByteSeconds":0',
    '"limits":{"concurrent":0.5}',
    '"sampling":{"topP":7}',
    '"needsKey":"no"',
    '"system":7',
  ])('are refused with %s', (field) => {
    expect(refusal(`,${field}`)).toContain('has an invalid value');
  });

  it.each(['ftp://host/v1', 'javascript:alert(1)', 'file:///etc/passwd', 'localhost:8000/v1', 'http://a:b@host/v1'])(
    'are refused with the address %s',
    (baseUrl) => {
      const text = JSON.stringify({ format: 'podium-pool', version: 1, workers: [{ ...worker, baseUrl }] });
      expect(() => readPoolFile(text)).toThrow('http:// or https://');
    },
  );
});
