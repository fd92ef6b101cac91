import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commentOut, refusedText } from '../../../../src/core/graders/programs/artefact';
import { findProgram } from '../../../../src/core/graders/programs/find-program';

const fence = (code: string, language = 'python') => `\`\`\`${language}\n${code}\n\`\`\``;

test.each([
  ['the last Python fence', `${fence('a = 1')}\nBetter:\n${fence('a = 2')}\nOutput:\n${fence('2', '')}`, 'a = 2'],
  ['the last fence without a language', `${fence('a = 1', '')}\nor\n${fence('a = 2', '')}`, 'a = 2'],
  [
    'the fence in the answer tags, not those outside',
    `${fence('a = 1')}\n<answer>${fence('a = 2')}</answer>\n${fence('a = 3')}`,
    'a = 2',
  ],
  ['the content of answer tags without a fence', '<answer>\na = 1\n</answer>', 'a = 1'],
  ['a fence that is not closed', '```python\na = 1', 'a = 1'],
])('finds %s under the strict rules', (_name, answer, program) => {
  expect(findProgram(answer, 'python', 'strict')).toBe(program);
});

test.each(['a = 1', fence('let a = 1', 'js'), '<answer></answer>', ''])(
  'finds no program in %j under the strict rules',
  (answer) => {
    expect(findProgram(answer, 'python', 'strict')).toBeNull();
  },
);

test('under the published code’s rules, returns the content of the first answer tags and removes fence markers', () => {
  const answer = `<answer>${fence('a = 1')}\n${fence('a = 2')}</answer> <answer>a = 3</answer>`;
  expect(findProgram(answer, 'python', 'paper-artefact')?.replace(/\s+/g, ' ')).toBe('a = 1 a = 2');
  expect(findProgram(fence('a = 1'), 'python', 'paper-artefact')).toBeNull();
});

const long = 'def add(a, b):\n    return a + b';
const longer = 'def add(a, b):\n    total = a + b\n    return total';

test.each([
  ['the longest fence', `${fence(longer)}\nor\n${fence(long, '')}`, longer],
  [
    'a fence without an ellipsis, not the longer one with an ellipsis',
    `${fence(`${longer}\n# ...`)}\nor\n${fence(long)}`,
    long,
  ],
  ['the longest function if there is no fence', `So:\n\n${long}\nor better\n${longer}\nDone.`, longer],
  ['a short fence after “Final code:”', `Final code:\n${fence('a = 1')}`, 'a = 1'],
  ['a function without its indent', '  def add(a, b):\n    return a + b', 'def add(a, b):\n  return a + b'],
  ['the whole response if it has no code', 'I can’t.', 'I can’t.'],
])('finds %s for a unit test under the published code’s rules', (_name, answer, program) => {
  expect(findProgram(answer, 'unittest', 'paper-artefact')).toBe(program);
});

test('like the published code, returns the text between two fences if that text is the longest part', () => {
  const answer = `${fence('x = add(1, 2) + add(3, 4)')}\nThis text between the blocks is the longest one.\n${fence('a = 1')}`;
  expect(findProgram(answer, 'unittest', 'paper-artefact')).toBe('This text between the blocks is the longest one.');
});

/** The functions of an answer as the published code finds them. */
function functionsOf(answer: string): readonly string[] {
  const lines = answer.split('\n');
  const indentOf = (line: string) => line.length - line.trimStart().length;
  const isDefinition = (line: string) => line.trimStart().startsWith('def ');
  return lines.flatMap((head, start) => {
    if (!isDefinition(head) || !head.includes('(') || !head.includes(':')) return [];
    const found = [head];
    for (const line of lines.slice(start + 1)) {
      if (line.trim() !== '' && indentOf(line) <= indentOf(head) && !isDefinition(line)) break;
      found.push(line);
      if (isDefinition(line) && indentOf(line) === indentOf(head)) break;
    }
    return found.join('\n');
  });
}

test('under the published code’s rules, finds the first longest function for a unit test', () => {
  const text = fc.constantFrom('', '  ', 'def a(b):', 'def c', '  def d(e):', '    def f(g): h', '  x', '    x', 'x');
  const withoutSpace = (code: string) =>
    code
      .trim()
      .split('\n')
      .map((line) => line.trim());
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
      // Each line ends with its number, so that functions of equal length differ.
      const lines = [...texts, ' def last(one):'].map((line, index) => (line.trim() ? `${line} #${index + 10}` : line));
      const answer = lines.join('\n');
      const [first = ''] = functionsOf(answer).toSorted((one, other) => other.length - one.length);
      const program = findProgram(answer, 'unittest', 'paper-artefact') ?? '';
      expect(withoutSpace(program)).toEqual(withoutSpace(first));
    }),
  );
});

test('finds the longest function in half a megabyte of nested functions and line breaks', () => {
  const heads = Array.from({ length: 1000 }, (_, depth) => `${' '.repeat(depth)}def f(x):`).join('\n');
  const answer = `${heads}${'\n'.repeat(500_000)}`;
  expect(findProgram(answer, 'unittest', 'paper-artefact')).toBe(heads);
});

test('finds no program in a blank response for a unit test under the published code’s rules', () => {
  expect(findProgram(' ', 'unittest', 'paper-artefact')).toBeNull();
});

test.each([
  ['import threading\nthreading.Thread()', 'threading.'],
  ['async def main(): pass', 'async def'],
  ['IMPORT OS', 'import os'],
  ['x = OS.getcwd()', 'os.getcwd'],
  ['open("file")', 'open('],
  ['# then exit()', 'exit()'],
])('finds the text that makes the published code refuse the program %j', (program, text) => {
  expect(refusedText(program)).toBe(text);
});

test.each(['print(sum(map(int, input().split())))', '# open("x")', "open('x', 'r')"])(
  'finds no text that makes the published code refuse the program %j',
  (program) => {
    expect(refusedText(program)).toBeNull();
  },
);

test('comments out lines with “import sys” or “input(”, like the published code', () => {
  const program = 'import sys\nimport os\nname = input("Name? ")\nprint(name)';
  expect(commentOut(program)).toBe('# import sys\nimport os\n# name = input("Name? ")\nprint(name)');
});
