import { expect, it } from 'vitest';
import { fault } from '../../../src/core/contract';
import { errorOfFault } from '../../../src/node/serve/http/api-error';

it.each([
  ['overloaded', false, 503, undefined],
  ['overloaded', true, 503, 'false'],
  ['server-error', false, 502, 'false'],
  ['timeout', false, 504, 'false'],
] as const)(
  'states in a header whether clients may retry automatically after the fault %s (paid: %s)',
  (code, isPaid, status, header) => {
    const error = errorOfFault(fault(code, 'It failed.'), isPaid);
    expect([error.status, error.headers['x-should-retry']]).toEqual([status, header]);
  },
);
