import { expect, it } from 'vitest';
import { fault } from '../../../src/core/contract';
import { errorOfFault } from '../../../src/node/serve/http/api-error';

it('carries the words of the server, which the message announces', () => {
  const found = fault('bad-request', 'It failed. The server’s message is below.', { detail: 'No such setting.' });
  expect(errorOfFault(found).message).toBe('It failed. The server’s message is below.\nNo such setting.');
  expect(errorOfFault(fault('internal', 'It failed.', { detail: 'TypeError: x' })).message).toBe('It failed.');
});

it.each([
  ['overloaded', false, 503, undefined],
  ['overloaded', true, 503, 'false'],
  ['server-error', false, 502, 'false'],
  ['timeout', false, 504, 'false'],
] as const)(
  'maps the fault %s (paid: %s) to the status %i and the header x-should-retry: %s',
  (code, isPaid, status, header) => {
    const error = errorOfFault(fault(code, 'It failed.'), isPaid);
    expect([error.status, error.headers['x-should-retry']]).toEqual([status, header]);
  },
);
