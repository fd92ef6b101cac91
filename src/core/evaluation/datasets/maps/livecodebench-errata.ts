/** @file Tasks of LiveCodeBench with known errors (ERRATA.md in github.com/LiveCodeBench/LiveCodeBench). */
const SEVERAL_ANSWERS =
  'Several outputs are right, but the tests accept only one. So a correct program may be graded as wrong.';
const INTERACTIVE = 'The task is interactive, which the tests don’t support. So no program can pass.';
const WRONG_TESTS = 'The tests are wrong. So no program can pass.';

const ERRATA: ReadonlyMap<string, string> = new Map([
  ['abc311_c', SEVERAL_ANSWERS],
  ['abc326_d', SEVERAL_ANSWERS],
  ['abc327_b', SEVERAL_ANSWERS],
  ['abc333_e', SEVERAL_ANSWERS],
  ['abc343_e', SEVERAL_ANSWERS],
  ['abc362_c', SEVERAL_ANSWERS],
  ['find-words-containing-character', SEVERAL_ANSWERS],
  ['find-the-peaks', SEVERAL_ANSWERS],
  ['generate-binary-strings-without-adjacent-zeros', SEVERAL_ANSWERS],
  ['abc337_e', INTERACTIVE],
  ['abc355_e', INTERACTIVE],
  ['abc350_c', WRONG_TESTS],
]);

/**
 * The known error of a task, as sentences. `null`: no error is known. Tasks of AtCoder are found by id, tasks
 * of LeetCode by title.
 */
export function erratumOf(id: string, title: string): string | null {
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return ERRATA.get(id) ?? ERRATA.get(slug) ?? null;
}
