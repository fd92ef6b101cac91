import { expect, test } from 'vitest';
import { missingWords, nearnessWords } from '../../../../src/app/shared/filters/nearness-words';

const none = { words: 'trains', nearness: null, isReading: false, isModelInUse: true };
const nearness = { by: 'MiniLM', similarities: { one: 0.8, two: 0.7 }, beyond: 0, missing: 0 };

test('a search by meaning asks for words if none are typed', () => {
  expect(nearnessWords({ ...none, words: ' ' })).toMatch(/^Type a question or a few words/);
});

test('a search by meaning without a result shows that it is in progress, or why it can’t run', () => {
  expect(nearnessWords({ ...none, isReading: true })).toBe('Comparing questions by meaning…');
  expect(nearnessWords(none)).toMatch(/not available now\. The Models page shows the reason/);
  expect(nearnessWords({ ...none, isModelInUse: false })).toMatch(/needs a sentence model.*Choose one on Models/);
});

test('a search by meaning names the model, the number of omitted runs, and a lack of similar runs', () => {
  expect(nearnessWords({ ...none, nearness })).toBe(
    'Compared by MiniLM. The number beside a question is its similarity, at most 1.',
  );
  expect(nearnessWords({ ...none, nearness: { ...nearness, beyond: 1200 } })).toMatch(
    /The nearest 2 runs are shown, and 1,200 less similar ones are left out\.$/,
  );
  expect(nearnessWords({ ...none, nearness: { ...nearness, similarities: {} } })).toMatch(
    /^No question has a similar meaning, according to MiniLM/,
  );
});

test('says how many runs can’t be found by meaning yet', () => {
  expect(missingWords(nearness)).toBe('');
  expect(missingWords({ missing: 1 })).toBe('1 run can’t be found by meaning yet.');
  expect(missingWords({ missing: 2000 })).toBe('2,000 runs can’t be found by meaning yet.');
});
