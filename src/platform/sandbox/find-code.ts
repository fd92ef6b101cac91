/**
 * @file Finds the Python code in a prompt for a worker. `worker-prompt.ts` defines the prompt's
 * format.
 */
import type { Message } from '../../core/contract';
import { fencedCode, isPython } from '../../core/contract/worker/fenced-code';

const PART_START = /<(overall-task|response|subtask)(?: number="\d+")?>\n/g;

/**
 * Searches the responses of earlier steps, then the worker's subtask, then the question. Returns the last
 * block of Python in the first of these three that has one. If none has one, returns the last block in the
 * responses that states no language. A prompt without the expected tags is searched like a response.
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

/** Splits a prompt into its tagged parts. Each part ends at the first closing tag of its name. */
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
