import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom, type AccessScheme, type Workflow } from '../../../src/core/contract';
import { formatAccess, formatWorkflow } from '../../../src/core/conductor/format';
import { givenRest, workflowGrammar, type GrammarOptions } from '../../../src/core/conductor/grammar';
import { parseWorkflow } from '../../../src/core/conductor/parse';
import { createPlanReader, type KnownStep, type PlanReaderOptions } from '../../../src/core/conductor/stream';
import { randomWalk, readGrammar } from './grammar-walk';
import { workflowOf } from './workflows';

const LIMITS: PlanReaderOptions = { poolSize: 9, maxSteps: 5 };

/** The steps that a reader announces, each with the number of characters that the reader has read by then. */
function readAll(chunks: readonly string[], options = LIMITS): (KnownStep & { readonly seen: number })[] {
  const reader = createPlanReader(options);
  let seen = 0;
  return chunks.flatMap((chunk) => {
    seen += chunk.length;
    return reader.push(chunk).map((known) => ({ ...known, seen }));
  });
}
const characters = (text: string): string[] => text.split('');

/** For each step, the number of characters of the answer after which the step is final. */
function finalAt(workflow: Workflow, access: AccessScheme, thought: string, skeleton: boolean): number[] {
  const { steps } = workflow;
  const [workers = '', subtasks = ''] = formatWorkflow(workflow, { access }).split('\n');
  const afterSubtasks = (count: number): number =>
    (formatWorkflow({ steps: steps.slice(0, count) }, { access }).split('\n')[1] ?? '').length - 1;
  const listed = thought.length + workers.length + 1;
  return steps.map((_, index) => {
    if (index === 0 || skeleton) return listed + afterSubtasks(index + 1);
    const entries = steps.slice(0, index + 1).map((step, place) => formatAccess(step.access, place, access));
    return listed + subtasks.length + 1 + `access_list = [${entries.join(', ')}`.length;
  });
}

const answer = fc
  .record({ access: fc.constantFrom<AccessScheme>('binary', 'fine'), skeleton: fc.boolean() })
  .chain(({ access, skeleton }) =>
    fc.record({
      access: fc.constant(access),
      skeleton: fc.constant(skeleton),
      workflow: workflowOf(9, 5, access),
      thought: fc.constantFrom('', 'Two steps.\n', 'First,\n\nmodel_id = (none) "yet".\n'),
      cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 }),
    }),
  );

describe('the reader of a plan', () => {
  it('announces exactly the parsed plan’s steps, each as soon as later text can’t change it', () => {
    fc.assert(
      fc.property(answer, ({ access, skeleton, workflow, thought, cuts }) => {
        const text = thought + formatWorkflow(workflow, { access });
        const ends = [...cuts.map((cut) => Math.floor(cut * text.length)), text.length].sort((a, b) => a - b);
        const chunks = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
        const known = readAll(chunks, skeleton ? { ...LIMITS, skeleton: workflow } : LIMITS);
        const parsed = parseWorkflow(text, LIMITS);
        expect(known.map(({ index, step }) => ({ index, step }))).toEqual(
          parsed.ok ? parsed.workflow.steps.map((step, index) => ({ index, step })) : [],
        );
        const earliest = finalAt(workflow, access, thought, skeleton).map((final) => ends.find((end) => end >= final));
        expect(known.map(({ seen }) => seen)).toEqual(earliest);
      }),
      { numRuns: 1000 },
    );
  });

  it('announces the steps that the parser finds in random texts of the grammar', () => {
    const random = seededRandom(9);
    const variants: GrammarOptions[] = [
      { ...LIMITS, access: 'fine', recursion: true, allowEmpty: true },
      { ...LIMITS, access: 'binary' },
      {
        ...LIMITS,
        access: 'fine',
        skeleton: {
          steps: [
            { worker: 3, access: [] },
            { worker: 0, access: [0] },
          ],
        },
      },
    ];
    for (const options of variants) {
      const grammar = readGrammar(workflowGrammar(options));
      for (let walk = 0; walk < 200; walk++) {
        const rest = options.skeleton ? givenRest(options.skeleton.steps, options.access) : '';
        const text = randomWalk(grammar, random) + rest;
        const parsed = parseWorkflow(text, options);
        const steps = readAll(characters(text), options).map(({ step }) => step);
        expect(steps).toEqual(parsed.ok ? parsed.workflow.steps : null);
      }
    }
  });
});

describe('the reader of a plan that violates the grammar', () => {
  const PLAN = 'model_id = [0, 1]\nsubtasks = ["a", "b"]\naccess_list = [[], [0]]';
  it.each([
    ['a bracket in the thought', `See [1].\n${PLAN}`, 0],
    ['a list name in the middle of a line', `So model_id = [0, 1]\n${PLAN}`, 0],
    ['a space in place of the thought', ` ${PLAN}`, 0],
    ['a worker outside the pool', PLAN.replace('0, 1', '0, 9'), 0],
    ['too many steps', PLAN.replace('0, 1', '0, 0, 0, 0, 0, 0'), 0],
    ['ids as strings', PLAN.replace('0, 1', '"0", "1"'), 0],
    ['no steps', 'model_id = []\nsubtasks = []\naccess_list = []', 0],
    ['single quotes', PLAN.replaceAll('"', "'"), 0],
    ['an empty subtask', PLAN.replace('"a"', '""'), 0],
    ['another list between the lists', PLAN.replace('\nsubtasks', '\nroles = []\nsubtasks'), 0],
    ['more subtasks than workers', PLAN.replace('"b"', '"b", "c"'), 1],
    ['too few subtasks', PLAN.replace(', "b"', ''), 1],
    ['no space between subtasks', PLAN.replace('", "', '","'), 1],
    ['a step with access to a later step', PLAN.replace('[0]]', '[1]]'), 1],
    ['a word in an access list', PLAN.replace('[0]]', '["all"]]'), 1],
    ['too few access lists', PLAN.replace(', [0]', ''), 1],
    ['cut off in an access list', PLAN.slice(0, -2), 1],
    ['cut off in the first subtask', PLAN.slice(0, PLAN.indexOf('a"') + 1), 0],
  ])('announces only the steps before the violation: %s', (_, text, steps) => {
    expect(readAll([text])).toHaveLength(steps);
    expect(readAll(characters(text))).toHaveLength(steps);
  });

  it('announces no step when a worker differs from the skeleton (the prescribed steps)', () => {
    const skeleton = {
      steps: [
        { worker: 0, access: [] },
        { worker: 2, access: [0] },
      ],
    };
    expect(readAll([PLAN], { ...LIMITS, skeleton })).toEqual([]);
  });

  it('announces no step when the Conductor comes before the last step', () => {
    expect(readAll([PLAN], { poolSize: 1 + 1, maxSteps: 5, recursion: true })).toHaveLength(2);
    const wrong = PLAN.replace('0, 1', '1, 0');
    expect(readAll([wrong], { poolSize: 2, maxSteps: 5, recursion: true })).toEqual([]);
  });
});
