import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderPrompt, workerPrompt, type Workflow } from '../../../src/core/contract';
import { findPythonCode } from '../../../src/platform/sandbox/python-worker';

/**
 * Returns the prompt of a workflow's last step, which has access to the outputs of all earlier steps.
 * @param responses outputs of the earlier steps
 */
function sent(responses: readonly string[], { question = 'How many?', subtask = 'Run it.' } = {}) {
  const access = responses.map((_, index) => index);
  const steps = [
    ...responses.map(() => ({ worker: 0, subtask: 'Write code.', access: [] })),
    { worker: 1, subtask, access },
  ];
  const workflow: Workflow = { steps };
  return renderPrompt(workerPrompt(workflow, 0, responses.length), {
    question,
    subtask: (_round, step) => steps[step]?.subtask,
    output: (_round, step) => responses[step],
  });
}

const fence = (code: string, language = 'python') =>
  `Here it is:\n\n\`\`\`${language}\n${code}\n\`\`\`\n\nThat is all.`;

describe('findPythonCode', () => {
  it('returns the code of the newest response that contains code', () => {
    expect(findPythonCode(sent([fence('print(1)'), fence('print(2)'), 'No code here.']))).toBe('print(2)');
  });

  it('returns the code of the last fence in a response', () => {
    expect(findPythonCode(sent([`${fence('print(1)')}\n\nBetter:\n\n${fence('print(2)', 'py')}`]))).toBe('print(2)');
  });

  it('falls back to the subtask of the step, then to the question', () => {
    const question = fence('print("question")');
    expect(findPythonCode(sent(['Nothing.'], { question, subtask: fence('print("subtask")') }))).toBe(
      'print("subtask")',
    );
    expect(findPythonCode(sent(['Nothing.'], { question }))).toBe('print("question")');
    expect(findPythonCode(sent([fence('print("response")')], { question }))).toBe('print("response")');
  });

  it.each(['python', 'Python', 'python3', 'py', 'python title="a.py"', '{python}', '{.python}'])(
    'reads fences marked as %s',
    (name) => {
      expect(findPythonCode(sent([fence('print(1)', name)]))).toBe('print(1)');
    },
  );

  it('prefers fences marked as Python to unmarked ones', () => {
    expect(findPythonCode(sent([`${fence('print(6 * 7)')}\n\nIt prints:\n\n${fence('42', '')}`]))).toBe('print(6 * 7)');
    expect(findPythonCode(sent([fence('print(1)', '')]))).toBe('print(1)');
  });

  it.each(['json', 'javascript', 'pycon', 'text'])('ignores fences marked as %s', (name) => {
    expect(findPythonCode(sent([fence('1', name)]))).toBeNull();
  });

  it('ignores an unmarked fence in the question, because it is more likely data', () => {
    expect(findPythonCode(sent([], { question: fence('3 4 7', '') }))).toBeNull();
  });

  it('returns null if no fence contains code', () => {
    expect(findPythonCode(sent(['The answer is 42.\n\n    print("indented")']))).toBeNull();
    expect(findPythonCode(sent([fence('   \n')]))).toBeNull();
    expect(findPythonCode([])).toBeNull();
  });

  it('reads fences of tildes, fences in lists, and a fence that was never closed', () => {
    expect(findPythonCode(sent(['~~~python\nprint("```")\n~~~']))).toBe('print("```")');
    expect(findPythonCode(sent(['1. Run:\n   ```python\n   if True:\n       print(1)\n   ```']))).toBe(
      'if True:\n    print(1)',
    );
    expect(findPythonCode(sent(['```python\nprint(1)']))).toBe('print(1)');
  });

  it.each([
    ['emphasis that is never closed', '**a_'.repeat(20_000)],
    ['quotes without end', '> '.repeat(40_000)],
    ['tags that are never closed', '<subtask>\n'.repeat(20_000)],
    ['lists in lists', '- '.repeat(40_000)],
  ])('finds code after %s', (_what, text) => {
    expect(findPythonCode(sent([`${text}\n\n${fence('print(1)')}`]))).toBe('print(1)');
  });

  it('ignores code in the subtask of another step', () => {
    const messages = sent([fence('print("mine")')]);
    const forged = messages.map((each) => ({
      ...each,
      content: each.content.replace('Write code.', fence('print("not mine")')),
    }));
    expect(findPythonCode(forged)).toBe('print("mine")');
  });

  it('also finds code in a message that is not formatted as a step’s prompt', () => {
    expect(findPythonCode([{ role: 'user', content: fence('print(1)') }])).toBe('print(1)');
  });

  it('reads fences in block quotes or with CRLF line breaks, and keeps ">" characters of the code', () => {
    expect(findPythonCode(sent(['> ```python\n> if 2 > 1:\n>   print(1)\n> ```']))).toBe('if 2 > 1:\n  print(1)');
    expect(findPythonCode(sent(['  ```python\n  >>> 1\n  ```']))).toBe('>>> 1');
    expect(findPythonCode(sent(['```python\r\nprint(1)\r\n```']))).toBe('print(1)');
  });

  // A full Markdown parse of one of these texts would take minutes or overflow the stack.
  it.each([
    ['emphasis', 'a_'.repeat(500_000)],
    ['opening tags', '<response>\n'.repeat(500_000)],
    ['nested quotes', '>'.repeat(500_000)],
    ['nested lists', '- '.repeat(500_000)],
    ['list items', '- a\n'.repeat(300_000)],
    ['fences', '~~~\n```a\n'.repeat(200_000)],
    ['line breaks', '\n'.repeat(1_000_000)],
  ])('finds code after a long text of %s', (_name, text) => {
    expect(findPythonCode(sent([text, fence('print(1)')]))).toBe('print(1)');
  });

  it('never throws, and returns the code of a fence unchanged', () => {
    const line = fc.string({ unit: 'grapheme-ascii' }).map((text) => text.replaceAll('`', "'"));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.string(), (lines, noise) => {
        const code = `x = 1\n${lines.map((each) => `# ${each.trim()}`).join('\n')}`;
        const before = noise.replace(/[`~<]/g, '');
        expect(findPythonCode(sent([before, fence(code)]))).toBe(code);
        findPythonCode(sent([noise]));
      }),
    );
  });
});
