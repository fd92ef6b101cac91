import { expect, it } from 'vitest';
import { dateAndTime, dayLabel, timeOfDay } from '../../../src/app/ui/dates';
import { errorReport } from '../../../src/app/frame/error-report';
import { runAddress } from '../../../src/app/shared/run-address';

it.each([1e300, -1e300, Number.NaN, Infinity, 8.64e15 + 1])(
  'shows “unknown date” or “–” for the invalid time %s',
  (at) => {
    expect([dateAndTime(at), dayLabel(at, 0), timeOfDay(at)]).toEqual(['unknown date', 'unknown date', '–']);
  },
);

it('encodes the run id in the address of a run, and adds the step if one is given', () => {
  expect(runAddress('a b/%?#')).toBe('#/runs/a%20b%2F%25%3F%23');
  expect(runAddress('\ud800')).toBe('#/runs/%EF%BF%BD');
  expect(runAddress('run-1', { round: 1, step: 2 })).toBe('#/runs/run-1?step=1.2');
});

it('reports an error with its code locations, and replaces run ids and long words with “…”', () => {
  const error = new TypeError('Refused with sk-canary-1234567890abcdefghij for a server');
  error.stack = `TypeError: sk-canary\n    at draw (http://localhost/assets/Runs-Ab_1.js:12:34)\n    at http://x/y?key=z`;
  expect(errorReport(error, '/runs/0123456789abcdef0123456789abcdef', '1.2.3')).toBe(
    'Podium 1.2.3, page /runs/…\nTypeError: Refused with … for a server\n  at Runs-Ab_1.js:12:34',
  );
  expect(errorReport('thrown text', '/', '1.2.3')).toBe('Podium 1.2.3, page /\nstring: thrown text');
});
