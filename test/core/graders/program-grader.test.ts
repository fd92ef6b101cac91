import { expect, test } from 'vitest';
import type {
  AnswerComparison,
  CodeOutcome,
  CodeRunner,
  EvaluationTask,
  GradingProfile,
  Run,
} from '../../../src/core/contract';
import { checkGradable, graderFor } from '../../../src/core/graders/grader-for';
import { groupByTests, hasTests } from '../../../src/core/graders/tested-programs';
import { verdictOf } from '../../../src/core/graders/unittest';
import { compareByTests } from '../../../src/core/runs/compare-answers';

const { signal } = new AbortController();
const TESTS = {
  tests: [
    { input: '1', output: '2', testtype: 'stdin' },
    { input: '2', output: '4', testtype: 'stdin' },
    { input: '3', output: '6', testtype: 'stdin' },
  ],
};
const TASK = { question: 'Double it.', reference: JSON.stringify(TESTS) };
const DONE: CodeOutcome = { ok: true, stdout: '', stderr: '', time: 1 };

/** A fake code runner. `play` returns the outcome of a program for the input of one test. */
function runnerOf(play: (program: string, input: string) => Partial<CodeOutcome>) {
  const pieces: string[] = [];
  let open = 0;
  const runCode: CodeRunner = {
    run: () => Promise.reject(new Error('Not a session.')),
    dispose: () => undefined,
    async open() {
      open += 1;
      let program = '';
      return {
        close: () => void (open -= 1),
        async run(code, { stdin = '' }) {
          pieces.push(code);
          if (code === 'load()') program = stdin;
          return code === 'run_script()' || code === 'run_tests()' ? { ...DONE, ...play(program, stdin) } : DONE;
        },
      };
    },
  };
  return { runCode, pieces, open: () => open };
}

const doubles = (program: string, input: string) => ({
  stdout: program === 'right' ? String(2 * Number(input)) : input === '1' ? '2' : '0',
});
const answer = (program: string) => `\`\`\`python\n${program}\n\`\`\``;

function grade(runCode: CodeRunner, program: string, task: object = {}, profile: GradingProfile = 'strict') {
  const grader = graderFor('python', profile, { runCode });
  if (!grader) throw new Error('There is no grader.');
  return grader.grade({ ...TASK, ...task }, answer(program), signal);
}

test('runs all tests in one session, and closes the session', async () => {
  const { runCode, pieces, open } = runnerOf(doubles);
  expect(await grade(runCode, 'right')).toEqual({ correct: true, detail: 'The program passed all 3 tests.' });
  expect(pieces.slice(1)).toEqual(['load()', 'run_script()', 'run_script()', 'run_script()']);
  expect(open()).toBe(0);
});

test('stops at the first test that fails', async () => {
  const { runCode, pieces } = runnerOf(doubles);
  const detail = 'Test 2 of 3 failed: it printed 0 instead of 4.';
  expect(await grade(runCode, 'wrong')).toEqual({ correct: false, detail });
  expect(pieces.filter((piece) => piece === 'run_script()')).toHaveLength(2);
});

test('runs the reference solution of a task once for two answers', async () => {
  const { runCode, pieces } = runnerOf(doubles);
  await grade(runCode, 'right', { solution: 'right' });
  await grade(runCode, 'wrong', { solution: 'right' });
  expect(pieces.filter((piece) => piece === 'load()')).toHaveLength(3);
});

test('reports a task as not gradable if its reference solution fails, even for a right answer', async () => {
  const { runCode } = runnerOf(doubles);
  const grading = grade(runCode, 'right', { solution: 'wrong' });
  await expect(grading).rejects.toMatchObject({ fault: { code: 'not-gradable' } });
});

test('gives no verdict if Python can’t start, and tries again for the next answer', async () => {
  let isBroken = true;
  const { runCode } = runnerOf(doubles);
  const broken: CodeOutcome = { ...DONE, ok: false, fault: { kind: 'could-not-start', message: 'No Python.' } };
  const flaky: CodeRunner = {
    ...runCode,
    open: async (stop) => (isBroken ? { run: async () => broken, close: () => undefined } : await runCode.open(stop)),
  };
  const failed = grade(flaky, 'right', { solution: 'right' });
  await expect(failed).rejects.toMatchObject({ fault: { code: 'internal', retryable: true } });
  isBroken = false;
  expect(await grade(flaky, 'right', { solution: 'right' })).toMatchObject({ correct: true });
});

test.each([
  ['no JSON', 'x'],
  ['no tests', JSON.stringify({ tests: [] })],
  ['private tests that cannot be opened', JSON.stringify({ ...TESTS, privateTests: 'abc' })],
  ['a call without a function name', JSON.stringify({ tests: [{ input: '1', output: '2', testtype: 'functional' }] })],
])('reports a task as not gradable if the reference of the task has %s', async (_name, reference) => {
  const { runCode } = runnerOf(doubles);
  const task = { ...TASK, id: 'one', grader: 'python', domain: 'code', reference } as const;
  expect(await checkGradable(task, { runCode }, signal)).toMatchObject({ code: 'not-gradable' });
});

test('can’t grade programs without a code runner, but can grade other tasks', async () => {
  const task = { ...TASK, id: 'one', grader: 'python', domain: 'code' } as const;
  expect(await checkGradable(task, {}, signal)).toMatchObject({ code: 'not-gradable' });
  expect(await checkGradable({ ...task, grader: 'letter' }, {}, signal)).toBeNull();
});

