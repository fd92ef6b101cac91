/** @file Runs a program of a stack machine. */
import type { Random } from '../../../contract';
import type { Definition } from '../definition';
import { between, drawUntil, pickOf } from '../draw';

type Instruction = 'add' | 'multiply' | 'subtract' | 'dup' | 'swap' | 'rotate' | `push ${number}`;

export interface StackProgram {
  readonly instructions: readonly Instruction[];
}

const DEEPEST = 7;

export const stackMachine: Definition<StackProgram> = {
  id: 'stack-machine',
  label: 'Stack machine',
  domain: 'code',
  sizes: [6, 10, 16, 25, 40, 64, 100, 160],
  form: 'list',
  draw: (random, count) =>
    drawUntil(
      () => drawProgram(random, count),
      (program) => run(program).length > 1,
    ),
  ask: ({ instructions }) =>
    [
      'A machine has a stack of numbers, which is empty at first. It carries out these instructions in order:',
      [
        '- push n: puts n on top of the stack.',
        '- add: removes the top two numbers, and pushes the last two digits of their sum.',
        '- multiply: removes the top two numbers, and pushes the last two digits of their product.',
        '- subtract: removes the top two numbers, and pushes the greater one minus the smaller one.',
        '- dup: pushes a copy of the top number.',
        '- swap: exchanges the top two numbers.',
        '- rotate: moves the third number from the top to the top.',
      ].join('\n'),
      'The last two digits of 1205 count as the number 5. Which numbers are on the stack after this program?',
      instructions.join('\n'),
    ].join('\n\n'),
  answer: 'the list of all numbers on the stack from top to bottom, separated by commas',
  solve: (program) => run(program).toReversed().join(', '),
  steps: ({ instructions }) => instructions.length,
};

function drawProgram(random: Random, count: number): StackProgram {
  const instructions: Instruction[] = [];
  let depth = 0;
  while (instructions.length < count) {
    const known: Instruction[] = [`push ${between(random, 2, 99)}`, `push ${between(random, 2, 99)}`];
    if (depth > 1) known.push('add', 'multiply', 'subtract', 'swap', 'dup');
    if (depth > 2) known.push('rotate');
    const chosen = pickOf(known, random);
    const change =
      chosen.startsWith('push') || chosen === 'dup' ? 1 : chosen === 'swap' || chosen === 'rotate' ? 0 : -1;
    if (depth + change > DEEPEST) continue;
    depth += change;
    instructions.push(chosen);
  }
  return { instructions };
}

/** The stack after the program, top last. */
function run({ instructions }: StackProgram): readonly number[] {
  const stack: number[] = [];
  for (const instruction of instructions) {
    if (instruction === 'rotate') stack.push(...stack.splice(-3, 1));
    else if (instruction === 'swap') stack.push(...stack.splice(-2, 1));
    else if (instruction === 'dup') stack.push(stack.at(-1) ?? 0);
    else if (instruction === 'add' || instruction === 'multiply' || instruction === 'subtract') {
      const [one = 0, other = 0] = stack.splice(-2);
      stack.push(
        instruction === 'add'
          ? (one + other) % 100
          : instruction === 'multiply'
            ? (one * other) % 100
            : Math.abs(one - other),
      );
    } else stack.push(Number(instruction.slice('push '.length)));
  }
  return stack;
}
