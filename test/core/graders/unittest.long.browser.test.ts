import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../../src/platform/clock';
import { failedUnitTests, UNITTEST_LIMITS } from '../../../src/core/graders/unittest';
import { readTests } from '../../../src/core/graders/programs/program-task';
import { createSandbox } from '../../../src/platform/sandbox/sandbox';
import { createSharedRoom } from '../../fixtures/programs/shared-room';
import { UNITTEST_CASES } from '../../fixtures/programs/unittest-cases';
import { verdictOn } from '../../fixtures/programs/verdict-on';

const own = createSandbox(systemClock);
const shared = createSharedRoom();
afterAll(() => {
  own.dispose();
  shared.dispose();
});

test.each(UNITTEST_CASES)('a program that $name is $verdict', async (row) => {
  const found = await verdictOn(row, row.spoilsRoom ? own : shared);
  expect(found).toMatchObject({ verdict: row.verdict, sentence: expect.stringMatching(row.detail ?? /./) });
});

test('the unit tests that a program fails are named', async () => {
  const { signal } = new AbortController();
  const failedBy = async (name: string) => {
    const row = UNITTEST_CASES.find((each) => each.name === name);
    const tests = row && (await readTests(row, 'unittest', undefined, signal));
    if (tests?.kind !== 'unittest') throw new Error('The case has no tests.');
    return failedUnitTests(row?.program ?? '', tests, UNITTEST_LIMITS, shared, signal);
  };
  expect(await failedBy('counts words')).toEqual([]);
  expect(await failedBy('does not convert to lower case')).toEqual(['test_case']);
  expect(await failedBy('exits when it is imported')).toBeNull();
});