test('the profile `paper-artefact` grades a program with “import os” as wrong without running it', async () => {
  const { runCode, pieces } = runnerOf(() => ({ stdout: '0' }));
  const grader = graderFor('python', 'paper-artefact', { runCode });
  const verdict = await grader?.grade(TASK, '<answer>import os</answer>', signal);
  expect(verdict).toMatchObject({ correct: false, detail: expect.stringContaining('import os') });
  expect(pieces).toEqual([]);
});

test.each([
  ['passed 3', true, 'The program passed all 3 tests.'],
  ['failed 2 of 3\ntest_a: AssertionError', false, 'First failure: test_a: AssertionError'],
  ['changed', false, 'changed the unittest module'],
  ['passed 3 and more', false, 'without a result'],
  ['', false, 'without a result'],
])('reads the verdict from the test summary %j', (result, correct, detail) => {
  expect(verdictOf({ ...DONE, result })).toMatchObject({ correct, detail: expect.stringContaining(detail) });
});

test('ignores a verdict that the program itself prints', () => {
  expect(verdictOf({ ...DONE, stdout: 'passed 3' })).toMatchObject({ correct: false });
});

const CODE_TASK: EvaluationTask = { ...TASK, id: 'double', grader: 'python', domain: 'code' };
const given = (...programs: readonly string[]) =>
  programs.map((program, index) => ({ by: 'ABCDEF'[index] ?? '', text: answer(program) }));

test('groups programs by the tests that they fail, and runs equal programs once', async () => {
  const { runCode, pieces, open } = runnerOf((program, input) => ({
    stdout: program === 'right' || (program === 'sums' && input === '2') ? String(2 * Number(input)) : '0',
  }));
  const answers = [...given('right', 'sums', 'zero', 'right', 'none'), { by: 'F', text: 'I can’t do that.' }];
  const groups = await groupByTests(answers, CODE_TASK, { runCode }, signal);
  expect(groups).toEqual([
    { answer: 'passes all 3 tests', by: ['A', 'D'] },
    { answer: 'fails all 3 tests', by: ['C', 'E'] },
    { answer: 'fails test 1, test 3', by: ['B'] },
    { answer: 'no program', by: ['F'] },
  ]);
  expect(pieces.filter((piece) => piece === 'load()')).toHaveLength(4);
  expect(open()).toBe(0);
});

test('goes on in a new session if a program ends its session', async () => {
  const fault = { kind: 'time-limit', message: 'It ran too long.' } as const;
  const { runCode, open } = runnerOf((program, input) =>
    program === 'slow' && input === '2' ? { ok: false, fault } : { stdout: String(2 * Number(input)) },
  );
  let isOver = false;
  const ending: CodeRunner = {
    ...runCode,
    async open(from) {
      const session = await runCode.open(from);
      isOver = false;
      return {
        ...session,
        async run(code, request, until) {
          const outcome = isOver ? { ...DONE, ok: false, fault } : await session.run(code, request, until);
          isOver ||= outcome.fault !== undefined;
          return outcome;
        },
      };
    },
  };
  const groups = await groupByTests(given('slow', 'fine'), CODE_TASK, { runCode: ending }, signal);
  expect(groups.map((group) => group.answer)).toEqual(['fails test 2', 'passes all 3 tests']);
  expect(open()).toBe(0);
});

test('names the unit tests that fail', async () => {
  const tests = { test: 'class TestCases', entryPoint: 'double', libraries: [] };
  const task: EvaluationTask = { ...CODE_TASK, grader: 'unittest', reference: JSON.stringify(tests) };
  const { runCode } = runnerOf((_, stdin) => ({
    result: stdin.includes('wrong')
      ? 'failed 1 of 3\n__test__.TestCases.test_b: AssertionError: 1 != 2\n__test__.TestCases.test_a: KeyError: a'
      : stdin.includes('quits')
        ? 'ended'
        : 'passed 3',
  }));
  expect(await groupByTests(given('wrong', 'right', 'quits'), task, { runCode }, signal)).toEqual([
    { answer: 'fails test_a, test_b', by: ['A'] },
    { answer: 'passes all tests', by: ['B'] },
    { answer: 'the tests could not run', by: ['C'] },
  ]);
});

test('can’t compare programs if their task has no tests or can’t be graded here', async () => {
  expect(hasTests({ ...CODE_TASK, grader: 'exact' })).toBe(false);
  const { runCode } = runnerOf(doubles);
  const compared = groupByTests(given('right', 'wrong'), { ...CODE_TASK, solution: 'wrong' }, { runCode }, signal);
  await expect(compared).rejects.toMatchObject({ fault: { code: 'not-gradable' } });
  const unsafe = groupByTests(given('right'), CODE_TASK, {}, signal);
  await expect(unsafe).rejects.toMatchObject({ fault: { code: 'not-gradable' } });
});

test('records the comparison by tests in the run, for free', async () => {
  const { runCode } = runnerOf(doubles);
  const records: AnswerComparison[] = [];
  const runs = {
    addComparison: (_: string, call: AnswerComparison) => (records.push(call), new Promise<Run>(() => undefined)),
  };
  const answers = given('right', 'right', 'wrong');
  void compareByTests({ runId: 'run', question: 'q', answers, task: CODE_TASK }, { runs, parts: { runCode } }, signal);
  await expect.poll(() => records).toHaveLength(1);
  expect(records[0]).toMatchObject({ by: 'the tests of the task', cost: 0 });
  expect(records[0]?.analysis).toMatchObject({
    consensus: ['passes all 3 tests: A and B'],
    contradictions: [],
    unique_insights: ['fails test 2, test 3: C'],
  });
});
