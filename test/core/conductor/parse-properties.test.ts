/**
 * @file Checks properties of the parser on random texts. The parser must find a formatted workflow within any text, accept only
 * valid workflows and never throw. The parsing time must be linear in the length of the text.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkWorkflow, randomIndex, seededRandom, type AccessScheme } from '../../../src/core/contract';
import { formatWorkflow } from '../../../src/core/conductor/format';
import { MAX_ANSWER_LENGTH, parseWorkflow, type ParseLimits } from '../../../src/core/conductor/parse';
import { HOSTILE, workflowOf } from './workflows';

const anyWorkflow = fc
  .record({ poolSize: fc.integer({ min: 1, max: 9 }), access: fc.constantFrom<AccessScheme>('binary', 'fine') })
  .chain(({ poolSize, access }) =>
    workflowOf(poolSize, 5, access).map((workflow) => ({
      poolSize,
      access,
      workflow,
      text: formatWorkflow(workflow, { access }),
    })),
  );

/** Decorates each line of a workflow. @param dress formats a line from its name, list and index */
const lines = (text: string, dress: (name: string, list: string, index: number) => string): string =>
  text
    .split('\n')
    .map((line, index) => dress(line.slice(0, line.indexOf(' ')), line.slice(line.indexOf('[')), index))
    .join('\n');

const DRESSES: ((text: string) => string)[] = [
  (text) => text,
  (text) => `\`\`\`python\n${text}\n\`\`\``,
  (text) => lines(text, (name, list) => `- **${name}**: ${list}`),
  (text) => lines(text, (name, list, index) => `${index + 1}. \`${name}\`=${list}`),
  (text) => `{${lines(text, (name, list) => `"${name}": ${list},`)}}`,
  (text) => text.split('\n').toReversed().join('\n'),
  (text) => lines(text, (name, list) => `### ${name}\n${list}`),
  (text) => lines(text, (name, list) => `\`${name} = ${list}\``),
];
const prose = fc
  .array(
    fc.constantFrom(
      'I',
      'would',
      "don't",
      'know',
      'the model',
      '(first)',
      '[1]',
      'its access',
      '\n',
      '- ',
      '1. ',
      '<think>',
      '**so**',
    ),
    {
      maxLength: 12,
    },
  )
  .map((words) => words.join(' '));

describe('a formatted workflow', () => {
  it('is parsed correctly despite any decoration of its lines and any prose around it', () => {
    fc.assert(
      fc.property(
        anyWorkflow,
        fc.constantFrom(...DRESSES),
        prose,
        prose,
        ({ poolSize, text, workflow }, dress, before, after) => {
          const parsed = parseWorkflow(`${before}\n${dress(text)}\n${after}`, { poolSize, maxSteps: 5 });
          expect(parsed).toMatchObject({ ok: true, workflow });
        },
      ),
      { numRuns: 400 },
    );
  });

  it('has one line for each list, and no ASCII control characters in the lines', () => {
    fc.assert(
      fc.property(anyWorkflow, ({ text }) => {
        expect(text.split('\n')).toHaveLength(3);
        const controls = [...text].filter((character) => character !== '\n' && /\p{Cc}/u.test(character));
        expect(controls.filter((character) => character < '\u0080')).toEqual([]);
      }),
    );
  });

  it('lists a step’s visible steps if the binary scheme (all or none) cannot express them', () => {
    const step = (access: number[]) => ({ worker: 0, subtask: 'a', access });
    const workflow = { steps: [step([]), step([0]), step([1]), step([]), step([0, 1, 2, 3])] };
    expect(formatWorkflow(workflow, { access: 'binary' })).toMatch(
      /access_list = \[\[\], "all", \[1\], \[\], "all"\]$/,
    );
    expect(formatWorkflow(workflow, { access: 'fine' })).toMatch(/\[\[\], \[0\], \[1\], \[\], \[0, 1, 2, 3\]\]$/);
  });
});

