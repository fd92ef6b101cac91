/**
 * @file Finds the code in what a worker was sent, read as `worker-prompt.ts` words it.
 */
import { lexer, walkTokens } from 'marked';
import type { Message } from '../../core/contract';

const PART = /<(overall-task|response|subtask)(?: number="\d+")?>\n([\s\S]*?)\n<\/\1>/g;
const PYTHON = /^\{?\.?(?:python3?|py3?)\b/i;

/**
 * The newest fenced Python code: in the last of the responses that has any, else in the worker's own subtask, else in the
 * question. Within a text the last fence counts. A fence that does not say its language counts only in a response, and only
 * where nothing says Python. Messages of another form are read as one text.
 * @returns `null` if there is none
 */
export function findPythonCode(messages: readonly Message[]): string | null {
  const text = messages
    .filter((message) => message.role === 'user')
    .map((message) => message.content)
    .join('\n');
  const parts = [...text.matchAll(PART)].map(([, name, inner]) => ({ name, fences: fencesIn(inner ?? '') }));
  if (parts.length === 0) parts.push({ name: 'response', fences: fencesIn(text) });
  const of = (...names: string[]) =>
    parts.filter(({ name }) => names.includes(name ?? '')).flatMap((part) => part.fences);
  const responses = of('response');
  const inOrder = [...of('overall-task'), ...of('subtask'), ...responses];
  const found =
    inOrder.findLast(({ language }) => PYTHON.test(language)) ?? responses.findLast(({ language }) => language === '');
  return found?.code ?? null;
}

interface Fence {
  /** As it stands after the opening fence. */
  readonly language: string;
  readonly code: string;
}

function fencesIn(markdown: string): Fence[] {
  const fences: Fence[] = [];
  void walkTokens(lexer(markdown), (token) => {
    if (token.type !== 'code' || token['codeBlockStyle'] === 'indented') return;
    const code = String(token['text'] ?? '');
    if (code.trim() !== '') fences.push({ language: String(token['lang'] ?? '').trim(), code });
  });
  return fences;
}
