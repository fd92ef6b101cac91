/** @file Finds the Python code in the messages that a worker receives. `worker-prompt.ts` writes these messages. */
import type { Message } from '../../core/contract';
import { fencedCode, isPython } from '../../core/contract/worker/fenced-code';

const PART_START = /<(overall-task|response|subtask)(?: number="\d+")?>\n/g;

/**
 * Returns the newest fenced Python code: from the last response that contains such code, else from the worker's subtask, else
 * from the question. Within a text, the last fence counts. A fence without a language counts only in a response, and only if no
 * fence is marked as Python. Messages of another format are read as one response.
 * @returns `null` if there is no code
 */
export function findPythonCode(messages: readonly Message[]): string | null {
  const text = messages
    .filter((message) => message.role === 'user')
    .map((message) => message.content)
    .join('\n');
  const parts = partsOf(text).map(({ name, inner }) => ({ name, fences: fencedCode(inner) }));
  if (parts.length === 0) parts.push({ name: 'response', fences: fencedCode(text) });
  const of = (...names: string[]) => parts.filter(({ name }) => names.includes(name)).flatMap((part) => part.fences);
  const responses = of('response');
  const inOrder = [...of('overall-task'), ...of('subtask'), ...responses];
  const found = inOrder.findLast(isPython) ?? responses.findLast(({ language }) => language === '');
  return found?.code ?? null;
}

/** The parts of a prompt, each from its opening tag to the first closing tag of the same name. */
function partsOf(text: string): { readonly name: string; readonly inner: string }[] {
  const parts: { name: string; inner: string }[] = [];
  const withoutEnd = new Set<string>();
  let after = 0;
  for (const { 0: start, 1: name = '', index } of text.matchAll(PART_START)) {
    if (index < after || withoutEnd.has(name)) continue;
    const from = index + start.length;
    const end = text.indexOf(`\n</${name}>`, from);
    if (end === -1) {
      withoutEnd.add(name);
      continue;
    }
    parts.push({ name, inner: text.slice(from, end) });
    after = end;
  }
  return parts;
}
