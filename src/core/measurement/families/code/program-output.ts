/** @file Predicts what a small program prints. */
import type { Random } from '../../../contract';
import type { Definition } from '../definition';
import { between, drawUntil, pickOf } from '../draw';

const VARIABLES = ['a', 'b', 'c'] as const;
type Variable = (typeof VARIABLES)[number];

/** `target = (factor * left + right + added) % modulus`. */
interface Assignment {
  readonly target: Variable;
  readonly factor: number;
  readonly left: Variable;
  readonly right: Variable | 'i';
  readonly added: number;
  readonly modulus: number;
}

export interface Program {
  readonly start: Readonly<Record<Variable, number>>;
  readonly rounds: number;
  readonly always: Assignment;
  /** The condition of the branch is `tested % divisor === 0`. */
  readonly tested: Variable;
  readonly divisor: number;
  readonly yes: Assignment;
  readonly no: Assignment;
}

export const programOutput: Definition<Program> = {
  id: 'program-output',
  label: 'Output of a program',
  domain: 'code',
  // The number of rounds of the loop.
  sizes: [2, 3, 5, 8, 13, 21, 34, 54],
  form: 'list',
  draw: drawProgram,
  ask: (program) => `What does this JavaScript program print?\n\n${programText(program)}`,
  answer: 'the three printed numbers in order, separated by commas',
  solve: (program) => {
    let values = program.start;
    for (let i = 1; i <= program.rounds; i++) {
      values = assign(values, program.always, i);
      values = assign(values, values[program.tested] % program.divisor === 0 ? program.yes : program.no, i);
    }
    return VARIABLES.map((name) => values[name]).join(', ');
  },
  // Two assignments and a condition for each round.
  steps: ({ rounds }) => 3 * rounds,
};

function drawProgram(random: Random, rounds: number): Program {
  const [first, second, third] = drawUntil(
    () => [pickOf(VARIABLES, random), pickOf(VARIABLES, random), pickOf(VARIABLES, random)] as const,
    (names) => new Set(names).size === 3,
  );
  return {
    start: { a: between(random, 1, 50), b: between(random, 1, 50), c: between(random, 1, 50) },
    rounds,
    always: drawAssignment(random, first),
    tested: first,
    divisor: pickOf([2, 3], random),
    yes: drawAssignment(random, second),
    no: drawAssignment(random, third),
  };
}

function drawAssignment(random: Random, target: Variable): Assignment {
  return {
    target,
    factor: between(random, 2, 9),
    left: pickOf(VARIABLES, random),
    right: pickOf([...VARIABLES, 'i'] as const, random),
    added: between(random, 1, 20),
    modulus: between(random, 50, 99),
  };
}

function assign(values: Program['start'], assignment: Assignment, i: number): Program['start'] {
  const { target, factor, left, right, added, modulus } = assignment;
  const value = (factor * values[left] + (right === 'i' ? i : values[right]) + added) % modulus;
  return { ...values, [target]: value };
}

function programText({ start, rounds, always, tested, divisor, yes, no }: Program): string {
  return [
    ...VARIABLES.map((name) => `let ${name} = ${start[name]};`),
    `for (let i = 1; i <= ${rounds}; i++) {`,
    `  ${line(always)}`,
    `  if (${tested} % ${divisor} === 0) {`,
    `    ${line(yes)}`,
    '  } else {',
    `    ${line(no)}`,
    '  }',
    '}',
    'console.log(a, b, c);',
  ].join('\n');
}

function line({ target, factor, left, right, added, modulus }: Assignment): string {
  return `${target} = (${factor} * ${left} + ${right} + ${added}) % ${modulus};`;
}
