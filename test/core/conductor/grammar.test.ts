/**
 * @file Tests the grammar of plans with XGrammar, the grammar parser of WebLLM. The grammar must accept formatted workflows and
 * reject invalid plans. Podium must be able to parse each text that the grammar allows.
 */
import { Grammar, Testings } from '@mlc-ai/web-xgrammar';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkWorkflow, seededRandom, type AccessScheme, type Workflow } from '../../../src/core/contract';
import { formatWorkflow } from '../../../src/core/conductor/format';
import { givenRest, workflowGrammar, type GrammarOptions } from '../../../src/core/conductor/grammar';
import { parseWorkflow } from '../../../src/core/conductor/parse';
import { randomWalk, readGrammar } from './grammar-walk';
import { workflowOf } from './workflows';

const SCHEMES: readonly AccessScheme[] = ['binary', 'fine'];
const BINARY: GrammarOptions = { poolSize: 3, maxSteps: 5, access: 'binary' };
const FINE: GrammarOptions = { ...BINARY, access: 'fine' };

const grammars = new Map<string, Promise<Grammar>>();

/** @returns a function that checks whether the grammar of these options accepts a text */
async function fitter(options: GrammarOptions): Promise<(text: string) => Promise<boolean>> {
  const text = workflowGrammar(options);
  const grammar = await (grammars.get(text) ?? Grammar.fromEBNF(text));
  grammars.set(text, Promise.resolve(grammar));
  return (text) => Testings.isGrammarAcceptString(grammar, text);
}
const plan = (workers: string, subtasks: string, access: string): string =>
  `model_id = [${workers}]\nsubtasks = [${subtasks}]\naccess_list = [${access}]`;
const one = (literal: string): string => plan('0', literal, '[]');

describe('a formatted workflow', () => {
  it.each(SCHEMES.flatMap((access) => Array.from({ length: 9 }, (_, index) => [access, index + 1] as const)))(
    'is accepted by the grammar for %s access and %i workers, with or without a thought (text before the plan)',
    async (access, poolSize) => {
      for (const maxSteps of poolSize === 9 ? [1, 2, 3, 4, 5] : [5]) {
        const fits = await fitter({ poolSize, maxSteps, access });
        // A pilcrow at the start of each subtask prevents leading blanks. The next test covers leading blanks.
        const workflow = workflowOf(poolSize, maxSteps, access).map(({ steps }) => ({
          steps: steps.map((step) => ({ ...step, subtask: `¶${step.subtask}`.slice(0, 50) })),
        }));
        for (const each of fc.sample(workflow, { numRuns: 6, seed: poolSize })) {
          const text = formatWorkflow(each, { access });
          expect([text, await fits(text)]).toEqual([text, true]);
          expect(await fits(`First this,\nthen (perhaps) "that": é 求 😀.\n${text}`)).toBe(true);
        }
      }
    },
  );

  it('is accepted with leading blanks or a special character in its subtask', async () => {
    const fits = await fitter(BINARY);
    for (const subtask of ['  - a', '\n\n\ta', '        a', '\u0001a', '\ud800', '\\', '"', '求解', '\u007fa']) {
      expect([subtask, await fits(formatWorkflow({ steps: [{ worker: 0, subtask, access: [] }] }, BINARY))]).toEqual([
        subtask,
        true,
      ]);
    }
  });

  it('is accepted with a long subtask or a long thought', async () => {
    const fits = await fitter(BINARY);
    expect(await fits(one(`"${'a'.repeat(3000)}"`))).toBe(true);
    expect(await fits(one(`"${'\\n\\u0001 '.repeat(300)}a"`))).toBe(true);
    expect(await fits(`${'a\n'.repeat(1500)}\n${one('"a"')}`)).toBe(true);
  });
});

