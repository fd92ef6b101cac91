import { expect, test } from 'vitest';
import { commentOut, refusedText } from '../../../../src/core/graders/programs/artefact';
import { findProgram } from '../../../../src/core/graders/programs/find-program';

const fence = (code: string, language = 'python') => `\`\`\`${language}\n${code}\n\`\`\``;

test.each([
  ['the last Python fence', `${fence('a = 1')}\nBetter:\n${fence('a = 2')}\nOutput:\n${fence('2', '')}`, 'a = 2'],
  ['the last fence without a language', `${fence('a = 1', '')}\nor\n${fence('a = 2', '')}`, 'a = 2'],
  ['a fence in the answer tags', `${fence('a = 1')}\n<answer>${fence('a = 2')}</answer>\n${fence('a = 3')}`, 'a = 2'],
  ['the answer tags', '<answer>\na = 1\n</answer>', 'a = 1'],
  ['an open fence', '```python\na = 1', 'a = 1'],
])('finds %s under the strict rules', (_name, answer, program) => {
  expect(findProgram(answer, 'strict')).toBe(program);
});

test.each(['a = 1', fence('let a = 1', 'js'), '<answer></answer>', ''])('finds no program in %j', (answer) => {
  expect(findProgram(answer, 'strict')).toBeNull();
});

test('uses everything in the first answer tags under the published code’s rules', () => {
  const answer = `<answer>${fence('a = 1')}\n${fence('a = 2')}</answer> <answer>a = 3</answer>`;
  expect(findProgram(answer, 'paper-artefact')?.replace(/\s+/g, ' ')).toBe('a = 1 a = 2');
  expect(findProgram(fence('a = 1'), 'paper-artefact')).toBeNull();
});

test.each([
  ['import threading\nthreading.Thread()', 'threading.'],
  ['async def main(): pass', 'async def'],
  ['IMPORT OS', 'import os'],
  ['x = OS.getcwd()', 'os.getcwd'],
  ['open("file")', 'open('],
  ['# then exit()', 'exit()'],
])('refuses %j as the published code does', (program, text) => {
  expect(refusedText(program)).toBe(text);
});

test.each(['print(sum(map(int, input().split())))', '# open("x")', "open('x', 'r')"])('accepts %j', (program) => {
  expect(refusedText(program)).toBeNull();
});

test('comments out the lines that the published code comments out', () => {
  const program = 'import sys\nimport os\nname = input("Name? ")\nprint(name)';
  expect(commentOut(program)).toBe('# import sys\nimport os\n# name = input("Name? ")\nprint(name)');
});
