/**
 * @file LiveCodeBench: problems from programming contests (livecodebench/code_generation_lite). A test either
 * runs the program with given standard input, or calls a function of the program.
 */
import { parseJson, type TableRow } from '../../../contract';
import { PROGRAM, STARTER } from '../program-wordings';
import { programReference } from '../program-reference';
import { optionalText, requiredText, valueAt } from '../row-fields';
import type { SetMap } from './set-map';

const file = (label: string, path: string) => ({
  label,
  address: { repository: 'livecodebench/code_generation_lite', file: path },
  isGated: false,
});

export const liveCodeBench: SetMap = {
  info: {
    set: 'livecodebench',
    title: 'LiveCodeBench',
    grader: 'python',
    isConfidential: false,
    // The newest file comes first. It is the smallest, and arXiv 2512.04388 uses it for testing.
    files: [
      file('v6: 175 problems, about 134 MB', 'test6.jsonl'),
      file('v5: 167 problems, about 558 MB', 'test5.jsonl'),
      file('v4: 101 problems, about 1.2 GB', 'test4.jsonl'),
      file('v3: 101 problems, about 623 MB', 'test3.jsonl'),
      file('v2: 111 problems, about 713 MB', 'test2.jsonl'),
      file('v1: 400 problems, about 1.25 GB', 'test.jsonl'),
    ],
  },
  columns: ['question_content', 'question_id', 'starter_code', 'public_test_cases', 'private_test_cases', 'metadata'],
  task(row) {
    const id = requiredText(row, 'question_id');
    const difficulty = optionalText(row, 'difficulty');
    const caution = erratumOf(id, optionalText(row, 'question_title') ?? '');
    return {
      id,
      question: questionOf(requiredText(row, 'question_content'), optionalText(row, 'starter_code')),
      reference: programReference({
        tests: valueAt(row, 'public_test_cases'),
        privateTests: valueAt(row, 'private_test_cases'),
        functionName: functionNameOf(row),
      }),
      grader: 'python',
      domain: 'code',
      ...(difficulty !== null && { group: difficulty }),
      ...(caution !== null && { caution }),
    };
  },
};

function questionOf(text: string, starterCode: string | null): string {
  const wording = starterCode === null ? PROGRAM : STARTER.replace('{{starter}}', () => starterCode);
  return wording.replace('{{}}', () => text.trim());
}

function functionNameOf(row: TableRow): string | null {
  const metadata = valueAt(row, 'metadata');
  const value = typeof metadata === 'string' ? parseJson(metadata) : metadata;
  return typeof value === 'object' && value !== null ? optionalText(value as TableRow, 'func_name') : null;
}

/** Tasks of LiveCodeBench with known errors (ERRATA.md in github.com/LiveCodeBench/LiveCodeBench). */
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
function erratumOf(id: string, title: string): string | null {
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return ERRATA.get(id) ?? ERRATA.get(slug) ?? null;
}
