import { expect, test } from 'vitest';
import { tooLongFor } from '../../../src/app/conduct/attached-words';
import { questionFile } from '../../fixtures/memory-images';
import { poolWorker } from '../../fixtures/run-events';

const long = questionFile('word '.repeat(40_000));
const question = { text: 'Why?', files: [questionFile('short', { name: 'short.txt' }), long] };
const sampling = { maxTokens: 1000 };
const small = poolWorker(0, { name: 'Small', contextWindow: 8000 });

test('names the workers whose context is too small, and the file to shorten', () => {
  const large = poolWorker(1, { name: 'Large', contextWindow: 200_000 });
  const unknown = poolWorker(2, { name: 'Unknown' });
  const found = tooLongFor(question, [small, large, unknown], sampling);
  expect(found?.note).toMatch(
    /^The question has about 50,\d{3} tokens, but Small reads at most about 5,\d{3}, and gets only/,
  );
  expect(found?.longest).toBe(long);
  expect(found?.room).toBeGreaterThan(4500);
  const two = tooLongFor(question, [small, { ...small, name: 'Tiny', contextWindow: 4000 }], sampling);
  expect(two?.note).toContain('but Small and Tiny read at most about 1,');
});

test('says nothing if the files fit, if no context is known, or without files', () => {
  expect(tooLongFor({ text: 'Why?', files: [questionFile('short')] }, [small], sampling)).toBeNull();
  expect(tooLongFor(question, [poolWorker(0)], sampling)).toBeNull();
  expect(tooLongFor({ text: 'Why?' }, [small], sampling)).toBeNull();
});
