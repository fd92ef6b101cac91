import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock';
import { createSandbox } from '../../../src/platform/sandbox/sandbox';
import { UNITTEST_CASES } from '../../fixtures/programs/unittest-cases';
import { verdictOn } from '../../fixtures/programs/verdict-on';

const runCode = createSandbox(systemClock);
afterAll(() => runCode.dispose());

test.each(UNITTEST_CASES)('a program that $name is $verdict', async (row) => {
  const found = await verdictOn(row, runCode);
  expect(found).toMatchObject({ verdict: row.verdict, sentence: expect.stringMatching(row.detail ?? /./) });
});
