import { expect, test } from 'vitest';
import { datesOf } from '../../../src/app/analyze/sequence-dates';

const at = (year: number, day: number, hour: number) => new Date(year, 10, day, hour).getTime();
const labels = (...times: number[]) => datesOf(times.map((to, run) => ({ run, to }))).map(({ text }) => text);

test('runs of one day are labelled with times of day', () => {
  expect(labels(at(2026, 20, 9), at(2026, 20, 17))).toEqual(['09:00', '17:00']);
});

test('runs of several days are labelled with dates', () => {
  expect(labels(at(2026, 20, 9), at(2026, 21, 9))).toEqual(['20 Nov', '21 Nov']);
});

test('runs of two years are labelled with dates that contain the year', () => {
  expect(labels(at(2025, 20, 9), at(2026, 20, 9))).toEqual(['20 Nov 2025', '20 Nov 2026']);
});

test('an invalid time gets no label', () => {
  expect(labels(Number.NaN, at(2026, 20, 9))).toEqual(['09:00']);
});