describe('mutated answers', () => {
  const SEEDS = [
    'I think.\nmodel_id = [0, 2]\nsubtasks = ["Solve it.", "Check it."]\naccess_list = [[], "all"]',
    "<think>model_id: [1]</think>```json\n{'model_id': ['1', 'Model 2'], 'subtasks': ['''a''', f\"b\"], 'access_list': [None, [0,],]}\n```",
    '- **model_id**: `(0, 1, 2)`\n- subtasks: [“a”, "b" "c", # no\n r"d\\"] // x\n* access_list = [[], [0], ["all"]] /* y */',
    'subtasks = ["x"]\nmodel_id: list[int] = [0]\naccess_list = ["none"]\nmodel_id = []\nsubtasks = []\naccess_list = []',
  ];
  const PIECES = [
    ...HOSTILE,
    ...SEEDS.flatMap((seed) => seed.split(/(?<=\W)/)),
    '[',
    ']',
    '[[',
    '=',
    ':',
    '-1',
    '9',
    '1e999',
  ];
  const LIMITS: ParseLimits[] = [
    { poolSize: 3, maxSteps: 5 },
    { poolSize: 3, maxSteps: 2, allowEmpty: true, recursion: true },
    { poolSize: 1, maxSteps: 16, cutOff: true },
    { poolSize: 9, maxSteps: 5, cutOff: false },
  ];

  it('are parsed into a valid workflow or a problem, and never make the parser throw', () => {
    const random = seededRandom(20);
    const pick = <T>(items: readonly T[]): T => items[randomIndex(random, items.length)] as T;
    let read = 0;
    for (let round = 0; round < 10_000; round++) {
      let text = pick(SEEDS);
      for (let edits = 1 + randomIndex(random, 5); edits > 0; edits--) {
        const from = randomIndex(random, text.length + 1);
        const to = random() < 0.5 ? from : Math.min(text.length, from + randomIndex(random, 8));
        const piece = random() < 0.3 ? '' : pick(PIECES);
        text = random() < 0.05 ? text.slice(0, from) : text.slice(0, from) + piece + text.slice(to);
      }
      const limits = pick(LIMITS);
      const parsed = parseWorkflow(text, limits);
      if (parsed.ok) {
        read++;
        if (checkWorkflow(parsed.workflow, limits) !== null) expect.fail(`An invalid workflow was read: ${text}`);
      } else if (parsed.problem.at < 0 || parsed.problem.at > text.length) {
        expect.fail(`The problem is outside the text: ${text}`);
      }
    }
    // The mutations are small, so that the parser accepts many of the texts and rejects many others.
    expect(read).toBeGreaterThan(1_000);
    expect(read).toBeLessThan(9_000);
  });
});

describe('parsing time', () => {
  const PLAN = 'model_id = [0]\nsubtasks = ["a"]\naccess_list = [[]]\n';
  const REPEATED = [
    '[', ']', '(', '{', '"', "'", '\\', '`', '#', '/*', ' ', '\n', '0', '-', '1,', '“', '[[', '[(', '"\\', '```\n', '<think>',
    'model_id', 'model_id ', 'model_id = ', 'model_id = [', 'model_id: list[', 'model_id(', 'model_id:\n', 'model_id = [[[[[[[[[[',
    'subtasks = ["', "subtasks = ['", 'subtasks = [“', 'subtasks = ["""', 'subtasks = [ #', 'subtasks = [ /*', 'subtasks = ["a\\',
    'subtasks = ["a", "b" x ', 'subtasks = [“a”,”', 'access_list = [[],', 'access', 'sub', 'model_', PLAN, PLAN.replace('0', '9'),
    'model_id = [0]\nsubtasks = ["a"]\n', 'model_id = [0]', 'access_list = [[]]\nmodel_id = [0] subtasks = ["a" "',
  ]; // prettier-ignore
  const steps = (text: string): number => {
    const work = { steps: 0 };
    parseWorkflow(text, { poolSize: 1, maxSteps: 5 }, work);
    return work.steps;
  };
  const SIZE = 2 ** 16;

  it.each(REPEATED.map((piece) => [JSON.stringify(piece).slice(0, 60), piece]))(
    'is linear in the number of repetitions of %s',
    (_, piece) => {
      const half = steps(piece.repeat(SIZE / piece.length));
      const whole = steps(piece.repeat((2 * SIZE) / piece.length));
      expect(whole).toBeLessThan(2.2 * half + 1000);
      expect(whole).toBeLessThan(24 * SIZE);
    },
  );

  it.each(['[', '"', '\\', '(', '{', 'model_id = [', 'subtasks = ["', '"a", '])(
    'is less than 12 passes over a megabyte of %s',
    (piece) => {
      for (const before of ['', 'subtasks = [', 'subtasks = ["']) {
        expect(steps(before + piece.repeat(2 ** 20 / piece.length))).toBeLessThan(12 * 2 ** 20);
      }
    },
    30_000,
  );

  // Even the longest answer must not block the page.
  it.each(['subtasks = [“a”,”', 'subtasks = [“', 'model_id = [', 'model_id = [0]'])(
    'is less than three passes over the longest answer made of %s',
    (piece) => {
      expect(steps(piece.repeat(MAX_ANSWER_LENGTH / piece.length))).toBeLessThan(3 * MAX_ANSWER_LENGTH);
    },
    30_000,
  );

  it('is linear in the length of one list or one string', () => {
    for (const inside of ['"a", ', '[], ', '0, ', 'all, ', '"a" ', '"a" + ', '`"a"`, ']) {
      const half = steps(`subtasks = [${inside.repeat(SIZE / inside.length)}`);
      const whole = steps(`subtasks = [${inside.repeat((2 * SIZE) / inside.length)}`);
      expect(whole).toBeLessThan(2.2 * half + 1000);
    }
    expect(steps(`subtasks = ["${'\\"'.repeat(SIZE)}"]`)).toBeLessThan(12 * SIZE);
  });
});