describe('an answer that is not a valid plan', () => {
  const two = (workers: string, access: string): string => plan(workers, '"a", "b"', access);
  const invalid: [name: string, text: string, options: GrammarOptions][] = [
    ['no lists', 'I would ask worker 0.', BINARY],
    ['a missing list', 'model_id = [0]\nsubtasks = ["a"]', BINARY],
    ['the lists in another order', 'subtasks = ["a"]\nmodel_id = [0]\naccess_list = [[]]', BINARY],
    ['text after the lists', `${one('"a"')}\nDone.`, BINARY],
    ['fewer subtasks than steps', plan('0, 1', '"a"', '[], []'), BINARY],
    ['more subtasks than steps', plan('0', '"a", "b"', '[]'), BINARY],
    ['fewer access lists than steps', plan('0, 1', '"a", "b"', '[]'), BINARY],
    ['more access lists than steps', plan('0', '"a"', '[], []'), BINARY],
    ['too many steps', plan('0, 0, 0', '"a", "a", "a"', '[], [], []'), { ...BINARY, maxSteps: 2 }],
    ['a worker id outside the pool', two('0, 3', '[], []'), BINARY],
    ['a negative worker id', two('0, -1', '[], []'), BINARY],
    ['a worker id with a leading zero', two('0, 01', '[], []'), BINARY],
    ['access in the first step', two('0, 1', '"all", []'), BINARY],
    ['fine access in the binary scheme', two('0, 1', '[], [0]'), BINARY],
    ['binary access in the fine scheme', two('0, 1', '[], "all"'), FINE],
    ['a step with access to itself', two('0, 1', '[], [1]'), FINE],
    ['a step with access to a later step', two('0, 1', '[1], []'), FINE],
    ['access to a missing step', two('0, 1', '[], [7]'), FINE],
    ['repeated access', two('0, 1', '[], [0, 0]'), FINE],
    ['access out of order', plan('0, 1, 2', '"a", "b", "c"', '[], [], [1, 0]'), FINE],
    ['an empty subtask', one('""'), BINARY],
    ['a blank subtask', one('"  "'), BINARY],
    ['a subtask of escaped blanks', one('"\\n\\t\\u0020"'), BINARY],
    ['a subtask that is a number', one('7'), BINARY],
    ['single quotes', one("'a'"), BINARY],
    ['a raw newline in a subtask', one('"a\nb"'), BINARY],
    ['a raw tab in a subtask', one('"a\tb"'), BINARY],
    ['an escape that JSON does not have', one('"a\\x41"'), BINARY],
    ['a truncated escape', one('"a\\u00"'), BINARY],
    ['a bare quote in a subtask', one('"a"b"'), BINARY],
    ['a subtask that is never closed', 'model_id = [0]\nsubtasks = ["a', BINARY],
    ['a thought with brackets', `Let x be in [0, 1].\n${one('"a"')}`, BINARY],
    ['a blank thought', ` \n${one('"a"')}`, BINARY],
    ['no steps', plan('', '', ''), BINARY],
    ['only one empty list', plan('', '"a"', '[]'), { ...BINARY, allowEmpty: true }],
    ['the Conductor as the worker of the only step', plan('2', '"a"', '[]'), { ...BINARY, recursion: true }],
    ['the Conductor before the last step', two('2, 0', '[], []'), { ...BINARY, recursion: true }],
  ];
  it.each(invalid)('is rejected: %s', async (_, text, options) => {
    expect(await (await fitter(options))(text)).toBe(false);
  });
});

