import { expect, it } from 'vitest';
import { fault } from '../../../src/core/contract';
import { errorOfFault } from '../../../src/node/serve/http/api-error';

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