describe('the options of the grammar', () => {
  it('allow a plan without steps if `allowEmpty` is true', async () => {
    const fits = await fitter({ ...FINE, allowEmpty: true });
    expect(await fits(plan('', '', ''))).toBe(true);
    expect(await fits(`It stands.\n${formatWorkflow({ steps: [] }, FINE)}`)).toBe(true);
    expect(await fits(one('"a"'))).toBe(true);
  });

  it('allow the Conductor as the worker of the last step if `recursion` is true', async () => {
    const fits = await fitter({ ...FINE, recursion: true });
    expect(await fits(plan('0, 2', '"a", "b"', '[], [0]'))).toBe(true);
    expect(await fits(plan('1, 0, 2', '"a", "b", "c"', '[], [0], []'))).toBe(true);
  });

  it('allow only the workers of a given skeleton (plan without subtasks). `givenRest` appends its access lists', async () => {
    const skeleton = {
      steps: [
        { worker: 1, access: [] },
        { worker: 0, access: [0] },
        { worker: 1, access: [1] },
      ],
    };
    const fits = await fitter({ ...FINE, skeleton });
    const begin = (workers: string, subtasks: string) => `model_id = [${workers}]\nsubtasks = [${subtasks}`;
    expect(await fits(begin('1, 0, 1', '"a", "b", "c"'))).toBe(true);
    expect(await fits(`So.\n${begin('1, 0, 1', '"a\\n", "[b]", "c"')}`)).toBe(true);
    expect(await fits(begin('1, 1, 1', '"a", "b", "c"'))).toBe(false);
    expect(await fits(begin('1, 0', '"a", "b"'))).toBe(false);
    expect(await fits(plan('1, 0, 1', '"a", "b", "c"', '[], [0], [1]'))).toBe(false);
    expect(givenRest(skeleton.steps, 'fine')).toBe(']\naccess_list = [[], [0], [1]]');
    expect(givenRest(skeleton.steps, 'binary')).toBe(']\naccess_list = [[], "all", [1]]');
  });

  it('forbid text before the plan if `thought` is false', async () => {
    const fits = await fitter({ ...BINARY, thought: false });
    expect(await fits(one('"a"'))).toBe(true);
    expect(await fits(`So.\n${one('"a"')}`)).toBe(false);
  });

  it('are rejected when no workflow can satisfy them', () => {
    expect(() => workflowGrammar({ ...BINARY, poolSize: 0 })).toThrow(RangeError);
    expect(() => workflowGrammar({ ...BINARY, poolSize: 1, recursion: true })).toThrow(RangeError);
    expect(() => workflowGrammar({ ...BINARY, maxSteps: 0 })).toThrow(RangeError);
  });
});

describe('any text that the grammar can generate', () => {
  const skeleton: Pick<Workflow['steps'][number], 'worker' | 'access'>[] = [
    { worker: 1, access: [] },
    { worker: 2, access: [0] },
  ];
  const variants: [name: string, options: GrammarOptions][] = [
    ['binary', BINARY],
    ['fine', FINE],
    ['one worker', { ...FINE, poolSize: 1 }],
    ['twelve workers and eight steps', { ...FINE, poolSize: 12, maxSteps: 8 }],
    ['recursion', { ...BINARY, recursion: true, allowEmpty: true }],
    ['a skeleton', { ...FINE, skeleton: { steps: skeleton } }],
    ['no thought', { ...FINE, thought: false }],
  ];

  it.each(variants)('parses as a valid workflow (options: %s)', (_, options) => {
    const grammar = readGrammar(workflowGrammar(options));
    const random = seededRandom(7);
    const lengths = new Set<number>();
    for (let walk = 0; walk < 300; walk++) {
      const rest = options.skeleton ? givenRest(options.skeleton.steps, options.access) : '';
      const text = randomWalk(grammar, random) + rest;
      const parsed = parseWorkflow(text, options);
      if (!parsed.ok) expect.fail(`${parsed.problem.message}\n${text}`);
      expect(checkWorkflow(parsed.workflow, options)).toBeNull();
      lengths.add(parsed.workflow.steps.length);
    }
    expect(lengths.size).toBeGreaterThan(options.skeleton ? 0 : 3);
  });

  it('is accepted by the grammar parser of WebLLM', async () => {
    const random = seededRandom(8);
    for (const [, options] of variants) {
      const fits = await fitter(options);
      const grammar = readGrammar(workflowGrammar(options));
      for (let walk = 0; walk < 5; walk++) expect(await fits(randomWalk(grammar, random))).toBe(true);
    }
  });
});

it('the grammar is small and pure ASCII, without repetition counts or lookahead', () => {
  for (const access of SCHEMES) {
    const text = workflowGrammar({ poolSize: 9, maxSteps: 5, access, recursion: true, allowEmpty: true });
    expect(text.length).toBeLessThan(2_500);
    // For each negated character class, an engine checks the model's whole vocabulary, which delays the first token.
    const wide = text.match(/\[\^/g) ?? [];
    expect(wide).toHaveLength(4);
    expect(text.trim().split('\n').length).toBeLessThan(32);
    expect(text).not.toMatch(/\{\d|\(\?|\(=/);
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
  }
});
